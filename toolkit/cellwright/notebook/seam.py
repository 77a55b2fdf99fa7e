"""Where one cell becomes two, and two become one.

Who splits a cell wants its second half to be the same kind of cell: with its tags, since those say what may run, with
the attachments its text may point to, and with the keys that other programs put there. So the second half is a copy
with another id and source. Joining brings two cells' tags and attachments together, and refuses what would lose one.

The rule that must never break: splitting and joining again gives the source that was there.
"""

from cellwright.errors import ToolError
from cellwright.notebook.cell import Cell, with_source
from cellwright.notebook.json_span import put_member, remove_member
from cellwright.notebook.json_style import JsonStyle
from cellwright.notebook.metadata import changed_metadata


def split_source(cell: Cell, line: int) -> tuple[str, str]:
    """The cell's source before a line and from it on; lines count from 1."""
    lines = cell.source.split("\n")
    if not 2 <= line <= len(lines):
        possible = f"2 to {len(lines)}" if len(lines) > 1 else "none, it has one line"
        raise ToolError(
            "invalid_line",
            f"Cell {cell.index} can't be split at line {line}: that line becomes the first of the new cell, so it is "
            f"one of {possible}.",
        )
    return "\n".join(lines[: line - 1]), "\n".join(lines[line - 1 :])


def second_half(cell: Cell, cell_id: str | None, source: str, style: JsonStyle) -> str:
    """The text of a cell like this one with another id and source, and without results."""
    text = with_source(cell, source, style)
    return remove_member(text, "id") if cell_id is None else put_member(text, "id", style.write(cell_id))


def joined(first: Cell, second: Cell, style: JsonStyle) -> str:
    """The text of the first cell with the source of the second after its own, a line apart."""
    if first.cell_type != second.cell_type:
        raise ToolError(
            "invalid_cell_type",
            f"Cell {first.index} is a {first.cell_type} cell and cell {second.index} a {second.cell_type} cell: "
            "change the type of one of them first.",
        )
    text = with_source(first, f"{first.source}\n{second.source}", style)
    attachments = _united_attachments(first, second)
    if attachments != first.attachments:
        text = put_member(text, "attachments", style.write(attachments))
    return changed_metadata(text, _metadata_to_add(first, second), style)


def united_tags(first: Cell, second: Cell) -> list[object]:
    """The tags of both cells, each once."""
    found = list(_tags(first))
    return found + [tag for tag in _tags(second) if tag not in found]


def _tags(cell: Cell) -> list[object]:
    tags = cell.metadata.get("tags")
    return tags if isinstance(tags, list) else []


def _metadata_to_add(first: Cell, second: Cell) -> dict[str, object]:
    """What the second cell's metadata says and the first's does not, all tags included."""
    new = {key: value for key, value in second.metadata.items() if key not in first.metadata and value is not None}
    tags = united_tags(first, second)
    return new if tags == _tags(first) else {**new, "tags": tags}


def _united_attachments(first: Cell, second: Cell) -> dict[str, object]:
    for name in first.attachments.keys() & second.attachments.keys():
        if first.attachments[name] != second.attachments[name]:
            raise ToolError(
                "invalid_notebook",
                f"Cells {first.index} and {second.index} hold different attachments called {name!r}; joined, one of "
                "them would be lost. Nothing was changed.",
            )
    return {**first.attachments, **second.attachments}
