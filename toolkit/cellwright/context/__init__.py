"""What fits before a model: how much a conversation holds, and what becomes of one that grows too long."""
