"""A run stepped through, and forked where it could have gone another way."""
