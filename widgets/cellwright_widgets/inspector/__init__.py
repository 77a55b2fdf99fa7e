"""A run taken apart: its timeline, each turn with what the model was sent, each call with its stages."""
