"""A run that is shown while it goes on: what travels to the page, how fast, and what the page sends back."""
