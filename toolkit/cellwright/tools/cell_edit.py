"""A change of what cells there are and what they say, worked out on a document and not yet written.

Each function takes a document and gives the next one, with what was done in words. Nothing is looked up or written
here: who calls has found the cell in the version that the model read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from cellwright.errors import ToolError
from cellwright.notebook.cell import Cell
from cellwright.notebook.document import NotebookDocument
from cellwright.notebook.stored import cell_name, told_name
from cellwright.tools.cell_change import CellChange
from cellwright.tools.replacement import Replacement, replaced


class CellEdit(Struct, frozen=True):
    """An edit that has been worked out and not yet written."""

    document: NotebookDocument
    """The notebook as it would be."""
    cell: Cell | None
    """The cell as it would be; for a deletion, as it was. None where the edit is not about one cell."""
    done: str
    """What is done, in words."""
    rests_on: tuple[Cell, ...] = ()
    """The cells as they are now that the edit was worked out from."""


def replace_source(document: NotebookDocument, cell: Cell, change: CellChange) -> CellEdit:
    """The whole source replaced, and the type if one is given."""
    if change.new_source is None:
        raise ToolError("missing_source", "Replacing needs new_source: the whole new source of the cell.")
    return _with_source(document, cell, change.new_source, change.cell_type)


def edit_within(document: NotebookDocument, cell: Cell, change: Replacement) -> CellEdit:
    """A place of the source replaced, which must be the only one that reads so unless all are meant."""
    return _with_source(document, cell, replaced(cell.source, change).text, None)


def _with_source(document: NotebookDocument, cell: Cell, source: str, cell_type: str | None) -> CellEdit:
    edited = document.replace_source(cell, source)
    changed = edited.cells[cell.index]
    if cell_type is not None:
        edited = edited.change_type(changed, cell_type)
        changed = edited.cells[cell.index]
    cleared = len(cell.output_forms) if edited is not document and not changed.output_forms else 0
    gone = "; outputs were cleared" if cleared else ""
    done = f"Changed {told_name(changed)}{gone}."
    return CellEdit(edited, changed, done, (cell,))


def insert_first(document: NotebookDocument, change: CellChange) -> CellEdit:
    """The first cell of an empty notebook; any other change needs the cell that is meant."""
    if change.edit_mode not in ("insert_before", "insert_after"):
        raise ToolError("invalid_position", f"{change.edit_mode} needs cell_id: the cell that is meant.")
    if document.cells:
        last = document.cells[-1]
        raise ToolError(
            "invalid_position",
            f"Say where to insert: give cell_id. The last cell of {document.path} is {cell_name(last)} "
            f"(#{last.index}, version {last.version}).",
        )
    return _insert(document, change, {}, "as the first cell")


def insert_beside(document: NotebookDocument, cell: Cell, change: CellChange) -> CellEdit:
    """A new cell before or after a given one."""
    place: dict[str, Any] = {change.edit_mode.removeprefix("insert_"): cell}
    return _insert(document, change, place, f"{way(change.edit_mode)} {cell_name(cell)}")


def _insert(document: NotebookDocument, change: CellChange, place: dict[str, Any], where: str) -> CellEdit:
    if change.new_source is None:
        raise ToolError("missing_source", "Inserting needs new_source: the source of the new cell.")
    edited = document.insert(change.cell_type or "code", change.new_source, **place)
    index = place["before"].index if "before" in place else place["after"].index + 1 if "after" in place else 0
    cell = edited.cells[index]
    done = f"Inserted {cell.cell_type} cell {told_name(cell)} at #{index}, {where}."
    return CellEdit(edited, cell, done, tuple(place.values()))


def delete(document: NotebookDocument, cell: Cell) -> CellEdit:
    """The document without a cell."""
    done = f"Deleted cell {cell_name(cell)} (was #{cell.index})."
    return CellEdit(document.delete(cell), cell, done, (cell,))


def move(document: NotebookDocument, cell: Cell, target: Cell, edit_mode: str) -> CellEdit:
    """A cell at another place."""
    moving: Callable[..., NotebookDocument] = document.move
    edited = document if cell is target else moving(cell, **{way(edit_mode): target})
    moved = next(c for c in edited.cells if c.raw is cell.raw)
    done = f"Moved cell {cell_name(cell)} from #{cell.index} to #{moved.index}, outputs included."
    return CellEdit(edited, moved, done, (cell, target))


def way(edit_mode: str) -> str:
    """`before` or `after`."""
    return edit_mode.rsplit("_", 1)[-1]
