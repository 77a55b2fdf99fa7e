"""From where the paths of a command line are seen: `cd` moves the commands after it.

Whether a `cd` succeeds is known only when the line runs, so each one adds the folders in which the commands after it
may run. A `..` behind a link goes back to where the link stands, or on from where it leads: both count. The rule that
must never break: where the folder can't be told, that is said, and the line needs rules.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cellwright.env import Env

if TYPE_CHECKING:  # what is needed to read command lines is imported when the first one is judged
    from cellwright.permission.shell.parts import Part

Folders = tuple[str, ...] | None
"""The folders from which the paths of a line may be seen; None if that can't be told."""
MAX_FOLDERS = 8


def start_of(env: Env) -> str:
    """The folder in which a line begins, relative to the working folder."""
    return env.shown(env.folder)


def line_folders(parts: Sequence[Part], start: str) -> Folders:
    """The folders from which the paths of these parts of a line may be seen."""
    found = [start]
    for part in parts:
        if not part.command.words or part.command.words[0].text not in ("cd", "pushd", "popd"):
            continue
        if part.command.repeats:
            return None
        operands = [word for word in part.command.words[1:] if word.text not in ("-L", "-P", "--")]
        if len(operands) != 1 or not operands[0].is_literal or operands[0].text.startswith(("-", "~")):
            return None
        given = operands[0].text
        ways = [f"{folder}/{given}" if given[:1] != "/" else given for folder in found]
        found += ways + ([posixpath.normpath(way) for way in ways] if ".." in given.split("/") else [])
        if len(found) > MAX_FOLDERS:
            return None
    return tuple(found)
