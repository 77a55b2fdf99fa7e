"""What the model has seen of files and cells, by content.

An edit rests on what was read before. The ledger notes, for each file or cell, a short hash of the content that
the model read or the person was shown; before a write it says whether that is still what is there. Time stamps are
not used: they miss a change that keeps them, and see one where there was none.
"""

from __future__ import annotations

from pathlib import Path


class Ledger:
    """Content versions by what they belong to: a file, or a file and a cell id."""

    def __init__(self) -> None:
        self._seen: dict[tuple[Path, str], str] = {}

    def note(self, path: Path, version: str, cell: str = "") -> None:
        """This version was read, shown or written."""
        self._seen[path, cell] = version

    def seen(self, path: Path, cell: str = "") -> str | None:
        """The version last noted, None if there is none."""
        return self._seen.get((path, cell))

    def copy(self) -> Ledger:
        """What has been seen so far, for one that goes on from here; what either sees next is its own."""
        ledger = Ledger()
        ledger._seen = dict(self._seen)
        return ledger

    def forget(self, path: Path, cell: str = "") -> None:
        """Nothing is known of this any more."""
        self._seen.pop((path, cell), None)
