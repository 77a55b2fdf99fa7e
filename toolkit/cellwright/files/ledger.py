"""What the model has seen of files and cells, by content.

An edit rests on what was read before. The ledger notes, for each file or cell, a short hash of the content that
the model read or the person was shown; before a write it says whether that is still what is there. Time stamps are
not used: they miss a change that keeps them, and see one where there was none. Of a file it also keeps which lines
were read, since whoever replaces all of it must have read all of it, and whoever names lines by their numbers must
have seen these numbers since the file last changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cellwright.messages import JsonObject

Lines = list[tuple[int, int]]
"""First and last line of each piece of a file, from 1."""


class Ledger:
    """Content versions by what they belong to: a file, or a file and a cell id.

    `by_person` is for calls that a person makes themselves, without a model: who has the files before them has read
    them.
    """

    def __init__(self, by_person: bool = False) -> None:
        self._by_person = by_person
        self._seen: dict[tuple[Path, str], str] = {}
        self._unread: dict[Path, Lines] = {}
        self._unnumbered: dict[Path, Lines] = {}
        self._touched: set[Path] = set()

    def note(self, path: Path, version: str, cell: str = "") -> None:
        """This version was read, shown or written."""
        self._touched.add(path)
        if not cell and self._seen.get((path, "")) != version:
            self._unread.pop(path, None)
            self._unnumbered.pop(path, None)
        self._seen[path, cell] = version

    def note_lines(self, path: Path, version: str, first: int, last: int, total: int) -> None:
        """These lines of this version were read; of so many that there are."""
        self.note(path, version)
        for lines in (self._unread, self._unnumbered):
            lines[path] = _without(lines.get(path, [(1, total)]), first, last)

    def note_written(self, path: Path, version: str, whole: bool) -> None:
        """The model wrote this version: all of it, or a piece of a file that it knows as far as before."""
        whole = whole or self.knows_whole(path)
        self.note(path, version)
        if whole:
            self._unread[path] = []

    def seen(self, path: Path, cell: str = "") -> str | None:
        """The version last noted, None if there is none."""
        return self._seen.get((path, cell))

    def knows(self, path: Path, cell: str = "") -> bool:
        """Whether any version of what is there was read or written."""
        return self._by_person or bool(self._seen.get((path, cell)))

    def knows_whole(self, path: Path) -> bool:
        """Whether every line of the version last noted was read or written."""
        return self._by_person or self._unread.get(path) == []

    def knows_lines(self, path: Path, first: int, last: int) -> bool:
        """Whether these lines were read, by these numbers, since the file last changed, also by the model itself."""
        if self._by_person:
            return True
        gaps = self._unnumbered.get(path)
        return gaps is not None and all(last < begin or first > end for begin, end in gaps)

    def copy(self) -> Ledger:
        """What has been seen so far, for one that goes on from here; what either sees next is its own."""
        ledger = Ledger(self._by_person)
        ledger._seen, ledger._unread = dict(self._seen), dict(self._unread)
        ledger._unnumbered = dict(self._unnumbered)
        return ledger

    def move(self, path: Path, new: Path) -> None:
        """A file has another path now; what is known of it is known there, and of what was there before nothing."""
        self._touched |= {path, new}
        for place, cell in list(self._seen):
            if place == new:
                del self._seen[place, cell]
        for place, cell in list(self._seen):
            if place == path:
                self._seen[new, cell] = self._seen.pop((place, cell))
        for lines in (self._unread, self._unnumbered):
            lines.pop(new, None)
            if path in lines:
                lines[new] = lines.pop(path)

    def forget(self, path: Path, cell: str = "") -> None:
        """Nothing is known of this any more."""
        self._touched.add(path)
        self._seen.pop((path, cell), None)
        if not cell:
            self._unread.pop(path, None)
            self._unnumbered.pop(path, None)

    def news(self) -> list[JsonObject]:
        """What is known of the files of which something was learned since the last time, as data."""
        if not self._touched:
            return []
        touched, self._touched = self._touched, set()
        return self._told(touched)

    def all(self) -> list[JsonObject]:
        """What is known of all files, as data."""
        return self._told({path for path, _ in self._seen})

    def learn(self, files: Iterable[JsonObject]) -> None:
        """Takes over what another ledger has told of these files."""
        for file in files:
            path = Path(file["path"])
            self.forget(path)
            for _, cell in [place for place in self._seen if place[0] == path]:
                self.forget(path, cell)
            self._seen |= {(path, cell): version for cell, version in file["versions"].items()}
            for name, lines in (("unread", self._unread), ("unnumbered", self._unnumbered)):
                if file[name] is not None:
                    lines[path] = [(first, last) for first, last in file[name]]

    def _told(self, paths: set[Path]) -> list[JsonObject]:
        versions: dict[Path, dict[str, str]] = {path: {} for path in sorted(paths)}
        for (path, cell), version in self._seen.items():
            if path in versions:
                versions[path][cell] = version
        return [
            {
                "path": str(path),
                "versions": known,
                "unread": self._unread.get(path),
                "unnumbered": self._unnumbered.get(path),
            }
            for path, known in versions.items()
        ]


def _without(gaps: Lines, first: int, last: int) -> Lines:
    left = [part for begin, end in gaps for part in ((begin, min(end, first - 1)), (max(begin, last + 1), end))]
    return [(begin, end) for begin, end in left if begin <= end]
