"""The chat panel: a conversation with an agent, its controls, its sessions, and the `%%agent` magic."""
