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
from pathlib import Path

from msgspec import Struct

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
PLAIN_PATH = b',"data":{"path":{"text":"'
ARGUMENTS = 60_000
"""Bytes of file names that one run is given; systems bound them."""

_FIXED = ("--crlf", "--engine=auto")


class Search(Struct, frozen=True):
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
    files, rest = gathered.in_order()
    for number, file in enumerate(files, 1):
        findings.take_files(file)
        if findings.is_full:
            findings.take_files(b"".join(files[number:]))
            break
    findings.take_block(rest)
    _check(search.pattern, ended, findings.finished)
    return findings, ended


def counted_lines(search: Search) -> tuple[Counts, Ended]:
    """How many lines match in each file.

    Raises:
        ToolError: `invalid_pattern`.
    """
    counts, ended = _counted(search, "--stats")
    _check(search.pattern, ended, counts.finished)
    return counts, ended


def _counted(search: Search, with_searched: str) -> tuple[Counts, Ended]:
    """The counts, with an option that makes ripgrep tell in how many files it looked.

    `--stats` is cheaper where few lines match, since then next to nothing is printed, and `--include-zero` where many
    do: it names each file, but does not count how often a line matches.
    """
    blocks: list[bytes] = []
    ended = _run(search, ["--count", "--null", "--with-filename", with_searched], [search.target], blocks.append)
    return Counts.of(b"\n".join([*blocks, b""])), ended


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


class Counts(Struct, frozen=True):
    """Files, and how many lines match in them.

    Paths are put in the order of their parts with a zero byte for each slash: no name holds it, and none comes before
    it.
    """

    lines: dict[bytes, int]
    """By the file's path with a zero byte for each slash."""
    searched: int
    """Files that were looked into; binary ones count only where statistics tell of them."""
    finished: bool
    """Whether the search came to its end, as far as what it printed tells."""

    @classmethod
    def of(cls, printed: bytes) -> Counts:
        """What ripgrep printed: for each file its name, a zero byte and its count; at the end, if asked, statistics.

        All of it is taken apart at once, since there may be a hundred thousand lines.
        """
        swapped = printed.translate(_SWAPPED)
        counts = _COUNT.findall(swapped)
        lines = {name.removeprefix(b".\0"): int(count) for name, count in counts if count != b"0"}
        told = _SEARCHED.search(swapped, swapped.rfind(b"/") + 1)  # after the last name, which may read like this
        return cls(lines, int(told[1]) if told else len(counts), told is not None)

    @property
    def total(self) -> int:
        """Matching lines in all."""
        return sum(self.lines.values())

    def first(self, most: int) -> list[tuple[bytes, int]]:
        """So many of the files, the first by path."""
        return [(name.replace(b"\0", b"/"), count) for name, count in heapq.nsmallest(most, self.lines.items())]


_SWAPPED = bytes.maketrans(b"/\0", b"\0/")
_COUNT = re.compile(rb"([^/]*)/(\d+)\r?\n")
_SEARCHED = re.compile(rb"^(\d+) files searched$", re.MULTILINE)


class _Gathered:
    """The records of a run, kept until all have come."""

    def __init__(self) -> None:
        self._blocks: list[bytes] = []
        self._records = 0
        self._bytes = 0

    def take(self, block: bytes) -> None:
        """Some records; those of one file come together."""
        self._records += block.count(b"\n") + 1
        self._bytes += len(block)
        if self._records > MOST_RECORDS or self._bytes > MOST_BYTES:
            raise FloodError
        self._blocks.append(block)

    def in_order(self) -> tuple[list[bytes], bytes]:
        """The records of each file, the files by path; and the rest."""
        first, *files = b"\n".join([*self._blocks, b""]).split(BEGIN)
        if not files:
            return [], first
        last, end, rest = files.pop().rpartition(END)
        if end:
            end_data, _, rest = rest.partition(b"\n")
            files.append(last + end + end_data + b"\n")
        else:  # the run was stopped within a file
            rest = BEGIN + rest
        return [BEGIN + file for file in sorted(files, key=_place)], rest


def _place(file: bytes) -> bytes:
    """Where a file stands in the order, from its records without the beginning of the first."""
    end = file.index(b"\n")
    path = file[len(PLAIN_PATH) : end - len(b'"}}}')]
    if not file.startswith(PLAIN_PATH) or b"\\" in path:
        told = json.loads(BEGIN + file[:end])["data"]["path"]
        path = told["text"].encode() if "text" in told else base64.b64decode(told["bytes"])
    return path.replace(b"/", b"\0")


def _findings(search: Search, limit: int) -> Findings:
    shown = search.env.shown(search.place)
    where = (shown, "") if search.place.is_dir() else (".", shown)
    return Findings(limit, *where, lambda name: encoding_at(search.env.path(name)))


def _first_of_many(search: Search, findings: Findings, limit: int) -> tuple[Findings, Ended]:
    counts, ended = _counted(search, "--include-zero")
    for names in _first_files(counts, limit, search):
        _run(search, ["--json", "--binary", "--threads=1", f"--max-count={limit + 1}"], names, findings.take_block)
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
