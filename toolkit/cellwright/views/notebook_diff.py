"""What a change does to a notebook, cell by cell, as plain data.

The JSON of a notebook is no reading matter, and a diff of it even less. A person wants to know which cells are new,
gone, moved or changed, what their code says now, and which outputs are no longer there. That is this view: for each
touched cell a head, the facts that changed beside its source, the source as a unified diff, and its outputs in brief.

The rule that must never break: in the text form all that a cell says is indented, so no line of it can pass for a head.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct

from cellwright.messages import JsonObject
from cellwright.text.quantity import quantity
from cellwright.text.visible_text import mark_hidden

Touch = Literal["added", "deleted", "moved", "source", "type", "tags", "metadata", "attachments", "outputs", "other"]
"""One way in which a cell is touched."""
Fact = tuple[str, str, str]
"""What it is about, how it was and how it is; empty where there is or was nothing."""
KINDS: tuple[Touch, ...] = ("added", "deleted", "moved")


class CellDiff(Struct, frozen=True):
    """One cell that a change touches."""

    name: str
    """Its id, `#INDEX` where it has none, `new cell` where its id is made up anew when the change is made."""
    cell_type: str
    touched: tuple[Touch, ...]
    old: int | None = None
    """Its index before; None for a new cell."""
    new: int | None = None
    """Its index after; None for a deleted one."""
    where: str = ""
    """For a new or moved cell, the one it stands after."""
    unified: str = ""
    """The change of its source, as a unified diff; the whole source of a new or deleted cell."""
    excerpt: str = ""
    """The first lines of a source that does not change, so that a reader knows which cell it is."""
    facts: tuple[Fact, ...] = ()
    """What else changes: type, tags, each key of its metadata, attachments, other keys."""
    outputs_before: tuple[str, ...] = ()
    """Outputs in brief, a line each, where they change."""
    outputs_after: tuple[str, ...] = ()
    results_before: tuple[JsonObject, ...] = ()
    """The same outputs to be drawn, as views in their JSON form, as many as are kept."""
    results_after: tuple[JsonObject, ...] = ()
    notes: tuple[str, ...] = ()
    """What a reader could overlook, such as white space, or what a browser would load from elsewhere."""


class NotebookDiff(Struct, frozen=True):
    """A change of a notebook."""

    path: str
    cells: tuple[CellDiff, ...]
    """The touched cells, in the order of the notebook as it is after the change; deleted ones where they stood."""
    total: int
    """Cells that the notebook has after the change."""
    facts: tuple[Fact, ...] = ()
    """What changes in the notebook's own metadata."""
    kind: Literal["notebook_diff"] = "notebook_diff"


def cells_from_json(data: list[JsonObject]) -> tuple[CellDiff, ...]:
    """The cells of a notebook diff as a log holds them."""
    return tuple(CellDiff(**{name: as_tuples(value) for name, value in cell.items()}) for cell in data)


def summary(view: NotebookDiff) -> str:
    """The change in a few words, such as `2 cells changed, 1 added`."""
    counts = Counter(next((kind for kind in KINDS if kind in cell.touched), "changed") for cell in view.cells)
    parts = [f"{counts[kind]} {kind}" for kind in ("changed", *KINDS) if counts[kind]]
    if parts:
        count, _, words = parts[0].partition(" ")
        parts[0] = f"{quantity(int(count), 'cell')} {words}"
    return ", ".join([*parts, *["the notebook's metadata changed"] * bool(view.facts)]) or "no change"


def cell_head(cell: CellDiff) -> tuple[str, ...]:
    """What stands first of a cell: where it is, and what happens to it, each in a few words."""
    return tuple(filter(None, (place(cell), cell.cell_type, happened(cell), cell.where)))


def place(cell: CellDiff) -> str:
    """Such as `#3`, or `#3 → #5`."""
    if cell.old is None or cell.new is None or cell.old == cell.new:
        return f"#{cell.new if cell.old is None else cell.old}"
    return f"#{cell.old} → #{cell.new}"


def happened(cell: CellDiff) -> str:
    """What happens to a cell, in words."""
    named = [kind for kind in KINDS if kind in cell.touched]
    if "added" in named or "deleted" in named:
        return named[0]
    changed = ", ".join(touch for touch in cell.touched if touch not in KINDS)
    return ", ".join([*named, *[f"{changed} changed"] * bool(changed)])


def outputs_change(cell: CellDiff) -> str:
    """What becomes of the outputs of a cell, in words."""
    before, after = len(cell.outputs_before), len(cell.outputs_after)
    if "deleted" in cell.touched:
        return "outputs that go with it"
    if not after:
        return "outputs dropped" if before else "outputs"
    return "outputs replaced" if before else "outputs new"


def notebook_diff_text(view: NotebookDiff) -> str:
    """The change for a terminal or a log, nothing hidden."""
    lines = [f"{view.path}: {summary(view)}", *_fact_lines(view.facts)]
    for cell in view.cells:
        name = () if cell.name.startswith("#") else (cell.name,)
        lines.append(f"=== {' · '.join((*name, *cell_head(cell)))}".replace("\n", "⏎"))
        lines += [f"    {line}" for line in _cell_lines(cell)]
    return "\n".join(mark_hidden(line) for line in lines)


def _cell_lines(cell: CellDiff) -> Iterator[str]:
    yield from (f"note: {note}" for note in cell.notes)
    yield from (line.strip() for line in _fact_lines(cell.facts))
    if cell.outputs_before or cell.outputs_after:
        yield f"{outputs_change(cell)}:"
        yield from (f"- {line}" for line in cell.outputs_before)
        yield from (f"+ {line}" for line in cell.outputs_after)
    yield from cell.unified.split("\n")[2:-1]  # without the head that names the files
    yield from (f"  {line}" for line in cell.excerpt.split("\n") if cell.excerpt)


def _fact_lines(facts: tuple[Fact, ...]) -> Iterator[str]:
    for name, before, after in facts:
        yield f"    {name}: {before or '(none)'} → {after or '(none)'}".replace("\n", "⏎")


def as_tuples(value: Any) -> Any:  # noqa: ANN401 (JSON is what it is)
    """JSON data as a frozen view holds it: its lists as tuples."""
    return tuple(as_tuples(inner) for inner in value) if isinstance(value, list) else value
