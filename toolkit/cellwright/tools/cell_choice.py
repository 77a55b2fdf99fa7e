"""Which cells of a notebook a model wants to be run.

It names them by id, by `#INDEX@VERSION` where they have none, or as a range of two of these. The rule that must never
break: an index alone names no cell, unless the model has read the cell as it is now.
"""

from __future__ import annotations

from collections.abc import Sequence

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.notebook.address import is_index
from cellwright.notebook.cell import Cell
from cellwright.notebook.stored import StoredNotebook
from cellwright.tools.cell_tags import cell_title

TO = ".."
"""Between the first and the last cell of a range."""


def chosen_cells(stored: StoredNotebook, names: Sequence[str], env: Env) -> list[Cell]:
    """The code cells that are named, in the order of the notebook. Of a range, the cells that are no code are left out.

    Raises:
        ToolError: `invalid_arguments`, `not_found`, `not_code`, or why an index says nothing.
    """
    if not names:
        raise ToolError("invalid_arguments", "cells is empty; name at least one, or leave it out to run all")
    chosen = {cell.index: cell for name in names for cell in _named(stored, name, env)}
    return [chosen[index] for index in sorted(chosen)]


def _named(stored: StoredNotebook, name: str, env: Env) -> list[Cell]:
    if any(cell.id == name for cell in stored.document.cells) or TO not in name:
        cell = _cell(stored, name, env)
        if cell.cell_type != "code":
            raise ToolError("not_code", f"Cell {cell_title(cell)} is a {cell.cell_type} cell; only code cells run")
        return [cell]
    first, last = (_cell(stored, end.strip(), env).index for end in name.split(TO, 1))
    between = [cell for cell in stored.document.cells[first : last + 1] if cell.cell_type == "code"]
    if not between:
        why = "its second cell stands above its first" if last < first else "there is no code cell in it"
        raise ToolError("invalid_arguments", f"The range {name[:200]!r} names no cell to run: {why}")
    return between


def _cell(stored: StoredNotebook, name: str, env: Env) -> Cell:
    """The cell of an id, or of `#INDEX@VERSION`; the version may be left out of an index that was read as it is now."""
    place, _, version = name.partition("@")
    if not is_index(stored.document.cells, place):
        return stored.document.find(name, None)
    known = version or env.ledger.seen(stored.path, place)
    if known is None and int(place[1:]) in range(len(stored.document.cells)):
        raise ToolError(
            "version_required",
            f"An index such as {place} needs the version of the cell, because indexes shift. Read the cell first and "
            f"name it {place}@VERSION, or use its id if it has one.",
        )
    return stored.document.find(place, known or "")
