"""What a word with wildcards may turn out to be, found as the shell finds it: by a look into the folders.

A wildcard stands for names that nobody wrote, and one of them may be a link: `cat */passwd` reads `/etc/passwd` where a
project has a link to `/etc`, though every word looks as if it stayed inside. The rule that must never break: no match
is left out; where there are too many to be looked at, that is said.
"""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

from msgspec import Struct

from cellwright.permission.patterns import STAR, covers_text
from cellwright.permission.shell.word import HOLE

MAX_SEEN = 20_000
"""Names in folders that are looked at for one line."""


class Match(Struct, frozen=True):
    """A path that a word may turn out to be."""

    path: str
    """Absolute, links followed."""
    by_link: bool
    """Whether one of the names that a wildcard stands for, or one after it, is a link."""

    def parts_below(self, folder: str) -> list[str] | None:
        """The parts of the path below a folder; None if it lies elsewhere."""
        head = folder.rstrip(os.sep) + os.sep
        if self.path.startswith(head):
            return self.path[len(head) :].split(os.sep)
        return [] if self.path == folder else None


class Wildcards:
    """What the wildcards of one line stand for, each found out once, with one bound for all of them."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, Path], tuple[Match, ...] | None] = {}
        self._left = MAX_SEEN

    def matches(self, text: str, start: Path) -> tuple[Match, ...] | None:
        """What a word with holes may be, seen from a folder; None if there is too much to look at."""
        if (text, start) not in self._found:
            self._found[text, start] = self._matches(text, start)
        return self._found[text, start]

    def _matches(self, text: str, start: Path) -> tuple[Match, ...] | None:
        known, rest = _split(text)
        found = [Match(os.path.realpath(start / known), by_link=False)]
        for part in rest:
            further: list[Match] = []
            for place in found:
                inside, seen = _inside(place, part)
                further += inside
                self._left -= seen
                if self._left < 0:
                    return None
            found = further
        goes_up = ".." in rest
        return tuple(
            Match(os.path.realpath(match.path), match.by_link) if match.by_link or goes_up else match for match in found
        )


def _split(text: str) -> tuple[str, list[str]]:
    """The folders before the first wildcard, and the parts from there on."""
    folder, slash, _ = text.partition(HOLE)[0].rpartition("/")
    return folder + slash, [part for part in text[len(folder + slash) :].split("/") if part not in ("", ".")]


def _inside(place: Match, part: str) -> tuple[list[Match], int]:
    """What a part may be in a folder, and how many names were looked at for it."""
    if HOLE not in part:
        path = os.path.join(place.path, part)
        there = [Match(path, place.by_link or os.path.islink(path))] if os.path.lexists(path) else []
        return there, 1
    pattern = part.replace(HOLE, STAR)
    try:
        with os.scandir(place.path) as listed:
            entries = list(islice(listed, MAX_SEEN + 1))
            fitting = [entry for entry in entries if covers_text(pattern, entry.name)]
            shown = [entry for entry in fitting if part[0] != HOLE or entry.name[0] != "."]
            return [Match(entry.path, place.by_link or entry.is_symlink()) for entry in shown], 1 + len(entries)
    except (OSError, ValueError):  # no folder, or none that can be looked into
        return [], 1
