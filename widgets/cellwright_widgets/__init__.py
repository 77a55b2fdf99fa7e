"""The Jupyter views of Cellwright."""
