"""A run from its first words to its end. Begin with `loop`: reason, act, observe, stop."""
