"""A run of which its log is left: what can be asked of it as of one that goes on.

Whoever looks at a run asks for its prompt, its answer, the way of a call, what it used. Whether it goes on in this
kernel, ended an hour ago or was recorded last year in another one makes no difference to the question, so it makes none
to the words: a recorded run has the names of `Run`. The rule that must never break: it says nothing that its events do
not say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from cellwright.errors import LogError
from cellwright.log.events import Event, Log
from cellwright.log.log_file import logs_of_agents
from cellwright.log.log_reading import read_file
from cellwright.log.requests import Asked, requests
from cellwright.log.saved_message import result_of
from cellwright.log.trace import Trace, trace_of
from cellwright.messages import Call, Conversation, JsonObject, Usage
from cellwright.result import Result
from cellwright.runs.desk import Desk, ScriptedDesk
from cellwright.sessions.standpoint import Standpoint, standpoint_of
from cellwright.text.quantity import quantity
from cellwright.undo.snapshots import Snapshots
from cellwright.undo.undoable import Undoable
from cellwright.undo.undoing import Undoing
from cellwright.views.view import from_json


@contextmanager
def understood() -> Iterator[None]:
    """While events are read that may not be what they should."""
    try:
        yield
    except (LookupError, TypeError, AttributeError, ValueError, RecursionError) as error:
        raise LogError(f"the log of a run lacks something ({error!r:.200}); it was changed, or is no log") from None


class RecordedRun(Undoable):
    """A run as its events tell it.

    Raises:
        LogError: if the events are not those of a run, or lack something.
    """

    def __init__(self, events: Sequence[Event], log: str = "", path: Path | None = None) -> None:
        self.events = tuple(events)
        self.log, self.path = log, path
        """The name of its log, and the file."""
        self.desk: Desk = ScriptedDesk()
        """The notebooks that are open before the person; a front end lays its own here, so that an undo heeds them."""
        with understood():
            self.standpoint: Standpoint = standpoint_of(self.events, log, path)
            """Where it stands; what a run that goes on from it begins with."""
            self.results = tuple(_results(self.events))
            started = self.events[0].data
            self.id, self.prompt, self.model_name, self.mode = (
                started[name] for name in ("run", "prompt", "model", "mode")
            )
            ended: JsonObject = next((event.data for event in self.events if event.kind == "run_ended"), {})
            self.stop_reason: str | None = ended.get("stop_reason")
            """None while it goes on."""
            self.answer, self.error = str(ended.get("answer", "")), str(ended.get("error", ""))
            self.usage = Usage(**ended.get("usage", {}))
            self.cost: float | None = ended.get("cost")
            self.steps = int(ended.get("steps", 0))

    @property
    def conversation(self) -> Conversation:
        """What was said."""
        return self.standpoint.conversation

    @property
    def is_done(self) -> bool:
        """Whether the run has ended."""
        return self.stop_reason is not None

    @property
    def children(self) -> tuple[RecordedRun, ...]:
        """Its sub-agents, read from their logs, which stand beside its own file.

        Raises:
            LogError: if one of them can't be read.
        """
        paths = logs_of_agents(self.path, self.log) if self.path else ()
        return tuple(RecordedRun(log.events, log.id, path) for path in paths for log in read_file(path).logs)

    def result(self, call_id: str) -> Result:
        """The result of a call.

        Raises:
            KeyError: if there is no such call.
        """
        return {result.call.id: result for result in self.results}[call_id]

    def requests(self) -> Iterator[Asked]:
        """What the model was asked in each turn.

        Raises:
            LogError: if the log lacks something of it.
        """
        with understood():
            yield from requests(self.events)

    def trace(self, call_id: str) -> Trace:
        """The way of a call: the stages it passed, who decided what, and the time in each.

        Raises:
            KeyError: if there is no such call.
            LogError: if the log lacks something of it.
        """
        self.result(call_id)
        with understood():
            return trace_of(self.events, call_id)

    def undoing(self) -> Undoing:
        """Who takes back what its calls did, in the working folder that its log names."""
        log = Log.continued(self.events, self.log, self.path)

        def tell(text: str) -> None:
            self.events = tuple(log.events)
            self.standpoint = standpoint_of(self.events, self.log, self.path)

        return Undoing(log, Path(self.events[0].data["cwd"]), Snapshots(), tell, self.desk)

    def __repr__(self) -> str:
        state = self.stop_reason or "running"
        done = f"{quantity(self.steps, 'step')}, {quantity(len(self.results), 'call')}"
        return f"<RecordedRun {self.id}: {state}, {done}>"


def _results(events: Sequence[Event]) -> Iterator[Result]:
    """In the order in which they were written; those of calls that code made among them."""
    calls = {event.data["id"]: event.data for event in events if event.kind == "call"}
    for data in (event.data for event in events if event.kind == "result"):
        call = Call(data["id"], data["name"], calls[data["id"]]["arguments"])
        view = from_json(data["view"]) if data["view"] else None
        told = result_of(data["id"], data)
        yield Result(
            call,
            data["ok"],
            data["content"],
            data["value"],
            view,
            data["error_type"],
            told.images,
            data["context"],
            metadata=data["metadata"],
        )
