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
    head_length = int(limit * HEAD_SHARE)
    head = _back(text, head_length, limit // SLACK)
    tail = _forward(text, len(text) - (limit - head_length), limit // SLACK)
    left_out = tail - head
    lines = text.count("\n", head, tail)
    note = f"\n[… {left_out:,} characters in {lines + 1:,} lines left out …]\n"
    return text[:head] + note + text[tail:], left_out


SLACK = 10
"""A line end is looked for within this part of the limit; further away it would cost too much of what is shown."""


def _back(text: str, position: int, slack: int) -> int:
    """The nearest good place to cut at or before a position: a line end close by, else a whole letter."""
    line = text.rfind("\n", position - slack, position)
    if line >= 0:
        return line
    while position > 0 and _is_inside(text, position):
        position -= 1
    return position


def _forward(text: str, position: int, slack: int) -> int:
    line = text.find("\n", position, position + slack)
    if line >= 0:
        return line + 1
    while position < len(text) and _is_inside(text, position):
        position += 1
    return position


def _is_inside(text: str, position: int) -> bool:
    """Whether a cut here would split a letter: before accents, marks and skin tones, at a joiner, within a flag."""
    before, after = text[position - 1], text[position]
    if JOINER in (before, after) or (_is_flag(before) and _is_flag(after)):
        return True
    return unicodedata.category(after).startswith("M") or "\U0001f3fb" <= after <= "\U0001f3ff"


JOINER = "\u200d"


def _is_flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"
