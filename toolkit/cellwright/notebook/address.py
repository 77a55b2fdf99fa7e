"""Which cell a model means.

A wrong guess edits the wrong cell and looks like success, so nothing is guessed: an id is matched exactly, an index
is spelt `#3` and needs the version of the cell as it was last read, and a version that no longer fits is refused.

The rule that must never break: a cell found with a version is the cell, with the text, that the model has read.
"""

import difflib
import re
from collections.abc import Sequence

from cellwright.errors import ToolError
from cellwright.notebook.cell import Cell
from cellwright.text.quantity import quantity

_INDEX = re.compile(r"#(-?[0-9]{1,9})")


def find_cell(cells: Sequence[Cell], cell_id: str, version: str | None) -> Cell:
    """The one cell with this id (or at this `#INDEX`), in this version if one is given."""
    found = [cell for cell in cells if cell.id == cell_id]
    if len(found) > 1:
        raise _ambiguous(cell_id, found)
    index = _INDEX.fullmatch(cell_id)
    if not found and index is None:
        raise _unknown(cells, cell_id)
    cell = found[0] if found or index is None else _at(cells, int(index.group(1)), version)
    if version is not None and cell.version != version:
        raise _stale(cell, cell_id, version)
    return cell


def is_index(cells: Sequence[Cell], cell_id: str) -> bool:
    """Whether this names a cell by its place, and so needs a version: no cell has it for an id."""
    return _INDEX.fullmatch(cell_id) is not None and all(cell.id != cell_id for cell in cells)


def _at(cells: Sequence[Cell], index: int, version: str | None) -> Cell:
    if not 0 <= index < len(cells):
        known = f"0 to {len(cells) - 1}" if cells else "none"
        raise ToolError(
            "invalid_index",
            f"There is no cell #{index}: the notebook has {quantity(len(cells), 'cell')}, indexes {known}.",
        )
    if version is None:
        raise ToolError(
            "version_required",
            f"An index such as #{index} needs the version of the cell, because indexes shift. Read the cell first "
            "and pass the version that is shown, or use the cell's id if it has one.",
        )
    return cells[index]


def _ambiguous(cell_id: str, found: list[Cell]) -> ToolError:
    places = ", ".join(f"#{cell.index} (version {cell.version})" for cell in found)
    return ToolError(
        "ambiguous", f"{len(found)} cells have the id {cell_id!r}. Name one by #INDEX and version: {places}."
    )


def _unknown(cells: Sequence[Cell], cell_id: str) -> ToolError:
    ids = [cell.id for cell in cells if cell.id is not None]
    if not ids:
        reason = "the notebook has no cells" if not cells else "its cells have no ids: use #INDEX with the version"
        return ToolError("not_found", f"There is no cell with the id {cell_id!r}; {reason}.")
    by_lower = {known.lower(): known for known in ids}
    near = [by_lower[lower] for lower in difflib.get_close_matches(cell_id.lower(), by_lower, n=3)]
    nearest = f" Nearest: {', '.join(map(repr, near))}." if near else ""
    shown = ", ".join(map(repr, ids[:30])) + (f" and {len(ids) - 30} more" if len(ids) > 30 else "")
    return ToolError("not_found", f"There is no cell with the id {cell_id!r}.{nearest} Existing ids: {shown}.")


def _stale(cell: Cell, cell_id: str, version: str) -> ToolError:
    return ToolError(
        "stale",
        f"Cell {cell_id!r} has changed: version {version} was given, it is now version {cell.version}. "
        f"Nothing was changed. Its {cell.cell_type} source is now:\n{cell.source}",
    )
