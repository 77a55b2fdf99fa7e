"""What calls have done to the world, read from the events of a run: which files, and what no undo takes back.

A call that does not only read leaves an `effect` in the log once it has run: each file with its state before and
after, and in words what it may have done beside that. An `undone` or `redone` of its id says how things stand since.
So a run that goes on, one that has ended and one whose log was loaded elsewhere have the same list. The rule that must
never break: a call that may have changed something is on the list, also where nothing can be done about it.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from cellwright.log.events import Event
from cellwright.messages import JsonObject
from cellwright.undo.file_state import FileState

CUT_OFF = "it was cut off while it ran, so what it did is not known"


class FileChange(Struct, frozen=True):
    """What a call did to one file."""

    path: str
    """Relative to the working folder, with forward slashes."""
    before: FileState
    after: FileState


class Effect(Struct, frozen=True):
    """What one call did."""

    call_id: str
    tool: str
    number: int
    """The number of the `call` event; calls with a higher one were made later."""
    step: int
    """The turn of the model in which the call was made, from 1."""
    changes: tuple[FileChange, ...] = ()
    """The files that it changed, which an undo brings back."""
    folders: tuple[str, ...] = ()
    """The folders that it made on the way to them."""
    lasting: str = ""
    """What no undo takes back, in words; empty if there is nothing."""
    is_undone: bool = False
    store: str = ""
    """The name of the folder with the copies of its files."""

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of the files that it changed."""
        return tuple(change.path for change in self.changes)


def effects_of(events: Iterable[Event]) -> tuple[Effect, ...]:
    """The effects of a run, in the order in which they came about."""
    found: dict[str, Effect] = {}
    made: dict[str, Effect] = {}
    begun: set[str] = set()
    step = 0
    for event in events:
        data, call_id = event.data, str(event.data.get("id", ""))
        match event.kind:
            case "turn_started":
                step += 1
            case "call":
                made[call_id] = Effect(call_id, str(data.get("name", "")), event.number, step)
            case "executing":
                begun.add(call_id)
            case "effect" if call_id in made:
                found[call_id] = _effect(made[call_id], data)
            case "result" if call_id in begun and call_id not in found and _is_cut_off(data):
                found[call_id] = replace(made[call_id], lasting=CUT_OFF)
            case "undone" | "redone" if call_id in found:
                found[call_id] = replace(found[call_id], is_undone=event.kind == "undone")
    return tuple(found.values())


def _is_cut_off(data: JsonObject) -> bool:
    """Whether nobody was there any more to look at what the call had done; it has no times of its stages then."""
    return data.get("error_type") == "cancelled" and "stages" not in data.get("metadata", {})


def _effect(made: Effect, data: JsonObject) -> Effect:
    """An effect that can't be read, as in a log that somebody has edited, is one that can't be undone."""
    try:
        changes = tuple(
            FileChange(str(change["path"]), FileState.of_data(change["before"]), FileState.of_data(change["after"]))
            for change in data["changes"]
        )
        folders = tuple(str(folder) for folder in data["folders"])
        return replace(made, changes=changes, folders=folders, lasting=str(data["lasting"]), store=str(data["store"]))
    except (ValueError, TypeError, KeyError, AttributeError):
        return replace(made, lasting="what the log says of it can't be read")
