"""Views as drawings: a tree of plain nodes that pages build, one module for each kind of view."""
