"""The tool that reads cells of a notebook, with what their outputs say.

Sources come whole but for pictures that are embedded in them, outputs short: a plot is named by its size, a table comes
as text, a long stream by head and tail.
What does not fit into one result is named, with the call that reads it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from cellwright.env import Env
from cellwright.messages import JsonObject
from cellwright.notebook.cell import Cell
from cellwright.notebook.document import NotebookDocument
from cellwright.notebook.outputs import outputs_images, outputs_text, outputs_view
from cellwright.notebook.stored import StoredNotebook, cell_name, note_cells, told_name
from cellwright.text.console_text import without_embedded
from cellwright.text.quantity import quantity
from cellwright.tool import Output, tool
from cellwright.tools.notebook_outline import outline_of
from cellwright.views.view import Code, Group, Markdown, Text, View

ROOM = 40_000
"""Characters of one result, about."""
OUTPUT_ROOM = 3_000
"""Characters of one cell's outputs."""
MAX_IMAGES = 5


@tool(read_only=True, concurrency_safe=True, paths=("path",), origin="built-in")
def notebook_read(
    path: str,
    cells: list[str] | None = None,
    outputs: Literal["text", "images", "none"] = "text",
    *,
    env: Env,
) -> Output:
    """Read cells of a notebook: their whole sources, and what the outputs say.

    Args:
        path: The .ipynb file.
        cells: Ids, or #INDEX; all if left out.
        outputs: As short text, with their pictures, or none.
    """
    stored = StoredNotebook.read_any(path, env)
    document = stored.document
    wanted = document.cells if cells is None else [_find(document, cell_id) for cell_id in cells]
    texts, read, rest = _within(wanted, document.language, outputs != "none")
    note_cells(stored.path, tuple(read), env)
    problems = stored.problems
    head = f"{stored.shown}: {len(read)} of {quantity(len(document.cells), 'cell')}"
    seen = read if outputs == "images" else []
    pictures = [picture for cell in seen for picture in outputs_images(cell.outputs, MAX_IMAGES)][:MAX_IMAGES]
    return Output(
        {"path": stored.shown, "cells": [_value(cell) for cell in read], "problems": list(problems)},
        "\n".join([head, *(f"problem: {problem}" for problem in problems), *texts, *_more(rest)]),
        Group(head, tuple(_view(cell, document.language, outputs != "none") for cell in read)),
        tuple(pictures),
    )


def _find(document: NotebookDocument, cell_id: str) -> Cell:
    """The cell of an id; to read, an index needs no version."""
    index = re.fullmatch(r"#(\d{1,9})", cell_id)
    if index and int(index[1]) < len(document.cells) and all(cell.id != cell_id for cell in document.cells):
        return document.cells[int(index[1])]
    return document.find(cell_id, "" if index else None)


def _within(cells: Sequence[Cell], language: str, outputs: bool) -> tuple[list[str], list[Cell], list[Cell]]:
    """The cells' texts as far as there is room, the cells read, and the rest. The first one is always read."""
    texts: list[str] = []
    room = ROOM
    for place, cell in enumerate(cells):
        text = _text(cell, language, outputs)
        room -= len(text)
        if room < 0 and texts:
            return texts, list(cells[:place]), list(cells[place:])
        texts.append(text)
    return texts, list(cells), []


def _text(cell: Cell, language: str, outputs: bool) -> str:
    count = f" [{cell.execution_count}]" if cell.execution_count is not None else ""
    kind = f"code ({language})" if cell.cell_type == "code" else cell.cell_type
    name = f"#{cell.index} {cell.id}" if cell.id is not None else told_name(cell)
    source = without_embedded(cell.source)
    parts = [f"\n=== {name} {kind}{count}", source]
    if source != cell.source:
        parts.append(
            "[the source is longer than shown: change it with the mode edit of notebook_patch, not as a whole]"
        )
    parts += [f"[attachment {name}, {size}]" for name, size in _attachments(cell)]
    if outputs and cell.output_forms:
        parts += ["--- outputs", outputs_text(cell.outputs, OUTPUT_ROOM)]
    elif cell.output_forms:
        parts.append(f"--- {quantity(len(cell.output_forms), 'output')}, not read")
    return "\n".join(parts)


def _attachments(cell: Cell) -> list[tuple[str, str]]:
    found = []
    for name, bundle in cell.attachments.items():
        forms = bundle if isinstance(bundle, dict) else {}
        sizes = ", ".join(f"{mime}, {len(str(data)) * 3 // 4:,} bytes" for mime, data in forms.items())
        found.append((name, sizes or "empty"))
    return found


def _more(rest: list[Cell]) -> list[str]:
    if not rest:
        return []
    names = ", ".join([*(f'"{cell_name(cell)}"' for cell in rest[:20]), *["…"] * (len(rest) > 20)])
    return [f"\n{quantity(len(rest), 'more cell')} did not fit; read them with cells=[{names}]"]


def _value(cell: Cell) -> JsonObject:
    return {**outline_of(cell), "source": cell.source, "output_text": outputs_text(cell.outputs, OUTPUT_ROOM)}


def _view(cell: Cell, language: str, outputs: bool) -> View:
    source: View = Text(cell.source)
    if cell.cell_type in ("code", "markdown"):
        source = Code(cell.source, language) if cell.cell_type == "code" else Markdown(cell.source)
    shown = (outputs_view(cell.outputs),) if outputs and cell.output_forms else ()
    return Group(f"#{cell.index} {cell_name(cell)} · {cell.cell_type}", (source, *shown))
