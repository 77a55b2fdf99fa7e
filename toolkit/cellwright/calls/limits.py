"""How much of a result the model gets.

A model's context is small and dear, so the text of a result is cut to a limit: the head and the tail stay, what
lies between is counted, and the text says so. Cuts fall at line ends where there are some, and never inside a
letter with its accents. There are three limits: that of the tool, that of all results of one turn together, and the
hard cap. The rule that must never break: a tool may set a lower limit than the hard cap, never a higher one.
The lesson is `notebooks/05_limits.ipynb`.
"""

from __future__ import annotations

import unicodedata

from msgspec import Struct

from cellwright.text.quantity import quantity

HARD_CAP = 200_000
"""Characters that no tool's limit can exceed."""
TURN_LIMIT = 200_000
"""Characters that the results of one turn may have together."""
SMALLEST = 200
"""Characters of a result that are shown however little room there is: enough for most errors."""
HEAD_SHARE = 0.6


class Gap(Struct, frozen=True):
    """What is left out of a text: all from `start` up to `end`."""

    start: int
    end: int
    lines: int
    """The lines that it touches."""


def cut(text: str, limit: int) -> tuple[str, int]:
    """The text within about `limit` characters, and how many characters were left out (0 if none)."""
    gap = middle(text, limit)
    if gap is None:
        return text, 0
    return text[: gap.start] + note(gap) + text[gap.end :], gap.end - gap.start


def middle(text: str, limit: int) -> Gap | None:
    """What must be left out so that `limit` characters stay; None if nothing must."""
    limit = max(SMALLEST, min(limit, HARD_CAP))
    if len(text) <= limit:
        return None
    head_length = int(limit * HEAD_SHARE)
    head = _back(text, head_length, limit // SLACK)
    tail = _forward(text, len(text) - (limit - head_length), limit // SLACK)
    return Gap(head, tail, text.count("\n", head, tail) + 1)


def note(gap: Gap, more: str = "") -> str:
    """What stands in a text in place of a gap. `more` is said with it."""
    size = f"{quantity(gap.end - gap.start, 'character')} in {quantity(gap.lines, 'line')}"
    return f"\n[… {size} left out{more} …]\n"


SLACK = 10
"""A line end is looked for within this part of the limit; further away it would cost too much of what is shown."""


def _back(text: str, position: int, slack: int) -> int:
    """The nearest good place to cut at or before a position: a line end close by, else a whole letter."""
    line = text.rfind("\n", position - slack, position)
    return whole_letters(text, line if line >= 0 else position)


def whole_letters(text: str, position: int) -> int:
    """The nearest place at or before a position where a cut splits no letter."""
    while 0 < position < len(text) and _is_inside(text, position):
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
    if after.isascii():
        return before == "\r" and after == "\n"
    if JOINER in (before, after) or (_is_flag(before) and _is_flag(after)):
        return True
    if unicodedata.category(after).startswith("M") or "\U0001f3fb" <= after <= "\U0001f3ff":
        return True
    return _is_part(before, after)


JOINER = "\u200d"


def _is_flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _is_part(before: str, after: str) -> bool:
    """Whether the second sign goes on with the first: parts of a Korean syllable, tags, an Indian pair of letters."""
    if "\u1160" <= after <= "\u11ff":
        return "\u1100" <= before <= "\u11ff" or "\uac00" <= before <= "\ud7a3"
    return "\U000e0020" <= after <= "\U000e007f" or unicodedata.combining(before) == VIRAMA


VIRAMA = 9
"""The combining class of the sign that ties two letters into one."""
