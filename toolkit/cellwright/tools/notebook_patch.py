"""The tool that makes several changes of a notebook at once, all of them or none.

A notebook between two of five edits is often worse than one before the first, and each edit on its own is another
question to the person. So a patch is worked out in memory, shown as one diff, and the file is written once. It is also
where the rarer changes live: splitting and merging cells, their type, tags, metadata and outputs.

The rule that must never break: one edit that can't be made leaves the file as it was.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from cellwright.env import Env
from cellwright.messages import JsonObject
from cellwright.notebook.cell import Cell
from cellwright.notebook.changes import notebook_diff
from cellwright.notebook.document import NotebookDocument
from cellwright.notebook.stored import StoredNotebook, cell_name, note_cells, told_name
from cellwright.tool import Output, tool
from cellwright.tools.cell_change import CellChange
from cellwright.tools.cell_edit import CellEdit
from cellwright.tools.edit_plan import unread, work_out_all
from cellwright.tools.remote_picture import opinion
from cellwright.views.notebook_diff import NotebookDiff


def present_patch(args: JsonObject, env: Env) -> NotebookDiff:
    """The whole patch as the person sees it before it is made, with the cells it rests on noted as shown."""
    stored = StoredNotebook.read(args["path"], env)
    changes = [CellChange(**change) for change in args["edits"]]
    edits = work_out_all(stored, changes, env)
    resting = {cell.id for edit in edits for cell in edit.rests_on if cell.id is not None}
    note_cells(stored.path, tuple(cell for cell in stored.document.cells if cell.id in resting), env)
    return _view(stored, changes, edits)


def _view(stored: StoredNotebook, changes: list[CellChange], edits: list[CellEdit]) -> NotebookDiff:
    """The patch as one change of the notebook; cells that were asked to move are those that do."""
    asked = {change.cell_id for change in changes if change.edit_mode.startswith("move_")}
    movers = [cell.index for cell in stored.document.cells if cell.id is not None and cell.id in asked]
    return notebook_diff(stored.document, edits[-1].document, movers)


@tool(
    paths=("path",),
    counts_as={"path": ("notebook_edit",)},
    operations="edits",
    present_call=present_patch,
    roles=("main", "sub_agent", "background"),
    origin="built-in",
    unread=lambda args, env: unread(args["path"], args["edits"], env),
    check_permission=lambda args, env: opinion(text for edit in args.get("edits", ()) for text in edit.values()),
)
def notebook_patch(path: str, edits: Annotated[list[CellChange], Field(min_length=1)], env: Env) -> Output:
    """Make several changes of a notebook, all or none: edits within cells, split, merge, type, tags, metadata, ...

    Each is made on the result of the one before; #INDEX counts the cells as they are then.

    Args:
        path: The .ipynb file.
        edits: In order.
    """
    stored = StoredNotebook.read(path, env)
    made = work_out_all(stored, edits, env)
    before, after = stored.document, made[-1].document
    view = _view(stored, edits, made)
    value: JsonObject = {"path": stored.shown, "edits": len(made), "cells": len(after.cells)}
    if before.data == after.data:
        value |= {"changed": False, "changed_cells": [], "problems": []}
        return Output(value, f"No change: {stored.shown} already is that way. Nothing was written.", view)
    written = stored.write(after, env)
    changed = _changed_cells(before, after)
    note_cells(stored.path, changed, env)
    value |= {"changed": True, "changed_cells": [_place(cell) for cell in changed]}
    value |= {"problems": list(written.problems), "place": written.place}
    lines = [f"{number}. {edit.done}" for number, edit in enumerate(made, 1)] if len(made) > 1 else [made[0].done]
    lines += [f"now: {told_name(cell)}" for cell in changed if cell.id is None] * (len(made) > 1)
    return Output(value, "\n".join([*lines, *written.lines]), view, lasting=written.lasting)


def _changed_cells(before: NotebookDocument, after: NotebookDocument) -> tuple[Cell, ...]:
    """The cells that are not what they were, a place apart."""
    old = {id(cell.raw) for cell in before.cells}
    return tuple(cell for cell in after.cells if id(cell.raw) not in old)


def _place(cell: Cell) -> JsonObject:
    return {"id": cell_name(cell), "index": cell.index, "version": cell.version, "cell_type": cell.cell_type}
