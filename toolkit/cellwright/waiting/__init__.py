"""Waiting for what takes time (a thread, a task, a person, a stop) so that nothing else has to wait with it."""
