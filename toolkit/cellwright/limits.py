"""How much of a result the model gets.

A model's context is small and dear, so the text of a result is cut to a limit: the head and the tail stay, what
lies between is counted, and the text says so. Cuts fall at line ends where there are some, and never inside a
letter with its accents. The tool may set a lower limit than the hard cap, never a higher one.
"""

from __future__ import annotations

import unicodedata

HARD_CAP = 200_000
"""Characters that no tool's limit can exceed."""
HEAD_SHARE = 0.6


def cut(text: str, limit: int) -> tuple[str, int]:
    """The text within about `limit` characters, and how many characters were left out (0 if none)."""
    limit = max(200, min(limit, HARD_CAP))
    if len(text) <= limit:
        return text, 0
    head = _back(text, int(limit * HEAD_SHARE))
    tail = _forward(text, len(text) - (limit - int(limit * HEAD_SHARE)))
    left_out = tail - head
    lines = text.count("\n", head, tail)
    note = f"\n[… {left_out:,} characters in {lines + 1:,} lines left out …]\n"
    return text[:head] + note + text[tail:], left_out


def _back(text: str, position: int) -> int:
    """The nearest good place to cut at or before a position: a line end close by, else a whole letter."""
    line = text.rfind("\n", max(0, position - 500), position)
    if line > 0:
        return line
    while position > 0 and _joined(text[position]):
        position -= 1
    return position


def _forward(text: str, position: int) -> int:
    line = text.find("\n", position, position + 500)
    if line >= 0:
        return line + 1
    while position < len(text) and _joined(text[position]):
        position += 1
    return position


def _joined(char: str) -> bool:
    """Whether a character belongs to the one before it: accents, joiners, variation marks, skin tones."""
    return unicodedata.combining(char) != 0 or char in "\u200d\ufe0e\ufe0f" or "\U0001f3fb" <= char <= "\U0001f3ff"
