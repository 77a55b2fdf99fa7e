"""The change from one state of a notebook to another, as the steps that an open document makes.

The file is replaced in one piece; an open document is not, since the person's cursor, undo history and half-typed
text live in it. So the two states are held against each other cell by cell, and what differs becomes steps that touch
only that. Each names the text it rests on, which the page holds against its own.

The rule that must never break: made on the first state, the steps give the second; and a cell that is the same in both
is in none of them.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence

from cellwright.messages import JsonObject
from cellwright.notebook.cell import Cell
from cellwright.notebook.cell_members import outputs_json, whole_members
from cellwright.notebook.document import NotebookDocument
from cellwright.notebook.matching import Pair, matched
from cellwright.runs.desk import Annotate, Attach, Delete, Insert, Move, Results, Retype, Rewrite, Step


def steps_between(before: NotebookDocument, after: NotebookDocument, keys: Sequence[str]) -> tuple[Step, ...]:
    """What makes the first state the second; `keys` are what the cells of the first are called."""
    pairs, movers = matched(before.cells, after.cells)
    pairs = _rewritten(pairs)
    steps: list[Step] = [Delete(keys[old.index], old.source) for old, new in pairs if old and new is None]
    above = ""
    for old, new in pairs:
        if new is None:
            continue
        key = keys[old.index] if old else new.id or str(uuid.uuid4())
        if old is None:
            steps.append(Insert(key, above, _plain(new)))
        else:
            if old.index in movers:
                steps.append(Move(key, above))
            steps += _within(key, old, new)
        above = key
    return (*steps, *_annotated("", before.metadata, after.metadata))


def _rewritten(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs, with cells that have no id taken for the same where one goes and another comes in its place."""
    made: list[Pair] = []
    for old, new in pairs:
        last = made[-1] if made else (None, None)
        came, gone = new or last[1], old or last[0]
        is_exchange = (old is None and last[1] is None) or (new is None and last[0] is None)
        if made and is_exchange and came and gone and came.id is None is gone.id and came.cell_type == gone.cell_type:
            made[-1] = (gone, came)
        else:
            made.append((old, new))
    return made


def _within(key: str, old: Cell, new: Cell) -> Iterator[Step]:
    """What changes of a cell that stays."""
    if old.raw is new.raw or old.raw == new.raw:
        return
    if old.cell_type != new.cell_type:
        yield Retype(key, old.source, _plain(new))
        return
    if old.source != new.source:
        yield Rewrite(key, old.source, new.source)
    yield from _annotated(key, old.metadata, new.metadata)
    if old.attachments != new.attachments:
        yield Attach(key, new.attachments)
    if outputs_json(old.raw) != outputs_json(new.raw) or old.execution_count != new.execution_count:
        yield Results(key, new.source, [_joined(output) for output in new.outputs], new.execution_count)


def _annotated(key: str, old: JsonObject, new: JsonObject) -> Iterator[Step]:
    values = {name: value for name, value in new.items() if name not in old or old[name] != value}
    gone = tuple(name for name in old if name not in new)
    if values or gone:
        yield Annotate(key, values, gone)


def _plain(cell: Cell) -> JsonObject:
    """The cell as a page takes it: its texts in one piece."""
    members = whole_members(cell.raw)
    outputs = {"outputs": [_joined(output) for output in cell.outputs]} if "outputs" in members else {}
    return {**members, "source": cell.source, **outputs}


def _joined(output: JsonObject) -> JsonObject:
    """An output with its texts in one piece; a list that is a value of JSON stays one."""
    made = dict(output)
    if isinstance(made.get("text"), list):
        made["text"] = "".join(map(str, made["text"]))
    if isinstance(made.get("data"), dict):
        made["data"] = {mime: _text(mime, value) for mime, value in made["data"].items()}
    return made


def _text(mime: str, value: object) -> object:
    is_json = mime == "application/json" or mime.endswith("+json")
    return "".join(map(str, value)) if isinstance(value, list) and not is_json else value
