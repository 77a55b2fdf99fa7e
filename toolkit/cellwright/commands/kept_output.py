"""What is kept of an output that may have no end: its beginning, its end, and how much there was.

A command may print for hours. What was printed first tells what it is, what was printed last tells how it went; the
rest is only counted. The rule that must never break: whatever is added, what is kept stays within the same bounds.
"""

from __future__ import annotations

KEPT = 500_000
"""Bytes that are kept of the beginning, and of the end."""


class KeptOutput:
    """The output of one program."""

    def __init__(self) -> None:
        self.total = 0
        """Bytes so far."""
        self._head = bytearray()
        self._tail = bytearray()

    def add(self, data: bytes) -> None:
        """Takes what comes next."""
        self.total += len(data)
        room = KEPT - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        if len(self._tail) > 2 * KEPT:
            del self._tail[:-KEPT]

    def text(self, start: int = 0) -> str:
        """The output from a byte on. What is no UTF-8 becomes U+FFFD; what was not kept is counted in its place."""
        tail_at = self.total - len(self._tail)
        head, tail = self._head[start:], self._tail[max(0, start - tail_at) :]
        missing = max(0, tail_at - max(start, len(self._head)))
        if not missing:
            return (head + tail).decode("utf-8", "replace")
        gap = f"\n[… {missing} bytes were not kept …]\n"
        return head.decode("utf-8", "replace") + gap + tail.decode("utf-8", "replace")
