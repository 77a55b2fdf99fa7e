"""Which calls of one turn go together: what may overlap does, the rest waits its turn.

Consecutive calls that are known, safe to overlap and sure not to ask form a batch; every other call is a batch of its
own, after all before it and before all after it. So questions come one at a time, in the model's order. What a batch
is depends on the calls and their order alone, never on how fast the model writes or a tool works. The rule that must
never break: the conditions stay as they are while a batch goes on; what its calls change holds from the next batch on.
The lesson is `notebooks/07_scheduler.ipynb`.
"""

from __future__ import annotations

from typing import Literal

from cellwright.arguments import ArgumentsError, read_arguments
from cellwright.calls.passage import Setup
from cellwright.messages import Call
from cellwright.result import Result

State = Literal["queued", "executing", "completed", "yielded"]
"""How far a call has come: its block is complete; it has begun; it is done; its result is written."""


class Place:
    """A call in the order of its turn, and how far it has come."""

    def __init__(self, call: Call) -> None:
        self.call = call
        self.state: State = "queued"
        self.outcome: tuple[Result, int] | None = None
        """The result with its limit, once it is done."""
        self.result: Result | None = None
        """The result as it was written."""
        self.sibling = ""
        """The command that failed beside this call, and for which it is stopped."""
        self._is_safe: bool | None = None

    def is_safe(self, setup: Setup) -> bool:
        """Whether the call may overlap with others; judged when it is first asked, so one that is alone never is."""
        if self._is_safe is None:
            self._is_safe = may_overlap(self.call, setup)
        return self._is_safe

    @property
    def title(self) -> str:
        """The call as its siblings are told of it."""
        return f"{self.call.name[:64]} (call {self.call.id[:64]})"


def may_overlap(call: Call, setup: Setup) -> bool:
    """Whether a call is known, safe to overlap, and sure to run without a question."""
    tool = setup.tool(call.name)
    if tool is None or any(hook.is_for("before_call", call.name) for hook in setup.hooks):
        return False  # a hook may ask about the call, or make another of it
    try:
        args, _ = read_arguments(call.arguments, tool.input_schema)
    except ArgumentsError:
        return False  # its way ends before it runs, and its error comes in its turn
    if tool.input_schema.problems(args) or not tool.trait("concurrency_safe", args):
        return False
    return setup.policy.surely_allows(tool, args, setup.env)


class Batch:
    """Calls that overlap, or one that runs alone. It ends when the next call does not belong to it."""

    def __init__(self, setup: Setup) -> None:
        self.places: list[Place] = []
        self.running: set[Place] = set()
        self.failed = ""
        """The command that failed in it, for which the rest of the batch is not begun."""
        self._setup = setup
        self._pool = 1

    @property
    def is_full(self) -> bool:
        """Whether a call must end before the next of the batch can begin."""
        return bool(self.running) and len(self.running) >= self._pool

    def takes(self, place: Place) -> bool:
        """Whether a call belongs to this batch; the first always does."""
        return not self.places or (self.places[0].is_safe(self._setup) and place.is_safe(self._setup))

    def begin(self, place: Place) -> None:
        """A call of the batch begins."""
        if not self.places:
            self._pool = self._setup.standing.now.max_parallel
        place.sibling = self.failed
        self.places.append(place)
        self.running.add(place)

    def fail(self, place: Place) -> list[Place]:
        """A call has failed; the siblings that are to be stopped for it, if it is a command."""
        tool = self._setup.tool(place.call.name)
        if self.failed or place.sibling or tool is None or not tool.command or not _was_run(place):
            return []
        self.failed = place.title
        for sibling in self.running:
            sibling.sibling = place.title
        return list(self.running)

    def end(self) -> None:
        """All its calls have ended: what they change holds from now on, in the order of the calls."""
        standing, log = self._setup.standing, self._setup.log
        for place in self.places:
            if place.result and place.result.context_change:
                standing.apply(place.result.context_change, log, place.call.id)


def _was_run(place: Place) -> bool:
    return place.outcome is not None and "execute" in place.outcome[0].metadata.get("stages", {})
