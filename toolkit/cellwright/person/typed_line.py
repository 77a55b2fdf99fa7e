"""A line that a person types at the terminal.

What is asked goes to standard error, since standard output is for data. The rule that must never break: a process that
ends while it waits for a line ends cleanly, whatever standard input is.
"""

from __future__ import annotations

import os
import sys


def typed_line(prompt: str) -> str:
    """A line from standard input, asked for on standard error, since standard output is for data.

    A pipe is read byte by byte: `input` holds a lock while it waits, and Python aborts when it ends meanwhile.

    Raises:
        EOFError: if standard input is closed.
    """
    print(prompt, end="", file=sys.stderr, flush=True)
    if sys.stdin is None or sys.stdin.isatty():
        return input()
    line = bytearray()
    while (byte := os.read(sys.stdin.fileno(), 1)) not in (b"", b"\n"):
        line += byte
    if not line and not byte:
        raise EOFError
    return line.decode(errors="replace")
