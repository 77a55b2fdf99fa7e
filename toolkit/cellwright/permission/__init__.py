"""Who decides whether a call may run: modes, rules, and the list of deciders."""
