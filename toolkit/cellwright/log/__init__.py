"""The log of a run and all that is read from it: events and their file, traces, the timeline, requests, spans."""
