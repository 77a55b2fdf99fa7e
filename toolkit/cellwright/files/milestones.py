"""How many lines lie before some places of a file that is too large to be read through each time.

The lines of a file are found by counting, and to count a gigabyte takes a third of a second, for each window on it. So
what was counted is kept: a milestone every few megabytes. The next window begins at the last one before it.

The rule that must never break: a milestone counts only for the file as it was, told by its place on the disk, its size
and the times of its last change; for a file that has changed by any of them it is as if nothing had been counted.
"""

from __future__ import annotations

import os

from msgspec import Struct

DISTANCE = 8_000_000
"""Bytes between two milestones."""
FILES = 8
"""Files of which they are kept; the one that was left alone the longest makes room."""

State = tuple[int, ...]


class Milestone(Struct, frozen=True):
    """A place in a file, and what lies before it."""

    place: int = 0
    """In bytes from the beginning."""
    newlines: int = 0
    crlf: int = 0
    """Newlines with a carriage return before them."""
    last: bytes = b""
    """The byte before the place."""


class Milestones:
    """The milestones of the files of one run. Mutable: reading adds to it, in any thread."""

    def __init__(self) -> None:
        self._files: dict[State, dict[int, Milestone]] = {}

    def before(self, line: int, file: os.stat_result) -> Milestone:
        """The last one that lies before the beginning of a line, which is counted from 0."""
        found = self._files.get(_state(file), {})
        return max((one for one in list(found.values()) if one.newlines < line), key=_place, default=Milestone())

    def note(self, milestone: Milestone, file: os.stat_result) -> None:
        """So much lies before this place, unless there is a milestone near."""
        state = _state(file)
        found = self._files.pop(state, {})
        self._files[state] = found
        found.setdefault(milestone.place // DISTANCE, milestone)
        for old in list(self._files)[:-FILES]:
            self._files.pop(old, None)


def _place(milestone: Milestone) -> int:
    return milestone.place


def _state(file: os.stat_result) -> State:
    return file.st_dev, file.st_ino, file.st_size, file.st_mtime_ns, file.st_ctime_ns
