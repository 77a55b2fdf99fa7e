"""The tool that changes one cell of a notebook: replace, insert, delete or move.

The edit is worked out the same way twice: once for the person who is asked, who sees what it does to the notebook,
and once when it runs. Between the two the cell may not change: what was shown is noted in the ledger and held against
the file. Other cells may: the edit is made in the file as it is then.
"""

from __future__ import annotations

from cellwright.env import Env
from cellwright.messages import JsonObject
from cellwright.notebook.cell import Cell
from cellwright.notebook.changes import notebook_diff
from cellwright.notebook.stored import StoredNotebook, cell_name, note_cells
from cellwright.tool import Output, tool
from cellwright.tools.cell_change import CellChange, CellType, EditMode
from cellwright.tools.cell_edit import CellEdit
from cellwright.tools.edit_plan import unread, work_out
from cellwright.tools.remote_picture import opinion
from cellwright.views.notebook_diff import NotebookDiff


def present_edit(args: JsonObject, env: Env) -> NotebookDiff:
    """The edit as the person sees it before it is made."""
    stored, edit = _work_out(args["path"], CellChange(**{k: v for k, v in args.items() if k != "path"}), env)
    note_cells(stored.path, edit.rests_on, env)
    return _view(stored, edit)


def _view(stored: StoredNotebook, edit: CellEdit) -> NotebookDiff:
    """What the edit changes; of two cells that change places, the one that it is about moves."""
    return notebook_diff(stored.document, edit.document, [cell.index for cell in edit.rests_on[:1]])


def _work_out(path: str, change: CellChange, env: Env) -> tuple[StoredNotebook, CellEdit]:
    stored = StoredNotebook.read(path, env)
    return stored, work_out(stored.document, change, lambda cell_id, version: stored.find(cell_id, version, env))


@tool(
    paths=("path",),
    present_call=present_edit,
    roles=("main", "sub_agent", "background"),
    origin="built-in",
    unread=lambda args, env: unread(args["path"], [args], env),
    check_permission=lambda args, env: opinion([args.get("new_source")]),
)
def notebook_edit(
    path: str,
    cell_id: str | None = None,
    edit_mode: EditMode = "replace",
    new_source: str | None = None,
    cell_type: CellType | None = None,
    version: str | None = None,
    target_id: str | None = None,
    target_version: str | None = None,
    *,
    env: Env,
) -> Output:
    """Change one cell of a notebook; no other byte of the file changes.

    A code cell whose source changes loses its outputs. A cell that changed since you read it is refused with its new
    text.

    Args:
        path: The .ipynb file.
        cell_id: Its id; #INDEX, with version, where it has none. For an insert, the cell beside it, if there is one.
        edit_mode: The change.
        new_source: The whole source.
        cell_type: For insert (code if left out) and replace.
        version: As you read it.
        target_id: For a move, the cell beside it.
        target_version: Its version.
    """
    change = CellChange(edit_mode, cell_id, version, new_source, cell_type, target_id, target_version)
    stored, edit = _work_out(path, change, env)
    changed, view = edit.document is not stored.document, _view(stored, edit)
    value = {"path": stored.shown, "changed": changed, "cells": len(edit.document.cells), **_place(edit.cell)}
    if not changed:
        return Output(value, f"No change: {stored.shown} already is that way. Nothing was written.", view)
    written = stored.write(edit.document, env)
    note_cells(stored.path, (edit.cell,) if edit.cell else (), env)
    value |= {"problems": list(written.problems), "place": written.place}
    return Output(value, "\n".join([edit.done, *written.lines]), view, lasting=written.lasting)


def _place(cell: Cell | None) -> JsonObject:
    if cell is None:
        return {}
    return {"id": cell_name(cell), "index": cell.index, "version": cell.version, "cell_type": cell.cell_type}
