"""The tags by which a person says how a cell may be run, and how a cell is named to them.

A notebook has cells that must not run by themselves: one that deletes a table, one that takes a night. The person who
knows that writes it into the cell's tags. The rule that must never break: every tool that runs cells heeds them.
"""

from __future__ import annotations

from cellwright.notebook.cell import Cell

NEVER = "never-run"
"""The tag of a cell that is not run."""
SKIPPED = frozenset({NEVER, "skip-execution"})
"""The tags of a cell that a run of its notebook leaves out; the second is known to nbclient and what is built on it."""
ASKING = frozenset({"ask-first", "expensive"})
"""The tags of a cell that is run only if a person says so: each time, whatever else they have allowed."""


def tags(cell: Cell) -> tuple[str, ...]:
    """The cell's tags."""
    found = cell.metadata.get("tags")
    return tuple(str(tag) for tag in found) if isinstance(found, list) else ()


def is_skipped(cell: Cell) -> bool:
    """Whether a run of the notebook leaves the cell out."""
    return not SKIPPED.isdisjoint(tags(cell))


def cell_title(cell: Cell) -> str:
    """Index and id, such as `#3 (id a1b2)`."""
    return f"#{cell.index}" + (f" (id {cell.id})" if cell.id is not None else "")
