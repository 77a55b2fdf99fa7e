"""The tool that changes one cell of a notebook: replace, insert, delete or move.

The edit is worked out the same way twice: once for the person who is asked, who sees it as a diff, and once when it
runs. Between the two the cell may not change: what was shown is noted in the ledger and held against the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.messages import JsonObject
from cellwright.notebook.cell import Cell
from cellwright.notebook.document import NotebookDocument
from cellwright.notebook.stored import StoredNotebook, cell_name, note_cells
from cellwright.tool import Output, tool
from cellwright.views import Code, Diff, Group, View, diff_view

EditMode = Literal["replace", "insert_before", "insert_after", "delete", "move_before", "move_after"]
CellType = Literal["code", "markdown", "raw"]


@dataclass(frozen=True, slots=True)
class CellEdit:
    """An edit that has been worked out and not yet written."""

    stored: StoredNotebook
    document: NotebookDocument
    """The notebook as it would be."""
    cell: Cell
    """The cell as it would be; for a deletion, as it was."""
    done: str
    """What is done, in words."""
    view: View
    rests_on: tuple[Cell, ...] = ()
    """The cells as they are now that the edit was worked out from."""


def present_edit(args: JsonObject, env: Env) -> View:
    """The edit as the person sees it before it is made."""
    edit = _work_out(env=env, **args)
    note_cells(edit.stored.path, edit.rests_on, env)
    return edit.view


def unread_cell(args: JsonObject, env: Env) -> str | None:
    """Why a cell may not be changed yet. Its version is a proof of having read it; an insert changes no cell."""
    path, cell = env.path(args["path"]), args.get("cell_id")
    inserts = str(args.get("edit_mode", "")).startswith("insert")
    if cell is None or inserts or args.get("version") or not path.is_file() or env.ledger.knows(path, cell):
        return None
    return f"cell {cell!r} of {env.shown(path)} was not read in this run; read it first with notebook_read"


@tool(
    paths=("path",),
    present_call=present_edit,
    roles=("main", "sub_agent", "background"),
    origin="built-in",
    unread=unread_cell,
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
    """Change one cell of a notebook. Nothing outside that cell changes in the file.

    Replacing the source of a code cell clears its outputs, since they are no longer its results. A cell that changed
    since you read it is refused with its new text.

    Args:
        path: The .ipynb file, relative to the working folder.
        cell_id: The cell's id from notebook_outline or notebook_read; #INDEX (with version) where it has none.
            For an insert the new cell goes before or after this one; leave it out only if the notebook is empty.
        edit_mode: What to do with the cell.
        new_source: The whole new source, for replace and insert.
        cell_type: The type of an inserted cell (code if left out), or the new type of a replaced one.
        version: The cell's version as you read it.
        target_id: For a move, the cell before or after which it goes.
        target_version: The version of that cell; required if it is given as #INDEX.
    """
    edit = _work_out(path, cell_id, edit_mode, new_source, cell_type, version, target_id, target_version, env=env)
    if edit.document is edit.stored.document:
        value = _value(edit, changed=False)
        return Output(value, f"No change: {edit.stored.shown} already is that way. Nothing was written.", edit.view)
    problems = edit.stored.write(edit.document)
    note_cells(edit.stored.path, (edit.cell,), env)
    notes = [f"This problem was in the file before: {problem}" for problem in problems]
    return Output({**_value(edit, changed=True), "problems": list(problems)}, "\n".join([edit.done, *notes]), edit.view)


def _value(edit: CellEdit, *, changed: bool) -> JsonObject:
    cell = edit.cell
    return {
        "path": edit.stored.shown,
        "changed": changed,
        "id": cell_name(cell),
        "index": cell.index,
        "version": cell.version,
        "cell_type": cell.cell_type,
        "cells": len(edit.document.cells),
    }


def _work_out(
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
) -> CellEdit:
    stored = StoredNotebook.read(path, env)
    if cell_id is None:
        return _insert_first(stored, edit_mode, new_source, cell_type)
    cell = stored.find(cell_id, version, env)
    match edit_mode:
        case "replace":
            return _replace(stored, cell, new_source, cell_type)
        case "insert_before" | "insert_after":
            place: dict[str, Any] = {edit_mode.removeprefix("insert_"): cell}
            return _insert(stored, new_source, cell_type, place, f"{_way(edit_mode)} {cell_name(cell)}")
        case "delete":
            return _delete(stored, cell)
        case "move_before" | "move_after":
            if target_id is None:
                raise ToolError(
                    "invalid_position", f"{edit_mode} needs target_id: the cell {_way(edit_mode)} which it goes."
                )
            return _move(stored, cell, stored.find(target_id, target_version, env), _way(edit_mode))


def _way(edit_mode: EditMode) -> str:
    return edit_mode.rsplit("_", 1)[-1]


def _replace(stored: StoredNotebook, cell: Cell, source: str | None, cell_type: CellType | None) -> CellEdit:
    if source is None:
        raise ToolError("missing_source", "Replacing needs new_source: the whole new source of the cell.")
    document = stored.document.replace_source(cell, source)
    changed = document.cells[cell.index]
    if cell_type is not None:
        document = document.change_type(changed, cell_type)
        changed = document.cells[cell.index]
    cleared = len(cell.outputs) if document is not stored.document and not changed.outputs else 0
    outputs = f"its {'output' if cleared == 1 else f'{cleared} outputs'} will be cleared" if cleared else ""
    view = _with_notes(_diff(stored, f"cell {cell_name(cell)}", cell.source, changed.source), outputs, _loads(changed))
    if cell_type not in (None, cell.cell_type):
        view = replace(view, notes=(f"the cell becomes {cell_type} (was {cell.cell_type})", *view.notes))
    gone = " Its outputs were cleared: they were the results of the old source." if cleared else ""
    name = f"cell {cell_name(cell)} (#{cell.index}) of {stored.shown}"
    done = f"Replaced the source of {name}. Version {changed.version}.{gone}"
    return CellEdit(stored, document, changed, done, view, (cell,))


def _insert_first(
    stored: StoredNotebook, edit_mode: EditMode, source: str | None, cell_type: CellType | None
) -> CellEdit:
    if edit_mode not in ("insert_before", "insert_after"):
        raise ToolError("invalid_position", f"{edit_mode} needs cell_id: the cell that is meant.")
    if stored.document.cells:
        last = stored.document.cells[-1]
        raise ToolError(
            "invalid_position",
            f"Say where to insert: give cell_id. The last cell of {stored.shown} is {cell_name(last)} "
            f"(#{last.index}, version {last.version}).",
        )
    return _insert(stored, source, cell_type, {}, "as the first cell")


def _insert(
    stored: StoredNotebook, source: str | None, cell_type: CellType | None, place: dict[str, Any], where: str
) -> CellEdit:
    if source is None:
        raise ToolError("missing_source", "Inserting needs new_source: the source of the new cell.")
    document = stored.document.insert(cell_type or "code", source, **place)
    index = place["before"].index if "before" in place else place["after"].index + 1 if "after" in place else 0
    cell = document.cells[index]
    view = _with_notes(
        _diff(stored, "new cell", "", cell.source), f"a new {cell.cell_type} cell, {where}", _loads(cell)
    )
    name = f"{cell.cell_type} cell {cell_name(cell)} at #{index} of {stored.shown}"
    done = f"Inserted {name}, {where}. Version {cell.version}."
    return CellEdit(stored, document, cell, done, view, tuple(place.values()))


def _delete(stored: StoredNotebook, cell: Cell) -> CellEdit:
    count = len(cell.outputs)
    outputs = f"with its {count} output{'s' if count > 1 else ''}" if count else ""
    note = f"the {cell.cell_type} cell is deleted {outputs}".rstrip()
    view = _with_notes(_diff(stored, f"cell {cell_name(cell)}", cell.source, ""), note)
    done = f"Deleted cell {cell_name(cell)} (was #{cell.index}) of {stored.shown}."
    return CellEdit(stored, stored.document.delete(cell), cell, done, view, (cell,))


def _move(stored: StoredNotebook, cell: Cell, target: Cell, way: str) -> CellEdit:
    move: Callable[..., NotebookDocument] = stored.document.move
    document = stored.document if cell is target else move(cell, **{way: target})
    moved = next(c for c in document.cells if c.text == cell.text and (c.id == cell.id))
    name = f"Cell {cell_name(cell)} of {stored.shown}"
    title = f"{name} moves from #{cell.index} to #{moved.index}, {way} {cell_name(target)}"
    view = Group(title, (Code(cell.source, stored.document.language if cell.cell_type == "code" else cell.cell_type),))
    done = f"Moved cell {cell_name(cell)} of {stored.shown} from #{cell.index} to #{moved.index}, outputs included."
    return CellEdit(stored, document, moved, done, view, (cell, target))


def _diff(stored: StoredNotebook, name: str, old: str, new: str) -> Diff:
    """The change of a source; a source that ends without a newline, as most do, is no news."""
    return diff_view(old and old + "\n", new and new + "\n", f"{stored.shown} · {name}")


def _with_notes(view: Diff, *notes: str) -> Diff:
    return replace(view, notes=(*(note for note in notes if note), *view.notes))


_REMOTE = re.compile(
    r"""(?:!\[[^\]]*\]\(\s*<?|<\w[^>]*?=\s*["']?|\burl\(\s*["']?|^\s*\[[^\]]+\]:\s*)((?:https?:)?//[^\s)>"']+)""", re.M
)


def _loads(cell: Cell) -> str:
    """A warning for Markdown that makes the browser load something from another host as soon as it is shown."""
    found = _REMOTE.findall(cell.source) if cell.cell_type == "markdown" else []
    return f"when shown, this may load from other hosts: {', '.join(dict.fromkeys(found))}" if found else ""
