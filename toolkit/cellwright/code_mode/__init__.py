"""Code mode: the model writes Python in which all tools can be called, each by the way of every call."""
