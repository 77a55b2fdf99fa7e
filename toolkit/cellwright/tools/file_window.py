"""A window on a text file: some of its lines, and facts on the whole.

Lines end at `\\n` alone, as editors and patch tools count them. Up to `WHOLE` bytes a file is read at once; a larger
one is streamed, so that looking at ten lines of a gigabyte takes no gigabyte of memory. Either way all bytes are
seen once, since the line total and the version of the content need them.
"""

from __future__ import annotations

import codecs
import hashlib
import os
from dataclasses import dataclass
from functools import partial
from io import FileIO
from pathlib import Path

from cellwright.errors import ToolError
from cellwright.files import opened_file, read_text_file, whole
from cellwright.text_file import TextFile

WHOLE = 20_000_000
"""Bytes up to which a file is read at once."""
CHUNK = 1 << 20
LINE_BYTES = 10_000
"""Bytes of one line that are kept while streaming."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its newline; a carriage return before that stays."""

    text: str
    """Its text; of a very long line in a streamed file only the beginning."""
    length: int
    """Characters in all; in a streamed file bytes."""


@dataclass(frozen=True, slots=True)
class Window:
    """Some lines of a file."""

    lines: tuple[Line, ...]
    first: int
    """The number of the first line, from 1."""
    total: int
    """Lines in the whole file."""
    encoding: str
    crlf: int
    """Lines in the whole file that end with a carriage return and a newline."""
    final_newline: bool
    version: str
    """The version of the whole content."""


def read_window(path: Path, first: int, count: int) -> Window:
    """`count` lines of the regular text file at a real path, from line `first`.

    Raises:
        ToolError: what `read_text_file` raises.
    """
    with opened_file(path) as file:
        if os.fstat(file.fileno()).st_size > WHOLE:
            return _streamed(file, path, first, count, CHUNK)
        data = whole(file, path)
    return _whole(TextFile.of(path, data), first, count)


def whole_window(path: Path, first: int, count: int) -> Window:
    """The window, the whole file being read at once."""
    return _whole(read_text_file(path), first, count)


def streamed_window(path: Path, first: int, count: int, chunk_size: int = CHUNK) -> Window:
    """The window, the file being read in chunks; nothing but the wanted lines is kept."""
    with opened_file(path) as file:
        return _streamed(file, path, first, count, chunk_size)


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
        crlf=file.text.count("\r\n"),
        final_newline=final_newline,
        version=file.version,
    )


def _streamed(file: FileIO, path: Path, first: int, count: int, chunk_size: int) -> Window:
    scan = _Scan(first, count)
    for chunk in iter(partial(file.read, chunk_size), b""):
        if b"\0" in chunk:
            raise ToolError("binary", f"{path} is not text: it holds zero bytes. Use a program for its format.")
        scan.take(chunk)
    encoding = "utf-8" if all(_is_utf8(head) for head, _ in scan.kept) else "latin-1"
    total = scan.newlines + (scan.last != b"\n")
    return Window(
        lines=tuple(_line(head, length, encoding) for head, length in scan.kept),
        first=first,
        total=total,
        encoding=encoding,
        crlf=scan.crlf,
        final_newline=scan.last == b"\n",
        version=scan.digest.hexdigest()[:12],
    )


def _line(head: bytearray, length: int, encoding: str) -> Line:
    bare = head.removeprefix(codecs.BOM_UTF8)
    return Line(bare.decode(encoding, "ignore"), length - len(head) + len(bare))


class _Scan:
    """One pass over the bytes of a file: counts all, keeps the heads of the wanted lines."""

    def __init__(self, first: int, count: int) -> None:
        self.digest = hashlib.sha256()
        self.newlines = 0
        self.crlf = 0
        self.last = b""
        self.kept: list[tuple[bytearray, int]] = []
        """The beginning of each wanted line and its length in bytes."""
        self._wanted = range(first - 1, first - 1 + count)

    def take(self, chunk: bytes) -> None:
        """The next bytes of the file."""
        self.digest.update(chunk)
        found = chunk.count(b"\n")
        if self.newlines < self._wanted.stop and self.newlines + found >= self._wanted.start:
            self._keep(chunk)
        self.crlf += chunk.count(b"\r\n") + (self.last == b"\r" and chunk.startswith(b"\n"))
        self.newlines += found
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
