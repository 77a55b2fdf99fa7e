"""What a search has found, gathered as it comes and bounded.

ripgrep sends one JSON record for each line, file and run. Lines are kept up to a number and a size, the rest is
counted, so that a pattern which fits everything costs no memory. Lines of a file that turns out to be binary are
taken back and the file is named, since its text would be noise, yet hiding that it matches would be wrong.
"""

from __future__ import annotations

import base64
import functools
import json
import os
import re
from collections.abc import Callable

from msgspec import Struct

from cellwright.messages import JsonObject

MAX_LINE = 300
"""Characters of one line that are kept."""
MAX_CHARS = 40_000
"""Characters of lines that are kept in all."""
MAX_LINES = 20
"""Lines of one match that are kept."""
BINARY_NAMED = 5
BEGIN, END, MATCH, CONTEXT = (b'{"type":"%s"' % kind for kind in (b"begin", b"end", b"match", b"context"))
"""How ripgrep's records begin: most need not be read as JSON to know what they say."""
LINES = (MATCH, CONTEXT)
TEXT_FILE = b'"binary_offset":null'
"""Stands in the end of a file that is not binary; not in its path, where the quotes would be escaped."""
_PICTURE = re.compile(r'\s*"(?:image/(?:png|jpeg|gif|webp)|application/pdf)": ')


class Hit(Struct, frozen=True):
    """One line of the answer."""

    path: str
    """Seen from the working folder."""
    line: int
    text: str
    matches: bool
    """False for a line that is only shown around a match."""


class Findings:
    """The lines found by one run, `take` being given each of its records.

    `file` names the one file that is searched, where ripgrep knows no name. `encoding_of` tells the encoding of a file
    that is not UTF-8; it is asked once for each.
    """

    def __init__(
        self, limit: int, folder: str, file: str = "", encoding_of: Callable[[str], str] = lambda name: "latin-1"
    ) -> None:
        self.hits: list[Hit] = []
        self.total = 0
        """Matching lines in all."""
        self.files = 0
        """Files with a match."""
        self.searched = 0
        """Files that were looked into, known at the end; without binary ones where all lines were only counted."""
        self.finished = False
        """Whether the run came to its end."""
        self._limit = limit
        self._file = file
        self._prefix = "" if folder == "." else f"{folder}/"
        self._binary: list[str] = []
        self._encoded = 0
        self._kept = 0
        self._room = MAX_CHARS
        self._full = False
        self._before_file = (0, 0, 0, MAX_CHARS, False)
        self._encoding_of = functools.cache(encoding_of)

    @property
    def is_full(self) -> bool:
        """Whether no more lines are kept."""
        return self._full

    @property
    def left_out(self) -> int:
        """Matching lines that are counted but not kept."""
        return self.total - self._kept

    @property
    def notes(self) -> list[str]:
        """A line each on the binary files and the pictures in notebooks that match, if there are some."""
        notes = []
        if self._encoded:
            notes.append(f"matches in pictures of notebooks are not shown: {self._encoded:,}")
        if not self._binary:
            return notes
        more = ", ..." if len(self._binary) > BINARY_NAMED else ""
        names = ", ".join(self._binary[:BINARY_NAMED])
        return [*notes, f"binary files that match are not shown: {len(self._binary):,} ({names}{more})"]

    def count(self, total: int, files: int, searched: int) -> None:
        """Says how much there is, where that was counted in a run of its own."""
        self.total, self.files, self.searched, self.finished = total, files, searched, True

    def take_files(self, block: bytes) -> None:
        """All records of one or more files; once no more lines are kept, those of text files are only counted."""
        if self._full and 0 < (files := block.count(END)) == block.count(TEXT_FILE):
            self.files += files
            self.total += block.count(MATCH)  # in a text that JSON holds the quotes would be escaped
            return
        self.take_block(block)

    def take_block(self, block: bytes) -> None:
        """Records as they come, with line ends between them."""
        for record in block.splitlines():
            self.take(record)

    def take(self, record: bytes) -> None:
        """One record of ripgrep's JSON output."""
        if record.startswith(BEGIN):
            self._before_file = (len(self.hits), self.total, self._kept, self._room, self._full)
        elif record.startswith(END) and TEXT_FILE in record:
            self.files += 1
        elif self._full and record.startswith(LINES):  # only counted: reading them all takes longer than the search
            self.total += record.startswith(MATCH)
        else:
            self._read(record)

    def _read(self, record: bytes) -> None:
        match json.loads(record or b"null"):
            case {"type": "match" | "context" as kind, "data": data}:
                self._line(kind == "match", data)
            case {"type": "end", "data": {"path": path}}:
                kept_hits, self.total, self._kept, self._room, self._full = self._before_file
                del self.hits[kept_hits:]
                self._binary.append(self._name(path))
            case {"type": "summary", "data": {"stats": {"searches": searched}}}:
                self.searched, self.finished = searched, True

    def _line(self, matches: bool, data: JsonObject) -> None:
        if matches and _PICTURE.match(data["lines"].get("text", "")) and _bytes(data["path"]).endswith(b".ipynb"):
            self._encoded += 1  # a word is found in the base64 of any picture that is large enough
            return
        self.total += matches
        if self._room < 0 or (self._kept >= self._limit and (matches or self._full)):
            self._full = True  # a line was left out, so context that comes now is not that of the last kept one
            return
        start = data["submatches"][0]["start"] if data["submatches"] else 0
        name, line = self._name(data["path"]), _bytes(data["lines"])
        encoding = "utf-8" if "text" in data["lines"] else self._encoding_of(name)
        hit = Hit(name, data["line_number"], _cut(line, start, encoding), matches)
        self._room -= len(hit.path) + len(hit.text) + 10
        self.hits.append(hit)
        self._kept += matches

    def _name(self, path: JsonObject) -> str:
        return self._file or self._prefix + os.fsdecode(_bytes(path)).replace(os.sep, "/").removeprefix("./")


def _bytes(text: JsonObject) -> bytes:
    """The bytes behind ripgrep's text, which it sends in base64 where they are not UTF-8."""
    return text["text"].encode() if "text" in text else base64.b64decode(text["bytes"])


def _cut(found: bytes, start: int, encoding: str) -> str:
    """A match's line, or its lines, without the last end; long ones are cut, the first around the match at `start`."""
    lines = found.rstrip(b"\r\n").split(b"\n")
    texts = [_cut_line(line, 0 if number else start, encoding) for number, line in enumerate(lines[:MAX_LINES])]
    if len(lines) > MAX_LINES:
        texts.append(f"... (cut: the match has {len(lines):,} lines)")
    return "\n".join(texts)


def _cut_line(line: bytes, start: int, encoding: str) -> str:
    line = line.rstrip(b"\r")
    text, before = line.decode(encoding, "replace"), len(line[:start].decode(encoding, "replace"))
    if len(text) <= MAX_LINE:
        return text
    first = max(0, min(before - MAX_LINE // 3, len(text) - MAX_LINE))
    head = "..." if first else ""
    return f"{head}{text[first : first + MAX_LINE]}... (cut: the line has {len(text):,} characters)"
