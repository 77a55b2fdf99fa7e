"""A window on a text file: some of its lines, and facts on the whole.

Lines end at `\\n` alone, as editors and patch tools count them. A small file is read at once; a larger one is streamed,
so that looking at ten lines of a gigabyte takes no gigabyte of memory. Either way all bytes are seen once, since the
line total and the version of the content need them; but for a file so large that it can't be edited anyway. Of such a
one the lines are counted once.
"""

from __future__ import annotations

import codecs
import hashlib
import os
from collections.abc import Callable
from functools import partial
from io import FileIO
from pathlib import Path

from msgspec import Struct

from cellwright.errors import ToolError
from cellwright.files.disk import MAX_FILE_BYTES, opened_file, whole
from cellwright.files.milestones import Milestone, Milestones
from cellwright.files.text_encoding import Encoding, is_mostly_utf8, old_encoding
from cellwright.files.text_file import TextFile

LINE_BYTES = 10_000
"""Bytes of one line that are kept while streaming."""


class Sizes(Struct, frozen=True):
    """How much of a file is read, and how, by its size in bytes."""

    at_once: int = 20_000_000
    """Up to which it is read at once; a larger one is streamed."""
    to_its_end: int = MAX_FILE_BYTES
    """Up to which it is read to its end; a larger one only until the wanted lines are there."""
    chunk: int = 1 << 18
    """That are read at a time while streaming; so many stay near the processor while they are gone through."""


NORMAL = Sizes()


class Line(Struct, frozen=True):
    """One line without its newline; a carriage return before that stays."""

    text: str
    """Its text; of a very long line in a streamed file only the beginning."""
    length: int
    """Characters in all; in a streamed file bytes."""


class Window(Struct, frozen=True):
    """Some lines of a file."""

    lines: tuple[Line, ...]
    first: int
    """The number of the first line, from 1."""
    total: int | None
    """Lines in the whole file; None if its end was not seen."""
    encoding: str
    is_guess: bool
    """Whether nothing proves the encoding."""
    crlf: int
    """Lines that end with a carriage return and a newline, in what was seen."""
    newlines: int
    """Lines that end with a newline, in what was seen."""
    final_newline: bool
    """Also true if the end was not seen."""
    version: str
    """The version of the whole content; empty for a file that is too large to be edited."""


def read_window(
    path: Path, first: int, count: int, sizes: Sizes = NORMAL, milestones: Milestones | None = None
) -> Window:
    """`count` lines of the regular text file at a real path, from line `first`.

    What is counted of a file that is not read to its end goes to the milestones, and is not counted again.

    Raises:
        ToolError: what `read_text_file` raises.
    """
    with opened_file(path) as file:
        found = os.fstat(file.fileno())
        if found.st_size > sizes.at_once and not _is_wide(file, path, found.st_size):
            stops = found.st_size > sizes.to_its_end
            known = milestones if stops and milestones else Milestones()
            scan = _Scan(first, count, stops, known.before(first - 1, found))
            return _streamed(file, path, scan, sizes.chunk, lambda counted: known.note(counted, found))
        data = whole(file, path)
    return _whole(TextFile.of(path, data), first, count)


def _is_wide(file: FileIO, path: Path, size: int) -> bool:
    """Whether a large file is in UTF-16 or UTF-32, in which a newline is no byte that can be counted."""
    head = file.read(len(codecs.BOM_UTF32_LE))
    file.seek(0)
    is_wide = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE))
    if is_wide and size > MAX_FILE_BYTES:
        raise ToolError(
            "too_large",
            f"{path} has {size:,} bytes of UTF-16 or UTF-32, of which lines can be shown up to {MAX_FILE_BYTES:,} "
            "bytes. Convert it to UTF-8 with a program such as iconv, then read that.",
        )
    return is_wide


def _whole(file: TextFile, first: int, count: int) -> Window:
    lines = file.text.split("\n")
    final_newline = lines[-1] == ""
    if final_newline:
        lines.pop()
    return Window(
        lines=tuple(Line(text, len(text)) for text in lines[first - 1 : first - 1 + count]),
        first=first,
        total=len(lines),
        encoding=file.encoding,
        is_guess=file.is_guess,
        crlf=file.text.count("\r\n"),
        newlines=len(lines) - (not final_newline),
        final_newline=final_newline,
        version=file.version,
    )


def _streamed(file: FileIO, path: Path, scan: _Scan, chunk_size: int, counted: Callable[[Milestone], None]) -> Window:
    file.seek(scan.place)
    for chunk in iter(partial(file.read, chunk_size), b""):
        if b"\0" in chunk:
            raise ToolError("binary", f"{path} is not text: it holds zero bytes. Use a program for its format.")
        scan.take(chunk)
        counted(scan.milestone)
        if scan.stops and scan.is_through:
            break
    ended = not file.read(1)
    encoding, errors = _encoding([head for head, _ in scan.kept])
    return Window(
        lines=tuple(_line(head, length, encoding.name, errors) for head, length in scan.kept),
        first=scan.first,
        total=scan.newlines + (scan.last != b"\n") if ended else None,
        encoding=encoding.name,
        is_guess=not encoding.is_sure,
        crlf=scan.crlf,
        newlines=scan.newlines,
        final_newline=scan.last == b"\n" or not ended,
        version="" if scan.stops else scan.digest.hexdigest()[:12],
    )


def _encoding(heads: list[bytearray]) -> tuple[Encoding, str]:
    """The encoding of the beginnings of lines, and what to do with bytes that are not in it."""
    if all(_is_utf8(head) for head in heads):
        return Encoding("utf-8", True), "ignore"
    text = b"\n".join(heads)
    return (Encoding("utf-8", True), "surrogateescape") if is_mostly_utf8(text) else (old_encoding(text), "replace")


def _line(head: bytearray, length: int, encoding: str, errors: str) -> Line:
    bare = head.removeprefix(codecs.BOM_UTF8)
    return Line(bare.decode(encoding, errors), length - len(head) + len(bare))


class _Scan:
    """One pass over the bytes of a file: counts all, keeps the heads of the wanted lines."""

    def __init__(self, first: int, count: int, stops: bool, start: Milestone) -> None:
        self.first = first
        self.place = start.place
        """How far it has come, in bytes from the beginning."""
        self.stops = stops
        """Whether it is over once the wanted lines have come."""
        self.digest = hashlib.sha256()
        self.newlines = start.newlines
        self.crlf = start.crlf
        self.last = start.last
        self.kept: list[tuple[bytearray, int]] = []
        """The beginning of each wanted line and its length in bytes."""
        self._wanted = range(first - 1, first - 1 + count)

    @property
    def milestone(self) -> Milestone:
        """What lies behind."""
        return Milestone(self.place, self.newlines, self.crlf, self.last)

    @property
    def is_through(self) -> bool:
        """Whether all wanted lines have come."""
        return self.newlines >= self._wanted.stop

    def take(self, chunk: bytes) -> None:
        """The next bytes of the file."""
        if not self.stops:  # of a file that is not read to its end there is no version
            self.digest.update(chunk)
        found = chunk.count(b"\n")
        if self.newlines < self._wanted.stop and self.newlines + found >= self._wanted.start:
            self._keep(chunk)
        if b"\r" in chunk:  # to look for one byte is far cheaper than for two
            self.crlf += chunk.count(b"\r\n")
        self.crlf += self.last == b"\r" and chunk.startswith(b"\n")
        self.newlines += found
        self.place += len(chunk)
        self.last = chunk[-1:]

    def _keep(self, chunk: bytes) -> None:
        for number, part in enumerate(chunk.split(b"\n"), self.newlines):
            if number not in self._wanted or (not part and number == self.newlines + chunk.count(b"\n")):
                continue  # the part after the last newline is a line only once it has bytes
            index = number - self._wanted.start
            if index == len(self.kept):
                self.kept.append((bytearray(), 0))
            head, length = self.kept[index]
            head += part[: LINE_BYTES - len(head)]
            self.kept[index] = head, length + len(part)


def _is_utf8(head: bytearray) -> bool:
    """Whether the bytes are UTF-8, a character cut off at the end aside."""
    try:
        head.decode()
    except UnicodeDecodeError as error:
        return error.end == len(head) >= LINE_BYTES - 3
    return True
