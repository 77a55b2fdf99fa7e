"""Cellwright: an agent toolkit that lives inside a Jupyter kernel."""
