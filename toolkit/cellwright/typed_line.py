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


DESTRUCTIVE = "DESTRUCTIVE: what it does can't be undone."
"""What is said of a call that destroys."""
SENTENCES = {
    "agent": "May this sub-agent start?",
    "delete_range": "May this file be changed?",
    "delete_symbol": "May this file be changed?",
    "edit_file": "May this file be changed?",
    "exit_plan": "Do you agree to this plan?",
    "kill_job": "May this job be ended?",
    "move_file": "May this file be moved?",
    "multi_edit": "May this file be changed?",
    "notebook_edit": "May this notebook be changed?",
    "notebook_patch": "May this notebook be changed?",
    "notebook_run": "May these cells run?",
    "run_code": "May this code run?",
    "run_command": "May this command run?",
    "web_fetch": "May this page be fetched?",
    "write_file": "May this file be written?",
}
"""What a person is asked, by the tool's name; of any other tool, whether it may run."""


def sentence(tool: str) -> str:
    """What the person is asked, as one sentence."""
    return SENTENCES.get(tool, f"May {mark_all(tool)} run?")


def asked_line(tool: str) -> str:
    """The sentence, and the tool's name if it is not in it."""
    return SENTENCES[tool] + f" ({tool})" if tool in SENTENCES else sentence(tool)


def why(question: Question) -> str:
    """Why the person is asked; nothing if the mark of a destructive call says it."""
    return "" if question.destructive and question.reason == CANT_BE_UNDONE else question.reason
