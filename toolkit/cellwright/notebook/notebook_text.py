"""A notebook file taken apart into pieces of text that give the file back when joined.

The pieces are the head (up to the bracket that opens the cells), the cells, the gaps around them, and the tail. An
edit exchanges one piece, so all other bytes stay by construction and nothing else is read again.

The rule that must never break: bad files end in an error that names the file and the reason, never in a KeyError.
"""

import codecs
import json
import re
import shlex

from msgspec import Struct

from cellwright.errors import ToolError
from cellwright.notebook.cell import Cell
from cellwright.notebook.cell_span import find_cells
from cellwright.notebook.json_span import (
    ArraySpan,
    ObjectSpan,
    after_blank,
    read_value,
    scan_array,
    scan_object,
)


class NotebookText(Struct, frozen=True):
    """The pieces of one file."""

    bom: bytes
    head: str
    """All up to the bracket that opens the cells, that bracket included."""
    gaps: tuple[str, ...]
    """What stands before, between (commas included) and after the cells: one more than cells, or one if none."""
    cells: tuple[Cell, ...]
    tail: str
    """All from the bracket that closes the cells."""
    fields: dict[str, object]
    """The members of the notebook other than its cells, as parsed."""


def take_apart(data: bytes, path: str) -> NotebookText:
    """The pieces of the notebook `data`; a ToolError says why it isn't a notebook that can be edited."""
    bom = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    return _found_quickly(data, bom, path) or _found_slowly(data, bom, path)


def _found_quickly(data: bytes, bom: bytes, path: str) -> NotebookText | None:
    """The pieces of an ordinary notebook; None for one that is read slowly, which also says what is wrong with it."""
    spans = find_cells(data, len(bom))
    if spans is None:
        return None
    view, ends = memoryview(data), [spans.start, *(end for _, end in spans.cells)]
    starts = [*(start for start, _ in spans.cells), spans.end]
    try:
        cells = tuple(Cell.of(index, view[start:end]) for index, (start, end) in enumerate(spans.cells))
    except (ValueError, RecursionError):  # a cell that is no object, or that `json` does not take
        return None
    _require_version(spans.fields, path)
    gaps = tuple(_text(view[end:start]) for end, start in zip(ends, starts, strict=True))
    return NotebookText(bom, _text(view[len(bom) : spans.start]), gaps, cells, _text(view[spans.end :]), spans.fields)


def _found_slowly(data: bytes, bom: bytes, path: str) -> NotebookText:
    text = _decode(data, bom, path)
    span = _scan(text, path)
    members = {key: member.value for key, member in span.effective().items()}
    _require_version(members, path)
    cells = members.pop("cells", None)
    if not isinstance(cells, ArraySpan):
        raise _not_a_notebook(path, "it has no list of cells")
    for index, item in enumerate(cells.items):
        if not item.value:
            raise _not_a_notebook(path, f"cell {index} is {text[item.start : item.end][:40]}, not an object")
    raws = [encode(b"", [text[item.start : item.end]]) for item in cells.items]
    return NotebookText(
        bom=bom,
        head=text[: cells.start + 1],
        gaps=_gaps(text, cells),
        cells=tuple(Cell.of(index, raw) for index, raw in enumerate(raws)),
        tail=text[cells.end - 1 :],
        fields=members,
    )


def _text(raw: memoryview) -> str:
    return str(raw, "utf-8", "surrogateescape")


def encode(bom: bytes, pieces: list[str]) -> bytes:
    """The bytes of these pieces in a row: the inverse of taking apart."""
    return bom + "".join(pieces).encode("utf-8", "surrogateescape")


def _decode(data: bytes, bom: bytes, path: str) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise _not_a_notebook(path, "it is stored as UTF-16, and notebooks are UTF-8: convert it first")
    text = data.removeprefix(bom).decode("utf-8", "surrogateescape")
    if not text.strip():
        raise _not_a_notebook(path, "the file is empty (perhaps a save was interrupted)")
    return text


def _scan(text: str, path: str) -> ObjectSpan:
    start = after_blank(text, 0)
    try:
        if text[start] != "{":
            read_value("", text, start)
            raise _not_a_notebook(path, "its JSON is not an object")
        span = scan_object(text, start, _read_top_member)
        end = after_blank(text, span.end)
        if end != len(text):
            raise json.JSONDecodeError("Extra data", text, end)
    except json.JSONDecodeError as error:
        raise _not_json(path, text, error) from error
    except RecursionError as error:
        raise _not_a_notebook(path, "its JSON is nested too deeply to be read") from error
    except ValueError as error:
        raise _not_a_notebook(path, f"its JSON can't be read: {error}") from error
    return span


def _read_top_member(key: str, text: str, at: int) -> tuple[object, int]:
    if key == "cells" and text[at : at + 1] == "[":
        cells = scan_array(text, at, _is_object)
        return cells, cells.end
    return read_value(key, text, at)


def _is_object(key: str, text: str, at: int) -> tuple[bool, int]:
    """Whether the value there is an object. All values of a large notebook at once would take much memory."""
    value, end = read_value(key, text, at)
    return isinstance(value, dict), end


def _gaps(text: str, cells: ArraySpan) -> tuple[str, ...]:
    ends = [cells.start + 1, *(item.end for item in cells.items)]
    starts = [*(item.start for item in cells.items), cells.end - 1]
    return tuple(text[end:start] for end, start in zip(ends, starts, strict=True))


def _require_version(members: dict[str, object], path: str) -> None:
    major, minor = members.get("nbformat"), members.get("nbformat_minor", 0)
    if type(major) is not int or type(minor) is not int:
        found = "" if major is None else f" (found nbformat {major!r}, nbformat_minor {minor!r})"
        raise _not_a_notebook(path, f"it has no nbformat version{found}")
    if major < 4:
        raise ToolError(
            "unsupported",
            f"{path} is in notebook format {major}, which can be read but not edited or run. {upgrade_advice(path)}",
        )
    if major > 4:
        raise ToolError("unsupported", f"{path} is in notebook format {major}, newer than the known format 4.")


def upgrade_advice(path: str) -> str:
    """How a person gets a notebook of an old format into one that can be edited."""
    return (
        "Upgrade it first: open it in Jupyter and save it, or run "
        f"jupyter nbconvert --to notebook --nbformat 4 --inplace {shlex.quote(path)}"
    )


_CONFLICT = re.compile(r"^(?:<{7}|>{7}|={7})(?: .*)?\r?$", re.MULTILINE)


def _not_json(path: str, text: str, error: json.JSONDecodeError) -> ToolError:
    place = f"line {error.lineno} column {error.colno}"
    conflict = _CONFLICT.search(text)
    if conflict:
        line = text.count("\n", 0, conflict.start()) + 1
        return _not_a_notebook(
            path, f"it holds merge-conflict markers (line {line}: {conflict.group().strip()}): resolve the merge first"
        )
    begins = f"; it begins with {text[:40]!r}" if error.pos == after_blank(text, 0) else ""
    return _not_a_notebook(path, f"it is not JSON: {error.msg} at {place}{begins}")


def _not_a_notebook(path: str, reason: str) -> ToolError:
    return ToolError("not_a_notebook", f"{path} can't be used as a notebook: {reason}.")
