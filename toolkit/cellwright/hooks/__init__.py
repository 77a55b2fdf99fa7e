"""Hooks: what the person lets be asked about each call, in Python or as a program of its own."""
