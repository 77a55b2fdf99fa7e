"""Where a run stands: what another one that goes on from it begins with.

The conversation is the least of it. The model has read files and may change them, has found tools, keeps a list, works
in a folder, has long results to read on in. A run that ended hands all that on, and so does one of which only its log
is left. What a person granted is not handed on: it was said of a run that they watched. The rule that must never
break: nothing is claimed to be known that the model was not told.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from cellwright.calls.spill import Kept, Spill
from cellwright.env import Env
from cellwright.files.ledger import Ledger
from cellwright.kernels.kernels import Kernels
from cellwright.log.events import Event
from cellwright.log.history import History
from cellwright.log.saved_message import saved
from cellwright.messages import Conversation, JsonObject
from cellwright.views.todo_list import Todo, TodoList
from cellwright.views.view import from_json


class Standpoint(Struct, frozen=True):
    """What a run knows."""

    conversation: Conversation = ()
    run: str = ""
    """The run that stands there; empty for messages from elsewhere."""
    log: str = ""
    """The name of its log."""
    path: Path | None = None
    """The file of its log, if there is one."""
    found: tuple[str, ...] = ()
    """The deferred tools that the model has found."""
    folder: str = "."
    """Where commands run, relative to the working folder."""
    ledger: Ledger = field(default_factory=Ledger)
    kept: tuple[Kept, ...] = ()
    """The long results that it can read on in."""
    todo: Todo = field(default_factory=Todo)
    kernels: tuple[str, ...] = ()
    """The names of its kernels, which ended with it."""

    def env(self, env: Env, run: str) -> Env:
        """The surroundings of a run that goes on from here, with what it knows from before."""
        spill = Spill(env.cwd, run, [kept for kept in self.kept if kept.is_in(env.cwd)])
        todo, kernels = TodoList(self.todo), Kernels(self.kernels, env.kernels.gateway)
        return replace(env, ledger=self.ledger.copy(), spill=spill, todo=todo, kernels=kernels)

    def as_data(self) -> JsonObject:
        """What an `earlier` event holds."""
        kept = [{"tool": each.tool, "spilled": each.as_data()} for each in self.kept]
        return {
            "run": self.run,
            "messages": [saved(message) for message in self.conversation],
            "found": self.found,
            "folder": self.folder,
            "files": self.ledger.all(),
            "kept": kept,
            "todo": self.todo,
            "kernels": self.kernels,
        }


NOWHERE = Standpoint()
"""That of a run that begins with its prompt."""


class Surveyor:
    """Finds out from events where a run stands. Mutable: it takes them one by one."""

    def __init__(self) -> None:
        self._history = History()
        self._ledger = Ledger()
        self._cwd = Path()
        self._now = Standpoint()
        self._kept: dict[str, Kept] = {}
        self._kernels: dict[str, None] = {}

    def add(self, event: Event) -> None:
        """Takes the next event."""
        self._history.add(event)
        data, now = event.data, self._now
        match event.kind:
            case "run_started":
                self._now, self._cwd = replace(now, run=data["run"]), Path(data["cwd"])
            case "earlier":
                self._begin(data)
            case "conditions":
                folder, found = data.get("folder", now.folder), tuple(data.get("found", now.found))
                self._now = replace(now, folder=folder, found=found)
            case "seen":
                self._ledger.learn(data["files"])
            case "result":
                self._take(data)

    def standpoint(self, log: str = "", path: Path | None = None) -> Standpoint:
        """Where the run stands, whose log has that name and file."""
        self._history.settle()
        now = replace(self._now, conversation=tuple(self._history.messages), log=log, path=path)
        return replace(now, ledger=self._ledger, kept=tuple(self._kept.values()), kernels=tuple(self._kernels))

    def _begin(self, data: JsonObject) -> None:
        self._now = replace(self._now, found=tuple(data["found"]), folder=data["folder"], todo=_todo(data["todo"]))
        self._ledger.learn(data["files"])
        for each in data["kept"]:
            self._keep(each["spilled"], each["tool"])
        self._kernels = dict.fromkeys(data["kernels"])

    def _take(self, data: JsonObject) -> None:
        value, spilled = data["value"], data["metadata"].get("spilled")
        if data["name"] == "todo" and data["ok"]:
            self._now = replace(self._now, todo=_todo(data["view"]))
        if spilled:
            self._keep(spilled, data["name"])
        if isinstance(value, dict) and isinstance(value.get("kernel"), str):
            self._kernels[value["kernel"]] = None

    def _keep(self, spilled: JsonObject, tool: str) -> None:
        kept = Kept.of(spilled, tool, self._cwd)
        self._kept[kept.call_id] = kept


def standpoint_of(events: Iterable[Event], log: str = "", path: Path | None = None) -> Standpoint:
    """Where a run stands whose events these are, and whose log has that name and file.

    Raises:
        KeyError, TypeError, ValueError: if the events lack something.
    """
    surveyor = Surveyor()
    for event in events:
        surveyor.add(event)
    return surveyor.standpoint(log, path)


def _todo(view: JsonObject) -> Todo:
    todo = from_json(view)
    return todo if isinstance(todo, Todo) else Todo()
