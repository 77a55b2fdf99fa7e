"""Where the cells of a notebook begin and end in its bytes.

A large notebook is read in whole to change one cell of it, so finding the cells must cost little more than reading.
Where each cell closes on a line of its own, as Jupyter writes them, it is enough to look for these lines. Elsewhere
msgspec gives the bytes of each cell without making anything of them, but not their places; the cells stand in a row,
though, so each place follows from the one before. The rest of the file, in which an empty list then stands for the
cells, is scanned as any JSON.

The rule that must never break: these are the places that a slow and careful reading finds, provided that at each of
them is an object, or there is no answer. Pieces that are each an object, with a comma between, are the cells of a list
if the rest has its list of cells at just that place.
"""

import re
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from cellwright.notebook.json_span import after_blank, scan_object

Place = tuple[int, int]
"""Where something begins, and where it ends."""


class CellSpans(Struct, frozen=True):
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
    """The cells of a notebook whose JSON begins at `start`; None where that can't be said for certain.

    Whether there is an object at each place is for the caller to see, who reads them.
    """
    opening = _OPENING.search(data, start)
    if opening is None:
        return None
    found = _closed_places(data, opening.end()) or _places(data, opening.end(), start)
    if found is None:
        return None
    end, cells = found
    fields = _fields(data[start : opening.end()], data[end:])
    return None if fields is None else CellSpans(opening.end(), end, cells, fields)


MOST_BRACES = 10_000
"""Closing braces that are looked at; where there are more, as in plots, msgspec is faster."""


def _closed_places(data: bytes, opened: int) -> tuple[int, tuple[Place, ...]] | None:
    """The end of the list and the places of the cells, if each begins and ends with a brace in the same column."""
    brace = begin = _after_blank(data, opened)
    margin = data[opened:begin]
    if b"\n" not in margin or data[begin : begin + 1] != b"{":
        return None
    closing, parting, places = margin + b"}", margin + b"}," + margin + b"{", []
    for _ in range(MOST_BRACES):
        brace = data.find(b"}", brace + 1)
        if brace < 0:
            return None
        line = brace - len(margin)
        if data.startswith(parting, line):
            places.append((begin, brace + 1))
            brace = begin = line + len(parting) - 1
        elif data.startswith(closing, line):
            end = _after_blank(data, brace + 1)
            return (end, (*places, (begin, brace + 1))) if data[end : end + 1] == b"]" else None
    return None


class _Notebook(msgspec.Struct):
    """What is taken from the file at first."""

    cells: list[msgspec.Raw]


_NOTEBOOK = msgspec.json.Decoder(_Notebook)


def _raw_cells(data: memoryview) -> Sequence[memoryview] | None:
    try:
        return [memoryview(raw) for raw in _NOTEBOOK.decode(data).cells]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _places(data: bytes, opened: int, start: int) -> tuple[int, tuple[Place, ...]] | None:
    """The same for any other layout, if the cells stand there one after another."""
    raws = _raw_cells(memoryview(data)[start:])
    if raws is None:
        return None
    places = []
    at = _after_blank(data, opened)
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
