"""The change of one text, as the person sees it.

A diff shows three lines around each change, which is little to judge it by, while the whole text would make every log
and message as long as the file. So the change itself is a unified diff, the form that any patch tool takes, and beside
it stand the unchanged lines nearest to it, to be unfolded by whoever wants to see more.

The rule that must never break: applied to the old text, the diff gives the new one; the lines beside it are never
needed for that, and they are bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from cellwright.text.text_diff import change_notes, changed_lines, split_lines, unified_diff
from cellwright.text.visible_text import mark_hidden

HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
NEAR = 40
"""Unchanged lines that are kept on each side of a hunk, beyond those in it."""
NEAR_CHARACTERS = 20_000
"""Characters of all of them together."""
Unchanged = tuple[int, int, str]
"""Lines that stay: the number of the first in the old text, the same in the new one, and the lines."""


class Diff(Struct, frozen=True):
    """A change of one text."""

    path: str
    """What changes: a file, or a file and a cell."""
    unified: str
    """A unified diff that a patch tool can apply."""
    added: int
    removed: int
    notes: tuple[str, ...] = ()
    """What a reader could overlook, such as changed line ends."""
    unchanged: tuple[Unchanged, ...] = ()
    """Lines outside of the hunks, in order: those nearest to them, as many as are kept."""
    is_new: bool = False
    """Whether there is no such text yet, which is not the same as an empty one."""
    kind: Literal["diff"] = "diff"


def diff_view(old: str | None, new: str, path: str) -> Diff:
    """The change from one text, or from none, to another."""
    before = old or ""
    unified = unified_diff(before, new, path)
    added, removed = changed_lines(unified)
    unchanged = tuple(unchanged_lines(unified, new))
    return Diff(path, unified, added, removed, change_notes(before, new), unchanged, old is None)


def diff_text(view: Diff) -> str:
    """The change for a terminal or a log, nothing hidden."""
    notes = "".join(f"note: {note}\n" for note in view.notes)
    lines = view.unified.split("\n")
    shown = (mark_hidden(line.removesuffix("\r")) + ("\r" if line.endswith("\r") else "") for line in lines)
    if not view.unified:
        return notes + (f"{view.path} is new and empty" if view.is_new else f"no change in {view.path}")
    return notes + "\n".join(shown)


def unchanged_lines(unified: str, new: str) -> Iterator[Unchanged]:
    """The lines that stand outside of the hunks of a diff, at most `NEAR` on each side of each."""
    lines, room = split_lines(new), NEAR_CHARACTERS
    for first, last, ahead in _near(unified, len(lines)):
        kept = "".join(lines[first:last])
        if len(kept) > room:
            return
        room -= len(kept)
        yield first + 1 + ahead, first + 1, kept


def _near(unified: str, total: int) -> Iterator[tuple[int, int, int]]:
    """Ranges of lines of the new text that no hunk holds, and how far the old text is ahead there."""
    done = ahead = 0
    for old, old_count, new, new_count in hunks(unified):
        start = new - 1 if new_count else new
        if start - done > 2 * NEAR:
            yield from ((done, done + NEAR, ahead),) if done else ()
            yield start - NEAR, start, ahead
        elif start > done:
            yield done, start, ahead
        done = start + new_count
        ahead = (old - 1 if old_count else old) + old_count - done
    if 0 < done < total:
        yield done, min(total, done + NEAR), ahead


def hunks(unified: str) -> Iterator[tuple[int, int, int, int]]:
    """First line and count of each hunk, in the old text and in the new one, as its head says."""
    left_old = left_new = 0
    for line in unified.split("\n"):
        if left_old <= 0 and left_new <= 0:
            if head := HUNK.match(line):
                left_old, left_new = int(head[2] or 1), int(head[4] or 1)
                yield int(head[1]), left_old, int(head[3]), left_new
        else:
            left_old -= line[:1] in (" ", "-", "")
            left_new -= line[:1] in (" ", "+", "")
