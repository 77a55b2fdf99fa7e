"""The tool that finds the lines of a notebook's cells that match: in sources, in outputs, in errors.

A search of the JSON file finds a source in pieces and a picture's base64, and names no cell. So the texts are laid
out as `notebook_read` shows them, one line each, and ripgrep searches those: the syntax is that of `search_code`, and
a pattern that takes forever is stopped with its process, which one of Python's inside the kernel could not be.

The rule that must never break: no match, matches, and text that was not searched never look alike.
"""

from __future__ import annotations

import tempfile
from bisect import bisect_right
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Struct
from pydantic import Field

from cellwright.env import Env
from cellwright.messages import JsonObject, clean_text
from cellwright.notebook.cell import Cell
from cellwright.notebook.outputs import whole_text
from cellwright.notebook.stored import StoredNotebook, cell_name, note_cells, told_name
from cellwright.text.quantity import quantity
from cellwright.tool import Output, tool
from cellwright.tools.findings import Findings
from cellwright.tools.pattern import check_pattern, refused
from cellwright.tools.ripgrep import Ended, ripgrep, unread_notes
from cellwright.views.table import table_view

OUTPUT_ROOM = 2_000_000
"""Characters of one cell's outputs that are searched, from their beginning."""
OPTIONS = ("--json", "--text", "--crlf", "--engine=auto", "--encoding=none")

Where = Literal["source", "output", "error"]


class Passage(Struct, frozen=True):
    """One text of a cell among the lines that are searched."""

    first: int
    """The number of its first line among all, from 1."""
    cell: Cell
    where: Where
    text: str
    left_out: int = 0
    """Characters that are not searched."""


class Found(Struct, frozen=True):
    """One line that matches."""

    passage: Passage
    line: int
    """Within the cell's source, outputs or errors, from 1."""
    text: str

    def value(self) -> JsonObject:
        """The line with all that names its cell."""
        cell = self.passage.cell
        place = {"id": cell_name(cell), "index": cell.index, "version": cell.version, "cell_type": cell.cell_type}
        return {**place, "where": self.passage.where, "line": self.line, "text": self.text}


@tool(
    read_only=True,
    concurrency_safe=True,
    paths=("path",),
    counts_as={"path": ("notebook_read",)},
    origin="built-in",
)
def notebook_search(
    path: str,
    pattern: str,
    env: Env,
    ignore_case: bool = False,
    limit: Annotated[int, Field(ge=1, le=1000)] = 100,
) -> Output:
    """Search a notebook for a regular expression: sources, outputs as text, errors; line by line.

    Args:
        path: The .ipynb file.
        pattern: In the syntax of search_code.
        ignore_case: Capitals and small letters alike.
        limit: Lines at most.
    """
    check_pattern(pattern)
    stored = StoredNotebook.read_any(path, env)
    passages = list(_passages(stored.document.cells))
    findings, ended = _search(pattern, passages, ["--ignore-case"] * ignore_case, limit, env)
    found = [_found(passages, hit.line, hit.text) for hit in findings.hits]
    note_cells(stored.path, tuple(one.passage.cell for one in found), env)
    notes = [*_cut_notes(passages), *unread_notes(ended), *stored.problems * bool(stored.old_format)]
    value = {
        "path": stored.shown,
        "matches": [one.value() for one in found],
        "total": findings.total,
        "cells_searched": len(stored.document.cells),
        "notes": notes,
    }
    rows = [(cell_name(one.passage.cell), one.passage.where, one.line, one.text) for one in found]
    view = table_view(["cell", "where", "line", "text"], rows, findings.total)
    return Output(value, _content(pattern, stored, found, findings, notes), view)


def _passages(cells: tuple[Cell, ...]) -> Iterator[Passage]:
    first = 1
    for cell in cells:
        for where, whole in _texts(cell):
            text = whole if where == "source" else whole[:OUTPUT_ROOM]
            if text:
                yield Passage(first, cell, where, text, len(whole) - len(text))
                first += text.count("\n") + 1


def _texts(cell: Cell) -> Iterator[tuple[Where, str]]:
    yield "source", cell.source
    outputs = cell.outputs
    yield "output", whole_text([output for output in outputs if output.get("output_type") != "error"])
    yield "error", whole_text([output for output in outputs if output.get("output_type") == "error"])


def _search(pattern: str, passages: list[Passage], options: list[str], limit: int, env: Env) -> tuple[Findings, Ended]:
    findings = Findings(limit, ".")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "cells")
        with place.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
            file.writelines(passage.text + "\n" for passage in passages)
        arguments = [*OPTIONS, *options, f"--regexp={pattern}", "--", place.name]
        ended = ripgrep(arguments, place.parent, env, findings.take_block, b"\n")
    if ended.complete and not findings.finished:
        raise refused(pattern, "\n".join(ended.complaints))
    return findings, ended


def _found(passages: list[Passage], line: int, text: str) -> Found:
    passage = passages[bisect_right(passages, line, key=lambda passage: passage.first) - 1]
    return Found(passage, line - passage.first + 1, text)


def _cut_notes(passages: list[Passage]) -> list[str]:
    cut = [passage for passage in passages if passage.left_out]
    return [
        f"not searched: {passage.left_out:,} characters of the {passage.where} of cell {cell_name(passage.cell)}, "
        f"after the first {OUTPUT_ROOM:,}"
        for passage in cut
    ]


def _content(pattern: str, stored: StoredNotebook, found: list[Found], findings: Findings, notes: list[str]) -> str:
    told = [f"note: {note}" for note in notes]
    if not findings.total:
        head = f"no match for {pattern!r}: {quantity(len(stored.document.cells), 'cell')} searched in {stored.shown}"
        return clean_text("\n".join([head, *told]))
    lines = [f"{stored.shown}: {quantity(findings.total, 'matching line')}"]
    for cell, ones in groupby(found, key=lambda one: one.passage.cell):
        lines.append(f"{told_name(cell)} {cell.cell_type}")
        lines += [f"  {one.passage.where}:{one.line}: {one.text}" for one in ones]
    if findings.left_out:
        lines.append(f"{findings.left_out:,} more matching lines; narrow the pattern or raise limit")
    return clean_text("\n".join([*lines, *told]))
