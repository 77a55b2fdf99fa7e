"""The sessions that a folder holds, as a list that is quick to make, and a file for the next one.

A log can be long, and a folder can hold many; a list needs the first prompt of each. So only the beginning of a file
is read here. The rule that must never break: nothing is loaded, mended or changed by being listed.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path

from msgspec import Struct

from cellwright.errors import UsageError
from cellwright.text.visible_text import mark_hidden

SESSIONS = ".cellwright/sessions"
"""Where a project's sessions stand, unless it is said otherwise."""
MOST = 100
"""Sessions that are listed, the newest; the others are opened by `Session.load`."""
BEGINNING = 200_000
"""Bytes of a file in which its first prompt is looked for."""
WORDS = 80
"""Characters of a prompt in the list."""
SUFFIX = ".jsonl"


class SessionFile(Struct, frozen=True):
    """A file of the folder."""

    path: Path
    changed: float
    prompt: str
    """The first words of its first run; empty if they are not at the beginning of the file."""

    @property
    def name(self) -> str:
        """By what it is called in its folder."""
        return self.path.name.removesuffix(SUFFIX)

    @property
    def label(self) -> str:
        """How it stands in a list."""
        when = time.strftime("%d %b %H:%M", time.localtime(self.changed))
        words = " ".join(self.prompt.split())
        short = words[:WORDS] + ("…" if len(words) > WORDS else "")
        return mark_hidden(" · ".join(part for part in (when, short, self.path.name[:WORDS]) if part))


class SessionFolder:
    """A folder of logs; it is made when the first one is written."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def new_file(self) -> Path:
        """The path of a log that is not there yet."""
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        name, number = time.strftime("%Y-%m-%d-%H%M%S"), 1
        path = self.path / f"{name}{SUFFIX}"
        while path.exists():
            path, number = self.path / f"{name}-{number}{SUFFIX}", number + 1
        return path

    def files(self) -> tuple[SessionFile, ...]:
        """What is there, the newest first."""
        newest = sorted(self._changed(), reverse=True)[:MOST]
        return tuple(SessionFile(path, changed, _first_prompt(path)) for changed, path in newest)

    def find(self, name: str) -> Path:
        """The file of a session that is named, or whose path is given.

        Raises:
            UsageError: if there is none; it says which there are.
        """
        for path in (Path(name), self.path / name, self.path / f"{name}{SUFFIX}"):
            with suppress(OSError, ValueError):  # a name that can be none of a file
                if path.is_file():
                    return path
        near = get_close_matches(name, [file.name for file in self.files()], n=1)
        meant = f"; {near[0]!r} is near it" if near else ""
        raise UsageError(f"there is no session {name!r:.200}{meant}; `cellwright sessions` lists those of {self.path}")

    def _changed(self) -> Iterator[tuple[float, Path]]:
        try:
            with os.scandir(self.path) as entries:
                for entry in entries:
                    if entry.name.endswith(SUFFIX) and entry.is_file(follow_symlinks=False):
                        yield entry.stat(follow_symlinks=False).st_mtime, Path(entry.path)
        except OSError:  # it is not there yet, or is none of ours to read
            return


def _first_prompt(path: Path) -> str:
    try:
        with path.open("rb") as file:
            *lines, _ = file.read(BEGINNING).split(b"\n")
    except OSError:
        return ""
    for line in lines[:3]:
        try:
            found = json.loads(line)
            if found["kind"] == "run_started":
                return str(found["data"]["prompt"])
        except (ValueError, RecursionError, KeyError, TypeError):
            continue
    return ""
