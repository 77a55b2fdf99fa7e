"""A run as a person follows it: what happened, told again as a few items, and the card of each call."""
