"""Models by name: `model("scripted:tour")`."""
