"""What calls changed, kept so that it can be taken back: the state of a file before, the copies, the undo itself."""
