"""What source code defines: its classes, functions and tables, each with its place."""
