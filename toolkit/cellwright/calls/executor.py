"""The calls of one turn on their way, begun while the model still writes.

Each call is taken as soon as its block is complete in the model's stream, and goes from queued to executing, completed
and yielded. What may overlap with all that is running starts at once, in a pool that is refilled as calls end; what
may not waits until all before it have ended, and runs alone. Results are held back until those of all earlier calls
are written. The rule that must never break: results come in the order of the calls, whatever ended first, and every
call that was taken gets exactly one, however the turn ends.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections import deque
from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from cellwright.calls.limits import TURN_LIMIT
from cellwright.calls.outcome_stages import UNKNOWN_TOOL_CHARS
from cellwright.calls.passage import Setup, deliver
from cellwright.calls.pipeline import not_started, run_call
from cellwright.calls.scheduler import Batch, Place
from cellwright.messages import Call, told
from cellwright.person.question import Promises
from cellwright.result import Result, failure
from cellwright.runs.alarm import Alarm


class Executor:
    """Takes the calls of one turn, in their order; what it starts belongs to the task group of the run."""

    def __init__(self, setup: Setup, tasks: asyncio.TaskGroup) -> None:
        self.stopped = ""
        """Why nothing more is begun; empty while all goes on."""
        self._setup = setup
        self._tasks = tasks
        self._places: list[Place] = []
        self._running: dict[Place, asyncio.Task[None]] = {}
        self._next = 0
        """The place of the first call that is not begun."""
        self.alarm: Alarm | None = None
        """Around the reading of the stream: a result that stops the run ends it."""

    def take(self, call: Call) -> None:
        """Takes a call whose block is complete, and begins it if it may begin now."""
        self._add((call,))
        self._advance()

    async def finish(self, calls: Sequence[Call]) -> tuple[Result, ...]:
        """The results of all calls of the turn, those that were taken and the rest; each has been written.

        Cancelling it stops the calls, and it still comes to its end; twice stops waiting for a tool to end.
        """
        if len(calls) == 1 and not self._places:
            return (await self._alone(calls[0]),)
        self._add(calls[len(self._places) :])
        self._advance()
        while self._running:
            try:
                await asyncio.wait(set(self._running.values()))
            except asyncio.CancelledError:
                self.cancel()
        await self._make_up()
        if self._places:
            self._batch.end()
        return tuple(place.result for place in self._places if place.result)

    def cancel(self) -> None:
        """Stops what is running and begins nothing more."""
        self.stopped = self.stopped or "cancelled"
        for place in self._running:
            self._stop(place)

    async def _alone(self, call: Call) -> Result:
        """The only call of its turn, when the turn has ended, needs no task and nothing to keep its order."""
        try:
            result = await run_call(call, self._setup, not_started(call) if self.stopped else None)
        except Exception as error:
            result = deliver(self._setup, _lost(self._setup, call, error), UNKNOWN_TOOL_CHARS)
        self.stopped = self.stopped or result.stops_run
        if result.context_change:
            self._setup.standing.apply(result.context_change, self._setup.log, call.id)
        return result

    def _add(self, calls: Sequence[Call]) -> None:
        if calls and not self._places:
            self._order = InOrder()
            order = self._order
            self._setup = replace(
                self._setup,
                commit=order.commit,
                failed_sibling=order.failed_sibling,
                behind=order.behind,
                promises=Promises(),
            )
            self._batch = Batch(self._setup)
            self._context = contextvars.copy_context()
        for call in calls:
            self._places.append(self._order.expect(call))

    def _advance(self) -> None:
        while self._next < len(self._places) and self._may_begin(self._places[self._next]):
            place = self._places[self._next]
            self._next += 1
            self._batch.begin(place)
            # A context of its own, whoever it is begun by: what one call sets there is nothing to the next.
            task = self._tasks.create_task(self._run(place), context=self._context.copy())
            self._running[place] = task
            task.add_done_callback(partial(self._ended, place))

    def _may_begin(self, place: Place) -> bool:
        if self.stopped:
            return True  # it is only told that it is not begun
        if self._batch.is_full:
            return False
        if self._batch.takes(place):
            return True
        if self._batch.running:
            return False
        self._end_batch()
        return True

    async def _run(self, place: Place) -> None:
        """Takes a call through its stages. A task is never cancelled before it comes here, so this always happens."""
        place.state = "executing"
        refused = self.stopped or place.sibling
        refusal = not_started(place.call, "" if self.stopped else place.sibling) if refused else None
        try:
            await run_call(place.call, self._setup, refusal)
        except GeneratorExit:  # the event loop is gone
            raise
        except BaseException as error:  # one that escaped would end its siblings
            self._order.commit(self._setup, _lost(self._setup, place.call, error), UNKNOWN_TOOL_CHARS)

    def _stop(self, place: Place) -> None:
        if place.state == "executing":
            self._running[place].cancel()

    def _ended(self, place: Place, task: asyncio.Task[None]) -> None:
        del self._running[place]
        self._batch.running.discard(place)
        result = place.outcome[0] if place.outcome else not_started(place.call)
        if result.stops_run and not self.stopped:
            self.stopped = result.stops_run
            if self.alarm:
                self.alarm.ring()
        elif not result.ok:
            for sibling in self._batch.fail(place):
                self._stop(sibling)
        elif result.context_change and not self._batch.running and not place.is_safe(self._setup):
            self._end_batch()  # it ran alone, so what it changes holds at once
        self._advance()

    def _end_batch(self) -> None:
        self._batch.end()
        self._batch = Batch(self._setup)

    async def _make_up(self) -> None:
        """Gives their results to calls that were lost: a closing event loop cancels tasks before their first step."""
        for place in self._places:
            if place.state == "queued":
                await run_call(place.call, self._setup, not_started(place.call))
            elif place.outcome is None:
                lost = _lost(self._setup, place.call, LookupError("no result came of it"))
                self._order.commit(self._setup, lost, UNKNOWN_TOOL_CHARS)


class InOrder:
    """Holds results back until those of all earlier calls are written, and shares the room of a turn among them."""

    def __init__(self) -> None:
        self._places: dict[str, Place] = {}
        self._waiting: deque[Place] = deque()
        self._room = TURN_LIMIT

    def expect(self, call: Call) -> Place:
        """The place of a call that comes next."""
        place = Place(call)
        self._places[call.id] = place
        self._waiting.append(place)
        return place

    def commit(self, setup: Setup, result: Result, limit: int) -> Result:
        """Cuts and writes this result, or keeps it until it is its turn; the result as far as it is known by then."""
        mine = self._places[result.call.id]
        if mine.outcome is None:
            mine.outcome, mine.state = (result, limit), "completed"
        while self._waiting and self._waiting[0].outcome is not None:
            earliest = self._waiting.popleft()
            earliest.result = self._deliver(setup, earliest)
            earliest.state = "yielded"
            self._room = max(0, self._room - len(earliest.result.content))
        return mine.result or result

    def behind(self, call: Call) -> tuple[Call, ...]:
        """The calls that wait behind one; none for a call that is not of this turn, as one made by code."""
        if call.id not in self._places:
            return ()
        return tuple(place.call for place in self._places.values() if place.state == "queued")

    def failed_sibling(self, call: Call) -> str:
        """The command that failed beside a call, and for which it is stopped."""
        place = self._places.get(call.id)
        return place.sibling if place else ""

    def _deliver(self, setup: Setup, place: Place) -> Result:
        if place.outcome is None:
            raise LookupError(f"call {place.call.id} is not done")
        try:
            return deliver(setup, *place.outcome, self._room)
        except Exception as error:  # it may be that of another call, which must not suffer for it
            return deliver(setup, _lost(setup, place.call, error), UNKNOWN_TOOL_CHARS)


def _lost(setup: Setup, call: Call, error: BaseException) -> Result:
    why = setup.log.masking.text(told(error))
    return failure(call, "internal_error", f"Cellwright failed ({why}); the call was not finished")
