"""The outputs of a cell in a line each: enough to know what is lost or gained, however many megabytes they are.

The rule that must never break: it is bounded, and says how many outputs it does not name.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from msgspec import Struct

from cellwright.messages import JsonObject
from cellwright.notebook.cell import Cell
from cellwright.notebook.outputs import outputs_text, outputs_view, text_of
from cellwright.text.quantity import quantity
from cellwright.views.view import as_json

WHOLE = 300_000
"""Bytes of a cell up to which its outputs are read in full."""
NAMED = 5
"""Outputs that are named."""
DRAWN = 120_000
"""Characters of all outputs of one cell that are drawn: a plot or two."""
LINE = 100
"""Characters of one line."""
READ = 2_000
"""Characters of one text that are looked at."""


class OutputsBrief(Struct, frozen=True):
    """What is told and shown of a cell's outputs."""

    lines: tuple[str, ...] = ()
    """One for each output, and one for those that are too many to name."""
    views: tuple[JsonObject, ...] = ()
    """The first of them as views in their JSON form, as far as they are small enough."""


def outputs_brief(cell: Cell) -> OutputsBrief:
    """The outputs of the cell, read once."""
    is_whole = len(cell.raw) <= WHOLE
    outputs = cell.outputs if is_whole else cell.output_forms
    lines = [_brief(output) if is_whole else _form(output) for output in outputs[:NAMED]]
    left = len(outputs) - NAMED
    if left > 0:
        lines.append(quantity(left, "more output"))
    return OutputsBrief(tuple(lines), _views(outputs[:NAMED]) if is_whole else ())


def _views(outputs: Sequence[JsonObject]) -> tuple[JsonObject, ...]:
    views = (as_json(view) for view in outputs_view(outputs).views)
    kept: list[JsonObject] = []
    for view in views:
        if len(json.dumps([*kept, view])) > DRAWN:
            break
        kept.append(view)
    return tuple(kept)


def _brief(output: JsonObject) -> str:
    name = str(output.get("name") or "stdout") if output.get("output_type") == "stream" else ""
    said = outputs_text([_shortened(output)], READ)
    lines = [line.strip() for line in said.removeprefix(f"[{name}]\n").split("\n") if line.strip()]
    if output.get("output_type") == "error":
        lines = lines[-1:]  # a traceback ends with what went wrong
    first, size = lines[0] if lines else "(blank)", _size(output)
    is_cut = len(lines) > 1 or size > READ or len(first) > LINE
    rest = f" … ({size:,} characters)" if is_cut and not first.startswith("[image/") else ""
    return f"{name}: {first[:LINE]}{rest}" if name else first[:LINE] + rest


def _form(output: JsonObject) -> str:
    """An output of which the long texts were not read."""
    data = output.get("data")
    missing = [mime for mime, value in data.items() if not value] if isinstance(data, dict) else []
    if missing or not output.get("text", "-"):
        return f"[{', '.join(map(str, missing)) or output.get('name', 'text')}, long]"
    return _brief(output)


def _shortened(output: JsonObject) -> JsonObject:
    """The output with long texts cut, but for pictures, whose size is told."""
    data = output.get("data")
    if isinstance(data, dict):
        kept = {mime: v if str(mime).startswith("image/") else _start(v) for mime, v in data.items()}
        return {**output, "data": kept}
    return {**output, "text": _start(output["text"])} if "text" in output else output


def _start(value: object) -> object:
    return text_of(value)[:READ] if isinstance(value, str | list) else value


def _size(output: JsonObject) -> int:
    data = output.get("data")
    texts = data.get("text/plain", "") if isinstance(data, dict) else output.get("text", "")
    return len(text_of(texts))
