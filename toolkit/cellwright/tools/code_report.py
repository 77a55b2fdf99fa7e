"""What `code_index` answers: definitions by file, as text for the model and as a table for the person.

The text is made of few characters, since it is read at the price of tokens: a file is named once, a kind is left out
where the signature begins with it, nesting is seen by the indent. What is left out or could not be read is counted.
"""

from __future__ import annotations

import difflib
from itertools import groupby

from msgspec import Struct

from cellwright.messages import JsonObject, clean_text
from cellwright.outline.parsing import Outline
from cellwright.outline.symbol import Symbol
from cellwright.text.quantity import quantity
from cellwright.tools.code_files import CodeFiles
from cellwright.tools.location import line_name
from cellwright.views.table import Table, table_view

NAMED = 5
"""Broken or unread files that are named; the others are counted."""


class Found(Struct, frozen=True):
    """A symbol of a file."""

    symbol: Symbol
    cell: str
    """The id of its cell; empty where the file is no notebook."""
    wanted: bool
    """Whether it is asked for."""


class FileSymbols(Struct, frozen=True):
    """What one file defines."""

    path: str
    found: tuple[Found, ...]
    outlines: tuple[Outline, ...]
    """Of its texts: one, or one for each code cell."""


class CodeReport:
    """The answer, filled file by file."""

    def __init__(self, place: str, symbol: str, kind: str, limit: int, files: CodeFiles) -> None:
        self.notes = list(files.notes)
        self.unread_files = 0
        """Files that were not reached."""
        self.out_of_time = False
        self.total = 0
        """Definitions that are wanted, listed or not."""
        self._place = place
        self._there_are = files.total
        self._symbol = symbol
        self._kind = kind
        self._limit = limit
        self._files: list[FileSymbols] = []
        self._listed: list[tuple[str, Found]] = []
        self._near: set[str] = set()

    @property
    def is_full(self) -> bool:
        """Whether no more definitions are listed."""
        return len(self._listed) >= self._limit

    def add(self, file: FileSymbols) -> None:
        """The next file."""
        wanted = [found for found in file.found if found.wanted]
        self._files.append(file)
        self.total += len(wanted)
        self._listed += [(file.path, found) for found in wanted[: self._limit - len(self._listed)]]
        if self._symbol and not wanted:
            self._near.update(found.symbol.name for found in file.found)
        for outline in file.outlines:
            if outline.problem:
                self.notes.append(f"not read: {_where(file.path, outline)} ({outline.problem})")

    def value(self) -> JsonObject:
        """The answer as data."""
        return {
            "symbols": [_symbol(path, found) for path, found in self._listed],
            "total": self.total,
            "files_searched": self._there_are - self.unread_files,
            "files_not_reached": self.unread_files,
            "broken": self._broken(),
            "notes": self.notes,
        }

    def content(self) -> str:
        """The answer for the model."""
        lines = [] if self._listed else [self._nothing()]
        for path, group in groupby(self._listed, key=lambda one: one[0]):
            lines.append(f"{line_name(path)}:")
            cell = ""
            for _, found in group:
                if found.cell != cell:
                    cell = found.cell
                    lines.append(f" cell {cell}")
                lines.append(_line(found, outline=not self._symbol))
        return clean_text("\n".join([*lines, *self._told()]))

    def view(self) -> Table:
        """The answer for the person."""
        rows = [
            (f"{path} {found.cell}".rstrip(), _lines(found.symbol), found.symbol.kind, _indented(found.symbol))
            for path, found in self._listed
        ]
        return table_view(["file", "lines", "kind", "definition"], rows, self.total)

    def _nothing(self) -> str:
        if not self._there_are:
            return f"no source code in {self._place}"
        what = f"no {self._kind or 'definition'}" + (f" of {self._symbol!r}" if self._symbol else "")
        near = difflib.get_close_matches(self._symbol, self._near, n=3) if self._symbol else []
        hint = f"; there are: {', '.join(near)}" if near else ""
        files = quantity(self._there_are, "source file")
        return f"{what}: {files} searched in {self._place}{hint}"

    def _told(self) -> list[str]:
        lines = []
        if self.total > len(self._listed):
            lines.append(f"{self.total - len(self._listed):,} more definitions; narrow path or kind, or raise limit")
        if self.unread_files:
            why = "the time was up" if self.out_of_time else "the list is full; narrow path or raise limit"
            lines.append(f"files not read: {self.unread_files:,}, {why}")
        broken = self._broken()
        if broken:
            more = f" and {len(broken) - NAMED:,} more" if len(broken) > NAMED else ""
            lines.append(f"note: broken code, so there may be more definitions: {', '.join(broken[:NAMED])}{more}")
        notes = self.notes[:NAMED] + [f"{len(self.notes) - NAMED:,} more notes"] * (len(self.notes) > NAMED)
        return [*lines, *(f"note: {note}" for note in notes)]

    def _broken(self) -> list[str]:
        return [_where(file.path, outline) for file in self._files for outline in file.outlines if outline.broken]


def _where(path: str, outline: Outline) -> str:
    return path if outline.source.name == path else f"{path} cell {outline.source.name}"


def _symbol(path: str, found: Found) -> JsonObject:
    symbol = found.symbol
    cell = {"cell": found.cell} if found.cell else {}
    return {
        "path": path,
        **cell,
        "kind": symbol.kind,
        "name": symbol.name,
        "container": symbol.container,
        "signature": symbol.signature,
        "first_line": symbol.first_line,
        "line": symbol.line,
        "last_line": symbol.last_line,
    }


def _line(found: Found, outline: bool) -> str:
    symbol = found.symbol
    says_kind = symbol.signature.lower().startswith(symbol.kind)
    what = symbol.signature if says_kind else f"{symbol.kind} {symbol.signature}"
    place = f" (in {symbol.container})" if symbol.container and not outline else ""
    indent = "  " * symbol.depth if outline else ""
    return f"  {_lines(symbol)} {indent}{what}{place}"


def _lines(symbol: Symbol) -> str:
    same = symbol.first_line == symbol.last_line
    return str(symbol.first_line) if same else f"{symbol.first_line}-{symbol.last_line}"


def _indented(symbol: Symbol) -> str:
    return "  " * symbol.depth + symbol.signature
