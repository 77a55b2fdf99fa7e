"""What a patch does to a notebook, as one diff that a person can read.

The JSON of a notebook is no reading matter, so both states are written as plain lines: a head for each cell with what
it is and has, its metadata key by key, and its source. The source is indented, so that no line of it can pass for the
head of a cell.

The rule that must never break: whatever a patch can change is in these lines.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from cellwright.codec import canonical
from cellwright.notebook.cell import Cell
from cellwright.notebook.document import NotebookDocument
from cellwright.notebook.stored import cell_name
from cellwright.tools.cell_edit import loads
from cellwright.views import Diff, diff_view


def patch_view(before: NotebookDocument, after: NotebookDocument) -> Diff:
    """The change from one state of a notebook to another, as one diff with its warnings."""
    known = {cell_name(cell) for cell in before.cells}
    view = diff_view(_written(before, known), _written(after, known), before.path)
    old = {id(cell.raw) for cell in before.cells}
    new = (cell for cell in after.cells if id(cell.raw) not in old and loads(cell))
    warnings = (f"{_name(cell, known)}: {loads(cell)}" for cell in new)
    return replace(view, notes=(*_touched(before, after), *warnings, *view.notes))


def _touched(before: NotebookDocument, after: NotebookDocument) -> Iterator[str]:
    """Which cells the diff is about: its lines may be far below a cell's head."""
    old, new = {id(cell.raw) for cell in before.cells}, {id(cell.raw) for cell in after.cells}
    known = {cell_name(cell) for cell in before.cells}
    changed = [_name(cell, known) for cell in after.cells if id(cell.raw) not in old]
    if changed:
        yield f"changed or new: {', '.join(changed)}"
    ids = {cell.id for cell in after.cells}
    gone = [cell_name(cell) for cell in before.cells if id(cell.raw) not in new and cell.id not in ids]
    if gone:
        yield f"deleted: {', '.join(gone)}"


def _written(document: NotebookDocument, known: Collection[str]) -> str:
    lines = [f"metadata {key}: {canonical(value)}" for key, value in document.metadata.items()]
    for cell in document.cells:
        lines += _cell_lines(cell, known)
    return "\n".join([*lines, ""])


def _cell_lines(cell: Cell, known: Collection[str]) -> Iterator[str]:
    count = len(cell.output_forms)
    facts = [_name(cell, known), cell.cell_type]
    facts += [f"[{cell.execution_count}]"] * (cell.execution_count is not None)
    facts += [f"{count} output{'s' if count > 1 else ''}"] * bool(count)
    facts += [f"attachment {name}" for name in cell.attachments]
    yield f"=== {' · '.join(facts)}"
    for key, value in cell.metadata.items():
        yield f"metadata {key}: {canonical(value)}"
    yield from (f"  {line}" for line in cell.source.split("\n"))


def _name(cell: Cell, known: Collection[str]) -> str:
    """A new cell's id is made up anew when the patch is made, so it is not shown; an index says nothing in a diff."""
    if cell.id is None:
        return "cell"
    return cell.id if cell.id in known else "new cell"
