"""What the person sees of a call, as plain data: one kind of view a module, and `view`, which knows them all."""
