"""Where the paths of a command line lead, each found out once.

A line may have hundreds of words, each of which may be a path, and a rule for files is held against all of them. So
each is followed once for all rules, as a shell would: by its exact name, `~` and links included. The rule that must
never break: where there are too many to follow, that is said, and the line counts as one that can't be told.
"""

from __future__ import annotations

import os

from msgspec import Struct

from cellwright.env import MAX_PATH, Env
from cellwright.permission.line_folders import Folders
from cellwright.permission.shell.wildcard import Wildcards
from cellwright.permission.shell.word import HOLE

MAX_STEPS = 1000
"""Folders and files that are looked up for one line."""


class Place(Struct, frozen=True):
    """Where a path may lead."""

    path: str
    """Absolute, with `/` between its parts."""
    is_folder: bool


class Places:
    """The places that the words of one line may name, seen from each folder in which it may run."""

    def __init__(self, env: Env, folders: Folders) -> None:
        self.env = env
        self.folders = folders
        self.cwd = env.cwd.as_posix()
        self._found: dict[str, tuple[Place, ...]] = {}
        self.wildcards = Wildcards()
        self._left = MAX_STEPS

    def of(self, text: str) -> tuple[Place, ...] | None:
        """Where a path may lead, as it is written and with links followed; None if that is not found out any more."""
        if text not in self._found:
            starts = self.folders or (".",)
            self._left -= (text.count("/") + 1) * len(starts)
            if self._left < 0:
                return None
            self._found[text] = tuple(self._followed(text, starts)) if len(text) <= MAX_PATH else ()
        return self._found[text]

    def linked(self, text: str) -> tuple[str, ...] | None:
        """Where links lead that a wildcard in a word may stand for, as absolute paths; None as above."""
        if HOLE not in text:
            return ()
        found = [self.wildcards.matches(text, self.env.cwd / start) for start in self.folders or (".",)]
        links = [match.path.replace(os.sep, "/") for each in found for match in each or () if match.by_link]
        return None if None in found else tuple(dict.fromkeys(links))

    def _followed(self, text: str, starts: tuple[str, ...]) -> list[Place]:
        given = dict.fromkeys((text, os.path.expanduser(text)))
        written = [os.path.join(self.cwd, start, name) for start in starts for name in given]
        try:
            found = dict.fromkeys(way for path in written for way in (os.path.realpath(path), os.path.normpath(path)))
            return [Place(path.replace(os.sep, "/"), os.path.isdir(path)) for path in found]
        except (OSError, ValueError):  # such as a NUL in it: no file has such a name
            return []
