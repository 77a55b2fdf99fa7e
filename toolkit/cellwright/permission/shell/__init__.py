"""What a shell command line does: a real grammar, and every simple command in it, wherever it hides."""
