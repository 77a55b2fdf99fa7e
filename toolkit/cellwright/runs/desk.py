"""The notebooks that lie open before the person, as seen by the tools.

A notebook that is open in a browser exists twice: in the file, and in the page with what the person has typed since.
Who edits the file makes the page ask which of the two to throw away. So a tool first asks the desk: if the notebook
lies there, the page's document is what is read, and a change is sent to it as steps, which show at once, can be undone
there and keep what the person typed. If it does not, the file counts. The rule that must never break: a step says
which text it rests on, all steps of a change are made or none, and a change that is sent twice is made once.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, assert_never

from msgspec import Struct
from msgspec.structs import asdict

from cellwright.errors import ToolError
from cellwright.messages import JsonObject


class Sheet(Struct, frozen=True):
    """An open notebook as it was when it was read from its page."""

    path: Path
    data: bytes
    """Its JSON, unsaved text included."""
    keys: tuple[str, ...]
    """What each cell is called in a step. A notebook of a format without ids has none, its open document has."""
    holder: str = ""
    """The page that it was read from."""


class Insert(Struct, frozen=True):
    """A new cell below the one called `after`, at the top if that is empty. There already: nothing to do."""

    key: str
    after: str
    cell: JsonObject


class Delete(Struct, frozen=True):
    """The cell goes, if its source is as expected. Gone already: nothing to do."""

    key: str
    expect: str


class Move(Struct, frozen=True):
    """The cell goes below the one called `after`, to the top if that is empty."""

    key: str
    after: str


class Rewrite(Struct, frozen=True):
    """The cell has another source, if it is as expected or is the new one already."""

    key: str
    expect: str
    source: str


class Retype(Struct, frozen=True):
    """The cell becomes one of another type, if its source is as expected."""

    key: str
    expect: str
    cell: JsonObject


class Annotate(Struct, frozen=True):
    """Keys of the metadata are set and others go; of the notebook's own if `key` is empty."""

    key: str
    values: JsonObject
    gone: tuple[str, ...] = ()


class Attach(Struct, frozen=True):
    """The cell has these attachments."""

    key: str
    attachments: JsonObject


class Results(Struct, frozen=True):
    """The code cell has these outputs and this count, if its source is as expected."""

    key: str
    expect: str
    outputs: list[JsonObject]
    count: int | None


Step = Insert | Delete | Move | Rewrite | Retype | Annotate | Attach | Results


def step_json(step: Step) -> JsonObject:
    """The step as it is sent to a page."""
    return {"do": type(step).__name__.lower(), **asdict(step)}


class Desk(Protocol):
    """The notebooks that are open before the person. Its methods may wait for a page, so a thread calls them."""

    def read(self, path: Path) -> Sheet | None:
        """The open document of a file as it is now; None if it is open in no page that can be reached."""

    def change(self, sheet: Sheet, steps: Sequence[Step]) -> str:
        """Makes the steps in the document, as undo steps of their own; gives what there is to say of it.

        Raises:
            ToolError: `stale` if a step rests on what is not there any more, and then none was made; `unanswered`.
        """

    def before_writing(self, path: Path) -> str:
        """Asked before a file that `read` knows no document of is written; gives what there is to say of it.

        Raises:
            ToolError: `open_elsewhere` if it is open in a page that can't be reached, which would then ask the person.
        """


def moved_on(shown: str) -> ToolError:
    """The refusal of steps that rest on what is not there any more."""
    return ToolError(
        "stale", f"{shown} changed in its open page since it was read; nothing was changed. Read it again."
    )


class ScriptedDesk:
    """Open documents in memory: for lessons and tests, and, without any, for a desk on which nothing lies.

    `documents` can be changed at any time, as a person does who types. `elsewhere` are files that are open where they
    can't be reached. `changes` keeps the steps that were made.
    """

    def __init__(self, documents: Mapping[Path, JsonObject] | None = None, elsewhere: Iterable[Path] = ()) -> None:
        self.documents = {path: copy.deepcopy(dict(notebook)) for path, notebook in (documents or {}).items()}
        self.elsewhere = set(elsewhere)
        self.changes: list[tuple[Step, ...]] = []
        self._made = 0

    def read(self, path: Path) -> Sheet | None:
        """The document, if there is one."""
        notebook = self.documents.get(path)
        if notebook is None:
            return None
        for cell in notebook["cells"]:
            self._made += "_key" not in cell
            cell.setdefault("_key", cell.get("id") or f"key-{self._made}")
        keys = tuple(cell["_key"] for cell in notebook["cells"])
        plain = {**notebook, "cells": [_without_key(cell) for cell in notebook["cells"]]}
        return Sheet(path, json.dumps(plain).encode(), keys, "scripted")

    def change(self, sheet: Sheet, steps: Sequence[Step]) -> str:
        """Makes the steps, all or none."""
        cells = copy.deepcopy(self.documents[sheet.path]["cells"])
        own = copy.deepcopy(self.documents[sheet.path].get("metadata", {}))
        for step in steps:
            if not _make(step, cells, own):
                raise moved_on(sheet.path.name)
        self.documents[sheet.path] |= {"cells": cells, "metadata": own}
        self.changes.append(tuple(steps))
        return "in the open notebook"

    def before_writing(self, path: Path) -> str:
        """Refuses what is open elsewhere."""
        if path in self.elsewhere:
            raise ToolError("open_elsewhere", f"{path.name} is open in a page that can't be reached from here")
        return ""


def _without_key(cell: JsonObject) -> JsonObject:
    return {name: value for name, value in cell.items() if name != "_key"}


def _make(step: Step, cells: list[JsonObject], own: JsonObject) -> bool:
    """Makes one step; False if it can't be made."""
    keys = [cell["_key"] for cell in cells]
    place = keys.index(step.key) if step.key in keys else -1
    match step:
        case Insert() | Move():
            return _place(step, cells, keys, place)
        case Annotate(key=key, values=values, gone=gone):
            if key and place < 0:
                return False
            metadata = cells[place]["metadata"] if key else own
            metadata.update(values)
            for name in gone:
                metadata.pop(name, None)
            return True
        case Attach(attachments=attachments):
            return place >= 0 and _put(cells[place], {"attachments": attachments})
        case Delete(expect=expect):
            return place < 0 or (cells[place]["source"] == expect and cells.pop(place) is not None)
        case Rewrite(expect=expect, source=source):
            return place >= 0 and cells[place]["source"] in (expect, source) and _put(cells[place], {"source": source})
        case Retype(expect=expect, cell=cell, key=key):
            if place < 0 or cells[place]["source"] != expect:
                return False
            cells[place] = {**cell, "_key": key}
            return True
        case Results(expect=expect, outputs=outputs, count=count):
            is_there = place >= 0 and cells[place]["source"] == expect and "outputs" in cells[place]
            return is_there and _put(cells[place], {"outputs": outputs, "execution_count": count})
        case _:
            assert_never(step)


def _place(step: Insert | Move, cells: list[JsonObject], keys: list[str], place: int) -> bool:
    if step.after and step.after not in keys:
        return False
    if isinstance(step, Insert):
        if place >= 0:
            return bool(cells[place]["source"] == step.cell["source"])
        cell: JsonObject = {**step.cell, "_key": step.key}
    elif place < 0:
        return False
    else:
        cell = cells.pop(place)
    rest = [other["_key"] for other in cells]
    cells.insert(rest.index(step.after) + 1 if step.after else 0, cell)
    return True


def _put(cell: JsonObject, values: dict[str, Any]) -> bool:
    cell.update(values)
    return True
