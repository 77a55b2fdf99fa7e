"""Reads a unified diff back into lines with their numbers.

A log holds a change as the text that a patch tool takes; to draw it, each line's kind and place are needed, and
which removed line stands against which added one. Lines are split at `\\n` alone, as patch tools do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from cellwright.file_diff import HUNK
from cellwright_widgets.word_diff import are_alike

REACH = 5
"""How many removed lines are looked at for the partner of an added one."""
Sign = Literal[" ", "+", "-", "@", "\\"]


@dataclass(slots=True)
class Line:
    """One line of a diff. Mutable until its partner is found."""

    sign: Sign
    text: str
    """Without sign and line break; a carriage return stays."""
    old: int | None = None
    new: int | None = None
    partner: Line | None = None
    """The line it replaces, or that replaces it."""


def read_unified(unified: str) -> list[Line]:
    """The lines of a diff in order, the two header lines left out. What is no diff comes as context lines."""
    lines = list(_lines(unified))
    _pair(lines)
    return lines


def _lines(unified: str) -> Iterator[Line]:
    old = new = left_old = left_new = 0
    for text in unified.removesuffix("\n").split("\n"):
        hunk = HUNK.match(text) if left_old <= 0 and left_new <= 0 else None
        if hunk:
            old, new = int(hunk[1]), int(hunk[3])
            left_old, left_new = int(hunk[2] or 1), int(hunk[4] or 1)
            yield Line("@", text)
        elif text.startswith("\\"):
            yield Line("\\", text[1:].strip())
        elif text.startswith("-") and left_old > 0:
            yield Line("-", text[1:], old=old)
            old, left_old = old + 1, left_old - 1
        elif text.startswith("+") and left_new > 0:
            yield Line("+", text[1:], new=new)
            new, left_new = new + 1, left_new - 1
        elif left_old > 0 and left_new > 0:
            yield Line(" ", text[1:], old=old, new=new)
            old, new, left_old, left_new = old + 1, new + 1, left_old - 1, left_new - 1
        elif not text.startswith(("--- ", "+++ ")) and text:
            yield Line(" ", text)


def _pair(lines: list[Line]) -> None:
    """Finds the partners in each run of removed lines followed by added ones."""
    removed: list[Line] = []
    added: list[Line] = []
    for line in lines:
        if line.sign == "+":
            added.append(line)
        elif line.sign != "\\":
            if added or line.sign != "-":
                _match(removed, added)
                removed, added = [], []
            if line.sign == "-":
                removed.append(line)
    _match(removed, added)


def _match(removed: list[Line], added: list[Line]) -> None:
    start = 0
    for line in added:
        for index in range(start, min(start + REACH, len(removed))):
            if are_alike(removed[index].text, line.text):
                line.partner, removed[index].partner = removed[index], line
                start = index + 1
                break
