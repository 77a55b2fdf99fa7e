"""A call on its way, and what surrounds it: the value that the stages hand on.

`Setup` holds for every call of a run, `Passage` is one call with what is known of it so far. A stage writes what it
found out into the passage, and only that; the arguments of a call that may run are a text by then, which nothing can
change.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from cellwright.calls.around import Around
from cellwright.calls.conditions import Standing
from cellwright.calls.execution import Outcome
from cellwright.calls.limits import TURN_LIMIT
from cellwright.calls.repetition import Repetition
from cellwright.calls.spill import READER
from cellwright.codec import copied, to_json
from cellwright.context.context_window import ContextWindow
from cellwright.env import Env
from cellwright.hooks.hook import Hook, HookAnswer
from cellwright.log.events import Log
from cellwright.messages import Call, JsonObject, told
from cellwright.permission.decision import Decision
from cellwright.permission.grant import Grants
from cellwright.permission.policy import Policy
from cellwright.person.approval import Approver
from cellwright.person.question import Promises
from cellwright.registry import Registry
from cellwright.result import ErrorType, Result, failure
from cellwright.runs.pausing import Pauses
from cellwright.selection import Selection
from cellwright.surface import Listing, Surface
from cellwright.tool import Output, Tool
from cellwright.undo.snapshots import Snapshots
from cellwright.unknown_names import unknown_names
from cellwright.views.view import as_json


def write_result(log: Log, result: Result) -> None:
    """The `result` event of one call, whose secrets are masked."""
    masked = {"id": log.masking.own(result.call.id), "name": log.masking.own(result.call.name)}
    log.keep("result", {**result_data(result), **masked})


def result_data(result: Result) -> JsonObject:
    """What a `result` event holds; nobody else holds it."""
    return {
        "id": result.call.id,
        "name": result.call.name,
        "ok": result.ok,
        "error_type": result.error_type,
        "content": result.content,
        "value": copied(result.value),
        "metadata": copied(result.metadata),
        "view": as_json(result.view) if result.view else None,
        "images": to_json(result.images) if result.images else [],
        "context": result.context,
    }


def close_calls(log: Log, why: str) -> None:
    """Writes a result for each call that has none, where nothing else can be done any more."""
    answered = {event.data["id"] for event in log.events if event.kind == "result"}
    for event in [event for event in log.events if event.kind == "call" and event.data["id"] not in answered]:
        call = Call(event.data["id"], event.data["name"], event.data["arguments"])
        write_result(log, failure(call, "cancelled", why))


def deliver(setup: Setup, result: Result, limit: int, room: int = TURN_LIMIT) -> Result:
    """Cuts a result to its limit and to the room that the turn has left, and writes it into the log."""
    fitted = setup.env.spill.fitted(result, limit, room, setup.registry.get(READER) is not None)
    write_result(setup.log, fitted)
    return fitted


async def close_all(setup: Setup) -> None:
    """Ends what lives as long as the run; each does so in full, however often the run is stopped meanwhile."""
    for close in setup.closing:
        try:
            await close()
        except (asyncio.CancelledError, KeyboardInterrupt):
            continue
        except Exception as error:
            setup.log.record("note", text=f"something of this run could not be closed: {told(error)}")


def _none(call: Call) -> str:
    return ""


def _no_calls(call: Call) -> tuple[Call, ...]:
    return ()


class Setup(Struct, frozen=True):
    """What holds for every call of one run."""

    registry: Registry
    env: Env
    standing: Standing
    """The conditions under which calls are judged, which can change while the run goes on."""
    approver: Approver
    log: Log
    timeout: float | None = None
    """Seconds a tool may run that does not say so itself; None for no limit."""
    repetition: Repetition = field(default_factory=Repetition)
    commit: Callable[[Setup, Result, int], Result] = deliver
    """Cuts a result to its limit and writes it into the log, in the order that the calls were made."""
    failed_sibling: Callable[[Call], str] = _none
    """The command that failed beside a call, which is stopped for that; empty if there is none."""
    hooks: tuple[Hook, ...] = ()
    """Asked in this order."""
    within: str = ""
    """The id of the call whose code makes these calls; empty for the calls of the model."""
    closing: tuple[Callable[[], Awaitable[None]], ...] = ()
    """What ends with the run: each is awaited at its end, however it ends."""
    around: tuple[Around, ...] = ()
    """Put around the running of each tool, the first outermost."""
    window: ContextWindow | None = None
    """How much the model can be sent; None if that is not known, and then nothing is made shorter."""
    surface: Surface = field(default_factory=Surface)
    """What the run shows its model of the registry."""
    grants: Grants = field(default_factory=Grants)
    """What a person granted when asked; it holds for later calls."""
    snapshots: Snapshots = field(default_factory=Snapshots)
    """The copies of files as they were before each change."""
    pauses: Pauses = field(default_factory=Pauses)
    """Where the run waits for the person who takes it apart; its sub-agents wait with it."""
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while a person is asked: they read one question at a time, those of sub-agents included."""
    behind: Callable[[Call], tuple[Call, ...]] = _no_calls
    """The calls of the turn that wait behind one, as far as the model has written them."""
    promises: Promises = field(default_factory=Promises)
    """What the person allowed together with an earlier call of the turn."""

    notes: tuple[str, ...] = ()
    """What a person should know as the run begins, beside what is told of rules and selection."""

    def listing(self) -> Listing:
        """Begins a turn: what the model is shown in it."""
        return self.surface.renew(self.registry, self.standing.now, self.env)

    def tool(self, name: str) -> Tool | None:
        """The tool of this name that the turn began with; outside of a run, the one that there is now."""
        return (self.registry.tools if self.surface.tools is None else self.surface.tools).get(name)

    def refusal(self, tool: Tool) -> str:
        """Why a call of the tool may not run as things are now, or nothing if it may."""
        return self.surface.refusal(tool, self.registry, self.standing.now, self.env)

    def open_tools(self) -> Iterator[Tool]:
        """The tools that may be called as things are now, shown or not, each with the description of this run."""
        for tool in self.registry:
            if self.surface.is_open(tool, self.registry, self.standing.now, self.env):
                yield replace(tool, description=self.surface.definition(tool, self.env).description)

    @property
    def policy(self) -> Policy:
        """The mode and the rules as they are now, grants with them."""
        return self.grants.over(self.standing.now.policy)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a person should know as a run begins."""
        unknown = unknown_names(self.policy, self.selection, self.registry, self.hooks)
        return (*self.notes, *self.policy.remarks, *unknown)

    @property
    def selection(self) -> Selection:
        """The tools that are shown and may run, as it is now."""
        return self.standing.now.selection


class Passage(Struct):
    """A call on its way; it belongs to the one task that takes it along the stages."""

    call: Call
    setup: Setup
    env: Env
    tool: Tool | None = None
    """None until it was looked up."""
    args: JsonObject = field(default_factory=dict)
    repairs: tuple[str, ...] = ()
    changed_by: tuple[Hook, ...] = ()
    """The hooks that changed the arguments."""
    hook_answers: tuple[tuple[Hook, HookAnswer], ...] = ()
    """What hooks said of these arguments."""
    decision: Decision | None = None
    edited: str = ""
    """The canonical text of arguments that a person wrote; they are not asked about again."""
    left_out: str = ""
    """What the model is told of the operations that a person left out."""
    text: str = ""
    """The canonical text of the arguments as they were validated."""
    frozen: str = ""
    """The canonical text of the arguments that may run; what runs is read from it."""
    ready: JsonObject | None = None
    """The arguments as read from that text, for the tool and nobody else."""
    outcome: Outcome | None = None
    value: Any = None
    """What the tool gave, as JSON."""
    output: Output | None = None
    """What the tool says beside it, once there is a value."""
    result: Result | None = None
    is_masked: bool = False
    """Whether there are no secrets in the result."""
    back_to: str = ""
    """The name of an earlier stage to go back to, because the arguments changed."""
    stages_passed: int = 0
    """Counted from the first of the list; a stage to go back to counts as not passed."""
    times: dict[str, int] = field(default_factory=dict)
    """The nanoseconds in each of the stages passed."""

    @property
    def found(self) -> Tool:
        """The tool, once it was looked up."""
        if self.tool is None:
            raise LookupError(f"{self.call.name} was not looked up yet")
        return self.tool


class Refused(Exception):  # noqa: N818 (not an error: one of the ways a passage ends)
    """A stage ends the passage with a failure that the model reads."""

    def __init__(self, error_type: ErrorType, message: str, code: str = "") -> None:
        super().__init__(message)
        self.error_type = error_type
        self.message = message
        self.code = code
