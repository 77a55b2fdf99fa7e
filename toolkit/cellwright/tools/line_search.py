"""One search of all files below a folder, or of one file, for the lines that match.

ripgrep is fastest when it walks and searches as it likes; in order of the paths it works on one core alone. So it is
let loose, and what it finds is put in order here. A pattern that fits nearly every line would be a flood: that is
seen early, the run is ended, and then the lines are only counted, file by file; the few that are wanted are read from
the first files. The rule that must never break: the same lines in the same order, however it went.
"""

from __future__ import annotations

import base64
import heapq
import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cellwright.env import Env
from cellwright.tools.file_encoding import encoding_at
from cellwright.tools.findings import BEGIN, END, Findings
from cellwright.tools.pattern import refused
from cellwright.tools.ripgrep import Ended, ripgrep

MOST_RECORDS = 50_000
"""Records of one run that are kept until they can be put in order; more take longer to keep than to count in a second
run."""
MOST_BYTES = 30_000_000
FILTER = "cellwright-glob"
"""Name of the ignore file that stands for a glob."""
PLAIN_PATH = BEGIN + b',"data":{"path":{"text":"'
ARGUMENTS = 60_000
"""Bytes of file names that one run is given; systems bound them."""

_FIXED = ("--crlf", "--engine=auto")


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for, and where."""

    pattern: str
    place: Path
    """The real path of a folder or a file."""
    options: tuple[str, ...]
    """For ripgrep."""
    env: Env

    def without_rules(self) -> Search:
        """The same, in files that `.gitignore` excludes, too."""
        return Search(self.pattern, self.place, (*self.options, "--no-ignore"), self.env)

    @property
    def target(self) -> str:
        """What ripgrep calls the place: it is started in a folder, or reads a file as its input."""
        return "." if self.place.is_dir() else "-"


class FloodError(Exception):
    """More was found than is kept."""


def found_lines(search: Search, limit: int) -> tuple[Findings, Ended]:
    """The first lines that match, by path and number, and how many there are.

    Raises:
        ToolError: `invalid_pattern`.
    """
    findings = _findings(search, limit)
    gathered = _Gathered()
    try:
        ended = _run(search, ["--json", "--binary"], [search.target], gathered.take)
    except FloodError:
        return _first_of_many(search, findings, limit)
    for records in gathered.in_order():
        findings.take_file(records)
    _check(search.pattern, ended, findings.finished)
    return findings, ended


def counted_lines(search: Search) -> tuple[Counts, Ended]:
    """How many lines match in each file.

    Raises:
        ToolError: `invalid_pattern`.
    """
    counts = Counts()
    ended = _run(search, ["--count", "--null", "--with-filename", "--stats"], [search.target], counts.take)
    _check(search.pattern, ended, counts.finished)
    return counts, ended


def _run(search: Search, more: list[str], targets: list[str], take: Callable[[bytes], None]) -> Ended:
    arguments = [*_FIXED, *search.options, *more, f"--regexp={search.pattern}", "--", *targets]
    return ripgrep(arguments, search.place, search.env, take, b"\n")


def counted_files(counts: Counts, search: Search, limit: int) -> list[tuple[str, int]]:
    """The first files by path, seen from the working folder, with how many lines match in each."""
    shown = search.env.shown(search.place)
    if not search.place.is_dir():
        return [(shown, count) for count in counts.lines.values()]
    prefix = "" if shown == "." else f"{shown}/"
    return [(prefix + os.fsdecode(name).replace(os.sep, "/"), count) for name, count in counts.first(limit)]


class Counts:
    """Files and how many lines match in them, `take` being given each line of ripgrep's output."""

    def __init__(self) -> None:
        self.lines: dict[bytes, int] = {}
        self.searched = 0
        """Files that were looked into; known at the end."""
        self.finished = False
        self._piece = b""

    @property
    def total(self) -> int:
        """Matching lines in all."""
        return sum(self.lines.values())

    def take(self, line: bytes) -> None:
        """One line: a file's name, a zero byte, its count, or a piece of a name with line ends, or a statistic."""
        name, zero, count = line.rpartition(b"\0")
        if zero:
            self.lines[(self._piece + name).removeprefix(b"./")] = int(count)
            self._piece = b""
            return
        self._piece += line + b"\n"
        if found := re.fullmatch(rb"(\d+) files searched", line):  # they come last, so in the end this is no name
            self.searched, self.finished = int(found[1]), True

    def first(self, most: int) -> list[tuple[bytes, int]]:
        """So many of the files, the first by path."""
        return heapq.nsmallest(most, self.lines.items(), key=lambda item: _by_parts(item[0]))


def _by_parts(path: bytes) -> bytes:
    """What puts paths in the order of their parts: no name holds a zero byte, and none comes before it."""
    return path.replace(b"/", b"\0")


class _Gathered:
    """Records by file, kept until all have come."""

    def __init__(self) -> None:
        self._files: list[tuple[bytes, list[bytes]]] = []
        """Each path as it is put in order, and its records."""
        self._rest: list[bytes] = []
        self._open = self._rest
        """Where the next record belongs."""
        self._records = 0
        self._bytes = 0

    def take(self, record: bytes) -> None:
        """One record; those of one file come together."""
        self._records += 1
        self._bytes += len(record)
        if self._records > MOST_RECORDS or self._bytes > MOST_BYTES:
            raise FloodError
        if record.startswith(BEGIN):
            self._open = []
            self._files.append((_by_parts(_path(record)), self._open))
        self._open.append(record)
        if record.startswith(END):
            self._open = self._rest

    def in_order(self) -> Iterator[list[bytes]]:
        """The records of each file, the files by path, then the rest."""
        yield from (records for _, records in sorted(self._files, key=lambda file: file[0]))
        yield self._rest


def _path(record: bytes) -> bytes:
    if record.startswith(PLAIN_PATH) and record.endswith(b'"}}}') and b"\\" not in record:
        return record[len(PLAIN_PATH) : -4]
    path = json.loads(record)["data"]["path"]
    return path["text"].encode() if "text" in path else base64.b64decode(path["bytes"])


def _findings(search: Search, limit: int) -> Findings:
    shown = search.env.shown(search.place)
    where = (shown, "") if search.place.is_dir() else (".", shown)
    return Findings(limit, *where, lambda name: encoding_at(search.env.path(name)))


def _first_of_many(search: Search, findings: Findings, limit: int) -> tuple[Findings, Ended]:
    counts, ended = counted_lines(search)
    for names in _first_files(counts, limit, search):
        _run(search, ["--json", "--binary", "--threads=1", f"--max-count={limit + 1}"], names, findings.take)
        if findings.is_full:
            break
    findings.count(counts.total, len(counts.lines), counts.searched)
    return findings, ended


def _first_files(counts: Counts, limit: int, search: Search) -> Iterator[list[str]]:
    """The first files by path that hold so many lines, in groups that fit on a command line."""
    if not search.place.is_dir():
        yield ["-"]
        return
    group: list[str] = []
    size = found = 0
    for name, count in counts.first(limit + 1):  # at least one line is in each
        group.append("./" + os.fsdecode(name))
        size += len(name)
        found += count
        if found > limit:
            break
        if size > ARGUMENTS:
            yield group
            group, size = [], 0
    if group:
        yield group


def _check(pattern: str, ended: Ended, finished: bool) -> None:
    if ended.complete and not finished:
        raise refused(pattern, "\n".join(ended.complaints))
    for complaint in ended.complaints:
        if f"{FILTER}: line" in complaint:
            raise refused(pattern, complaint)
