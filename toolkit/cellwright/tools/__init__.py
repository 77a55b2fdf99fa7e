"""The built-in tools, one a module; `cellwright.catalogue` lists them."""
