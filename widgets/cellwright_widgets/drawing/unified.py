"""Reads a unified diff back into lines with their numbers.

A log holds a change as the text that a patch tool takes; to draw it, each line's kind and place are needed, and
which removed line stands against which added one. Lines are split at `\\n` alone, as patch tools do.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Literal

from msgspec import Struct

from cellwright.views.file_diff import HUNK
from cellwright_widgets.drawing.word_diff import are_alike

REACH = 5
"""How many removed lines are looked at for the partner of an added one."""
Sign = Literal[" ", "+", "-", "@", "\\"]


class Line(Struct):
    """One line of a diff. Mutable until its partner is found."""

    sign: Sign
    text: str
    """Without sign and line break; a carriage return stays."""
    old: int | None = None
    new: int | None = None
    """The number on each side; of the head of a hunk, those of the first line after it."""
    partner: Line | None = None
    """The line it replaces, or that replaces it."""
    after: str = ""
    """For a note on the end of a line: the sign of that line."""


Step = tuple[list[Line], list[Line]]
"""What stands side by side: a removed line or none, an added one or none, each with the note on its end."""


def read_unified(unified: str) -> list[Line]:
    """The lines of a diff in order, the two header lines left out. What is no diff comes as context lines."""
    lines = list(_lines(unified))
    _pair(lines)
    return lines


def aligned(run: list[Line]) -> list[Step]:
    """Changed lines in steps, partners side by side."""
    olds, news = _side(run, "-"), _side(run, "+")
    places = {id(entry[0]): place for place, entry in enumerate(olds)}
    steps: list[Step] = []
    i = j = 0
    for place, entry in enumerate(news):
        partner = places.get(id(entry[0].partner), -1)
        if partner >= i:
            steps += zip_longest(olds[i:partner], news[j:place], fillvalue=[])
            steps.append((olds[partner], entry))
            i, j = partner + 1, place + 1
    steps += zip_longest(olds[i:], news[j:], fillvalue=[])
    return steps


def _side(run: list[Line], sign: Sign) -> list[list[Line]]:
    entries: list[list[Line]] = []
    for line in run:
        if line.sign == sign:
            entries.append([line])
        elif line.after == sign and entries:
            entries[-1].append(line)
    return entries


def _lines(unified: str) -> Iterator[Line]:
    old = new = left_old = left_new = 0
    last = ""
    for text in unified.removesuffix("\n").split("\n"):
        hunk = HUNK.match(text) if left_old <= 0 and left_new <= 0 else None
        if hunk:
            left_old, left_new = int(hunk[2] or 1), int(hunk[4] or 1)
            old, new = int(hunk[1]) + (not left_old), int(hunk[3]) + (not left_new)
            yield Line("@", text, old, new)
        elif text.startswith("\\"):
            yield Line("\\", text[1:].strip(), after=last)
            continue
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
        last = text[:1]


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
