"""The tool that shows what a notebook holds, one line a cell."""

from __future__ import annotations

from collections import Counter

from cellwright.env import Env
from cellwright.messages import JsonObject
from cellwright.notebook.cell import Cell
from cellwright.notebook.stored import StoredNotebook, cell_name, note_cells
from cellwright.text.quantity import quantity
from cellwright.tool import Output, tool
from cellwright.tools.kernel_state import kernel_state, state_line
from cellwright.views.table import table_view

LINE = 80
"""Characters of a cell's first line that are shown."""


@tool(
    read_only=True,
    concurrency_safe=True,
    paths=("path",),
    counts_as={"path": ("notebook_read",)},
    origin="built-in",
)
def notebook_outline(path: str, env: Env) -> Output:
    """List the cells of a notebook: id, type, first line, kinds of outputs.

    A cell without id is called #INDEX, and its version (v:) is required with it.

    Args:
        path: The .ipynb file.
    """
    stored = StoredNotebook.read_any(path, env)
    document, problems = stored.document, stored.problems
    note_cells(stored.path, document.cells, env)
    cells = [outline_of(cell) for cell in document.cells]
    value: JsonObject = {
        "path": stored.shown,
        "nbformat": stored.format,
        "language": document.language,
        "cells": cells,
        "problems": list(problems),
    }
    state = kernel_state(stored, env)
    value |= {"kernel": state} if state else {}
    head = f"{stored.shown}: {quantity(len(cells), 'cell')}, {document.language}, nbformat {value['nbformat']}"
    told = [state_line(state)] if state else []
    lines = [head, *(f"problem: {problem}" for problem in problems), *told, *map(_line, cells)]
    rows = [[c["id"], c["cell_type"], c["first_line"], c["lines"], c["execution_count"], c["outputs"]] for c in cells]
    view = table_view(["cell", "type", "first line", "lines", "run", "outputs"], rows)
    return Output(value, "\n".join(lines), view)


def outline_of(cell: Cell) -> JsonObject:
    """One cell in short."""
    first = next((line.strip() for line in cell.source.split("\n") if line.strip()), "")
    return {
        "id": cell_name(cell),
        "index": cell.index,
        "version": cell.version,
        "cell_type": cell.cell_type,
        "first_line": first if len(first) <= LINE else first[:LINE] + "…",
        "lines": cell.source.count("\n") + 1 if cell.source else 0,
        "execution_count": cell.execution_count,
        "outputs": _kinds(cell),
    }


def _kinds(cell: Cell) -> str:
    counted = Counter(_kind(output) for output in cell.output_forms)
    return ", ".join(kind if count == 1 else f"{count} {kind}" for kind, count in counted.items())


def _kind(output: JsonObject) -> str:
    match output:
        case {"output_type": "error", "ename": str(name)}:
            return f"error {name}"
        case {"output_type": "stream", "name": str(name)}:
            return name
        case {"data": {**data}}:
            return next((str(mime) for mime in data if mime != "text/plain"), "text/plain")
    return str(output.get("output_type", "?"))


def _line(cell: JsonObject) -> str:
    run = f" [{cell['execution_count']}]" if cell["execution_count"] is not None else ""
    outputs = f" -> {cell['outputs']}" if cell["outputs"] else ""
    size = f" ({cell['lines']} lines)" if cell["lines"] > 1 else ""
    version = f" v:{cell['version']}" if cell["id"] == f"#{cell['index']}" else ""  # who has an id needs none
    head = f"{cell['id']}{version} {cell['cell_type']}{run}"
    return f"{head}: {cell['first_line']}{size}{outputs}"
