"""A change of the form of cells: split, merged, of another type, with other tags, metadata or no outputs.

These leave the words of a notebook as they are and say in a sentence what else they touch, such as outputs that are
cleared because no code stands there any more that made them.
"""

from __future__ import annotations

from cellwright.errors import ToolError
from cellwright.notebook.cell import Cell
from cellwright.notebook.document import NotebookDocument
from cellwright.notebook.stored import cell_name
from cellwright.text.quantity import quantity
from cellwright.tools.cell_change import CellChange
from cellwright.tools.cell_edit import CellEdit


def split(document: NotebookDocument, cell: Cell, line: int) -> CellEdit:
    """The cell as two."""
    edited = document.split(cell, line)
    first, second = edited.cells[cell.index : cell.index + 2]
    done = (
        f"Split cell {cell_name(cell)} (#{cell.index}) at line {line}: version {first.version}, and the new cell "
        f"{cell_name(second)} at #{second.index}, version {second.version}.{_cleared(cell)}"
    )
    return CellEdit(edited, first, done, rests_on=(cell,))


def merge(document: NotebookDocument, cell: Cell, following: Cell) -> CellEdit:
    """The cell and the one after it as one."""
    if following.index != cell.index + 1:
        after = document.cells[cell.index + 1 : cell.index + 2]
        name = f"that is {cell_name(after[0])}" if after else "there is none, it is the last"
        raise ToolError("invalid_position", f"merge needs as target_id the cell after {cell_name(cell)}; {name}")
    edited = document.merge(cell)
    merged = edited.cells[cell.index]
    done = (
        f"Merged cell {cell_name(following)} into cell {cell_name(cell)} (#{cell.index}), version {merged.version}."
        f"{_cleared(cell, following)}"
    )
    return CellEdit(edited, merged, done, rests_on=(cell, following))


def change_type(document: NotebookDocument, cell: Cell, cell_type: str) -> CellEdit:
    """The cell as another type."""
    edited = document.change_type(cell, cell_type)
    changed = edited.cells[cell.index]
    gone = _cleared(cell) if changed.cell_type != "code" else ""
    done = f"Made cell {cell_name(cell)} (#{cell.index}) a {cell_type} cell, version {changed.version}.{gone}"
    return CellEdit(edited, changed, done, rests_on=(cell,))


def change_tags(document: NotebookDocument, cell: Cell, change: CellChange) -> CellEdit:
    """The cell with tags more or less; a tag it has already is not added twice."""
    adding, removing = change.add_tags or [], change.remove_tags or []
    if not adding and not removing:
        raise ToolError("missing_field", "tags needs add_tags or remove_tags")
    found = cell.metadata.get("tags")
    had = found if isinstance(found, list) else []
    tags = [tag for tag in dict.fromkeys([*map(str, had), *adding]) if tag not in removing]
    edited = document if tags == had else document.change_metadata(cell, {"tags": tags or None})
    done = f"Cell {cell_name(cell)} (#{cell.index}) has the tags: {', '.join(tags) or 'none'}."
    return CellEdit(edited, edited.cells[cell.index], done, rests_on=(cell,))


def change_metadata(document: NotebookDocument, cell: Cell | None, changes: dict[str, object]) -> CellEdit:
    """Keys of the metadata of a cell, or of the notebook, set or taken away."""
    if not changes:
        raise ToolError("missing_field", "metadata is empty; name a key with its new value, or null to take it away")
    keys = ", ".join(changes)
    if cell is None:
        return CellEdit(document.change_own_metadata(changes), None, f"Set in the notebook's metadata: {keys}.")
    edited = document.change_metadata(cell, changes)
    done = f"Set in the metadata of cell {cell_name(cell)} (#{cell.index}): {keys}."
    return CellEdit(edited, edited.cells[cell.index], done, rests_on=(cell,))


def clear_outputs(document: NotebookDocument, cell: Cell | None) -> CellEdit:
    """A cell, or all cells, without outputs and counts."""
    if cell is not None:
        edited = document.clear_outputs(cell)
        done = f"Cleared the outputs of cell {cell_name(cell)} (#{cell.index})."
        return CellEdit(edited, edited.cells[cell.index], done, rests_on=(cell,))
    edited = document
    for one in document.cells:
        edited = edited.clear_outputs(one)
    count = sum(new.raw is not old.raw for new, old in zip(edited.cells, document.cells, strict=True))
    return CellEdit(edited, None, f"Cleared the outputs of {quantity(count, 'cell')}.")


def _cleared(*cells: Cell) -> str:
    count = sum(len(cell.output_forms) for cell in cells)
    return f" {quantity(count, 'output was', 'outputs were')} cleared." if count else ""
