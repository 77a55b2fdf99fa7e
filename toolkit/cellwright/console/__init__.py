"""Cellwright in a terminal: a run as it is followed there, and the commands of `cellwright`."""
