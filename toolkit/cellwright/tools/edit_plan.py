"""From the change that was asked for to the edit that would be made.

A change is worked out the same way for the person who is asked and again when it runs; a list of changes is worked
out one by one, each on the result of the one before, and is made as a whole or not at all.

The rule that must never break: a cell that is changed is found by the version in which it was read.
"""

from __future__ import annotations

from collections.abc import Callable

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.messages import JsonObject
from cellwright.notebook.cell import Cell
from cellwright.notebook.document import NotebookDocument
from cellwright.notebook.stored import StoredNotebook
from cellwright.text.quantity import quantity
from cellwright.tools import cell_form
from cellwright.tools.cell_change import CellChange
from cellwright.tools.cell_edit import (
    CellEdit,
    delete,
    edit_within,
    insert_beside,
    insert_first,
    move,
    replace_source,
    way,
)

Find = Callable[[str, str | None], Cell]
"""The cell of an id or `#INDEX` in this version; a ToolError if it is another."""


def work_out(document: NotebookDocument, change: CellChange, find: Find) -> CellEdit:
    """The edit that a change makes on a document.

    Raises:
        ToolError: why it can't be made.
    """
    if change.cell_id is None:
        return _without_cell(document, change)
    cell = find(change.cell_id, change.version)
    match change.edit_mode:
        case "replace":
            return replace_source(document, cell, change)
        case "insert_before" | "insert_after":
            return insert_beside(document, cell, change)
        case "delete":
            return delete(document, cell)
        case "move_before" | "move_after":
            return move(document, cell, _target(change, find), change.edit_mode)
        case "edit":
            return edit_within(document, cell, change.replacement)
        case _:
            return _of_form(document, cell, change, find)


def _of_form(document: NotebookDocument, cell: Cell, change: CellChange, find: Find) -> CellEdit:
    match change.edit_mode:
        case "split":
            return cell_form.split(document, cell, change.line or 0)
        case "merge":
            return cell_form.merge(document, cell, _target(change, find))
        case "change_type":
            return cell_form.change_type(document, cell, change.cell_type or "")
        case "tags":
            return cell_form.change_tags(document, cell, change)
        case "metadata":
            return cell_form.change_metadata(document, cell, change.metadata or {})
        case _:
            return cell_form.clear_outputs(document, cell)


def _without_cell(document: NotebookDocument, change: CellChange) -> CellEdit:
    match change.edit_mode:
        case "metadata":
            return cell_form.change_metadata(document, None, change.metadata or {})
        case "clear_outputs":
            return cell_form.clear_outputs(document, None)
        case _:
            return insert_first(document, change)


def _target(change: CellChange, find: Find) -> Cell:
    if change.target_id is None:
        raise ToolError(
            "invalid_position",
            f"{change.edit_mode} needs target_id: the cell {way(change.edit_mode)} which it goes.",
        )
    return find(change.target_id, change.target_version)


def work_out_all(stored: StoredNotebook, changes: list[CellChange], env: Env) -> list[CellEdit]:
    """The edits that a list of changes makes, each on the result of the one before.

    Raises:
        ToolError: naming the first change that can't be made, by its number.
    """
    document, edits = stored.document, list[CellEdit]()
    versions: dict[str, set[str]] = {}
    for number, change in enumerate(changes, 1):
        try:
            change.check_fields()
            edit = work_out(document, change, _finder(stored, document, versions, env))
        except ToolError as error:
            after = f", on the result of those before it{_grown(stored.document, document)}" if number > 1 else ""
            name = f"edit {number} of {len(changes)}{after}"
            raise ToolError(error.code, f"Nothing was written, because of {name}: {error.message}") from None
        _follow(versions, change, edit)
        edits.append(edit)
        document = edit.document
    return edits


def _grown(before: NotebookDocument, now: NotebookDocument) -> str:
    """That there are more or fewer cells than in the file, which shifts indexes."""
    count = len(before.cells)
    return f" (the file has {quantity(count, 'cell')})" if len(now.cells) != count else ""


def _finder(stored: StoredNotebook, document: NotebookDocument, versions: dict[str, set[str]], env: Env) -> Find:
    """Finds cells in a document that began as the stored one, by the versions they have on disk as well."""

    def find(cell_id: str, version: str | None) -> Cell:
        if version is None and any(cell.id == cell_id for cell in stored.document.cells):
            version = stored.find(cell_id, None, env).version
        for later in versions.get(version or "", ()):
            try:
                return document.find(cell_id, later)
            except ToolError as error:
                if error.code != "stale":
                    raise
        return document.find(cell_id, version)

    return find


def _follow(versions: dict[str, set[str]], change: CellChange, edit: CellEdit) -> None:
    """Keeps track of which versions the cell of a version has come to have."""
    if edit.cell is None or not edit.rests_on or not change.rests_on_a_cell:
        return
    old, new = edit.rests_on[0].version, edit.cell.version
    for earlier in (old, *(version for version, later in versions.items() if old in later)):
        versions.setdefault(earlier, set()).add(new)


def unread(path: str, changes: list[JsonObject], env: Env) -> str | None:
    """Why one of the cells may not be changed yet. Its version is a proof of having read it."""
    place = env.path(path)
    if not place.is_file():
        return None
    for change in changes:
        cell, mode = change.get("cell_id"), str(change.get("edit_mode", ""))
        is_read = change.get("version") is not None or mode.startswith("insert")
        if cell is not None and not is_read and not env.ledger.knows(place, cell):
            return _missing(path, cell, env) or (
                f"cell {cell!r} of {env.shown(place)} was not read in this run; read it first with notebook_read"
            )
    return None


def _missing(path: str, cell_id: str, env: Env) -> str:
    """Why no reading will ever find such a cell; empty if there is one."""
    try:
        StoredNotebook.read(path, env).document.find(cell_id, None)
    except ToolError as error:
        return "" if error.code in ("ambiguous", "version_required") else error.message
    return ""
