"""Where a run waits for the person who takes it apart: at a pause, at a breakpoint, step by step.

A run goes too fast to be watched. So before each turn of the model and before each call of a tool there is a place at
which it may wait: because the person asked for a pause, because a breakpoint says so, or because something went wrong.
While it waits nothing begins, time of its budget stands still, and it can be steered, forked and stopped like any run.
A call waits after it was allowed and before it is checked for the last time, so what has changed meanwhile counts. The
rule that must never break: while a run is paused, no turn and no tool of it, or of its sub-agents, begins.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from typing import Literal

from msgspec import Struct
from msgspec.structs import force_setattr

from cellwright.errors import UsageError
from cellwright.log.events import Log
from cellwright.messages import JsonObject
from cellwright.result import Result
from cellwright.runs.budget import Spending
from cellwright.spelling import Spelling

Why = Literal["pause", "step", "breakpoint", "error"]
"""Whether the person asked for it, took one step, a breakpoint is there, or a call failed."""


class Breakpoints(Struct, frozen=True, metaclass=Spelling):
    """Where a run stops by itself.

    Raises:
        UsageError: if `tools` is one text, whose letters would be taken for names.
    """

    tools: Collection[str] = frozenset()
    """Before a call of one of these tools, by their exact names."""
    turns: bool = False
    """Before each turn of the model."""
    errors: bool = False
    """After a call that failed, before anything else begins."""

    def __post_init__(self) -> None:
        if isinstance(self.tools, str):
            raise UsageError(f"tools={self.tools!r} is one text; write tools=[{self.tools!r}]")
        force_setattr(self, "tools", frozenset(self.tools))


class Halt(Struct, frozen=True):
    """A place at which a run waits."""

    before: Literal["turn", "call"]
    why: Why
    turn: int = 0
    """The number of the turn that is to begin."""
    call_id: str = ""
    tool: str = ""
    """The call that is to begin."""

    def as_data(self) -> JsonObject:
        """What its events hold."""
        place = {"turn": self.turn} if self.before == "turn" else {"id": self.call_id, "name": self.tool}
        return {"before": self.before, **place, "why": self.why}


class Pauses:
    """The places at which one run waits now, and whether more is to. For the run's own event loop."""

    def __init__(self, breakpoints: Breakpoints | None = None) -> None:
        self.breakpoints = breakpoints or Breakpoints()
        self.watchers: list[Callable[[], None]] = []
        """Are called when it has come to a place at which it waits, and when it goes on from there; also for the places
        of sub-agents, which are told in their own logs."""
        self._why: Why | None = None
        self._waiting: list[tuple[Halt, asyncio.Event]] = []

    @property
    def halts(self) -> tuple[Halt, ...]:
        """The places at which it waits, in the order in which it came there; calls that overlap wait side by side."""
        return tuple(halt for halt, _ in self._waiting)

    @property
    def is_asked(self) -> bool:
        """Whether all waits that comes to a place where it can."""
        return self._why is not None

    def pause(self, why: Why = "pause") -> None:
        """From now on all waits that comes to a place where it can."""
        self._why = self._why or why

    def step(self) -> None:
        """Lets the first that waits go on; what comes next waits. If nothing waits, it is a pause."""
        self._why = "step" if self._waiting else "pause"
        for event in [event for _, event in self._waiting if not event.is_set()][:1]:
            event.set()

    def go_on(self) -> None:
        """Lets all go on."""
        self._why = None
        for _, event in self._waiting:
            event.set()

    def note(self, results: Iterable[Result]) -> None:
        """What came of calls; a breakpoint may be on failures."""
        if self.breakpoints.errors and any(not result.ok for result in results):
            self.pause("error")

    def stops_turn(self) -> bool:
        """Whether the next turn has to wait."""
        return self._why is not None or self.breakpoints.turns

    def stops_call(self, tool: str) -> bool:
        """Whether a call of this tool has to wait."""
        return self._why is not None or tool in self.breakpoints.tools

    async def before_turn(self, turn: int, log: Log, spending: Spending) -> None:
        """Waits before a turn of the model."""
        await self._wait(Halt("turn", self._why or "breakpoint", turn), log, spending)

    async def before_call(self, call_id: str, tool: str, log: Log, spending: Spending) -> None:
        """Waits before a call."""
        await self._wait(Halt("call", self._why or "breakpoint", call_id=call_id, tool=tool), log, spending)

    async def _wait(self, halt: Halt, log: Log, spending: Spending) -> None:
        self.pause(halt.why)
        log.record("paused", **halt.as_data())
        place = halt, asyncio.Event()
        self._waiting.append(place)
        self._tell()
        try:
            with spending.asking():
                await place[1].wait()
        finally:
            self._waiting.remove(place)
            self._tell()
        log.record("continued", **halt.as_data())

    def _tell(self) -> None:
        for watcher in self.watchers:
            with suppress(Exception):  # whoever watches changes nothing, also not by failing
                watcher()
