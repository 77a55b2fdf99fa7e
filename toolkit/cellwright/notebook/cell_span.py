"""Where the cells of a notebook begin and end in its bytes.

A large notebook is read in whole to change one cell of it, so finding the cells must cost little more than reading.
msgspec gives the bytes of each cell without making anything of them, but not their places; the cells stand in a row,
though, so each place follows from the one before, and the rest of the file, in which an empty list then stands for the
cells, is scanned as any JSON.

The rule that must never break: these are the places that a slow and careful reading finds, or there is no answer. An
answer is only given if the cells are there byte for byte, with a comma between, and the rest has its list of cells
at just that place.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from cellwright.notebook.json_span import after_blank, scan_object

Place = tuple[int, int]
"""Where something begins, and where it ends."""


@dataclass(frozen=True, slots=True)
class CellSpans:
    """The cells of a file, and all else that it says."""

    start: int
    """After the bracket that opens the list of cells."""
    end: int
    """Before the bracket that closes it."""
    cells: tuple[Place, ...]
    fields: dict[str, object]
    """The members of the notebook other than its cells."""


_OPENING = re.compile(rb'"cells"[ \t\r\n]*:[ \t\r\n]*\[')
_BLANK = re.compile(rb"[ \t\r\n]*")


def find_cells(data: bytes, start: int) -> CellSpans | None:
    """The cells of a notebook whose JSON begins at `start`; None where that can't be said for certain."""
    opening = _OPENING.search(data, start)
    raws = _raw_cells(memoryview(data)[start:])
    if opening is None or raws is None:
        return None
    found = _places(data, opening.end(), raws)
    if found is None:
        return None
    end, cells = found
    fields = _fields(data[start : opening.end()], data[end:])
    return None if fields is None else CellSpans(opening.end(), end, cells, fields)


class _Notebook(msgspec.Struct):
    """What is taken from the file at first."""

    cells: list[msgspec.Raw]


_NOTEBOOK = msgspec.json.Decoder(_Notebook)


def _raw_cells(data: memoryview) -> Sequence[memoryview] | None:
    try:
        return [memoryview(raw) for raw in _NOTEBOOK.decode(data).cells]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _places(data: bytes, at: int, raws: Sequence[memoryview]) -> tuple[int, tuple[Place, ...]] | None:
    """The end of the list and the places of these cells in it, if they stand there one after another."""
    places = []
    at = _after_blank(data, at)
    for number, raw in enumerate(raws, 1):
        end = at + len(raw)
        comma = _after_blank(data, end)
        if not data.startswith(raw, at) or data[comma : comma + 1] != (b"," if number < len(raws) else b"]"):
            return None
        places.append((at, end))
        at = _after_blank(data, comma + 1) if number < len(raws) else comma
    return (at, tuple(places)) if data[at : at + 1] == b"]" else None


def _after_blank(data: bytes, at: int) -> int:
    found = _BLANK.match(data, at)
    return found.end() if found else at


def _fields(head: bytes, tail: bytes) -> dict[str, object] | None:
    """The members around the cells, if the list between head and tail is the one that counts."""
    before = head.decode("utf-8", "surrogateescape")
    frame = before + tail.decode("utf-8", "surrogateescape")
    try:
        span = scan_object(frame, after_blank(frame, 0))
    except (ValueError, RecursionError):  # JSONDecodeError is a ValueError
        return None
    members = span.effective()
    is_there = "cells" in members and members["cells"].start == len(before) - 1 and members["cells"].value == []
    if not is_there or after_blank(frame, span.end) != len(frame):
        return None
    return {key: member.value for key, member in members.items() if key != "cells"}
