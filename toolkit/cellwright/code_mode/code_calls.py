"""The calls that one piece of code makes: each takes the way of every call, and ends in an answer for the code.

What a model may not do it may not have done by its code either, so a call from code passes the same stages, with
events of its own in the run's log, under an id that names the call it came from: `call_3.1`. Three things differ. The
answer is the tool's value, whole, since no model reads it; the failures that repetition counts are those of this
code, since a loop is not a model that is stuck; and a call ends when the code no longer waits for it. The rule that
must never break: no call outlives its code, and each that is in the log has its result there.
"""

from __future__ import annotations

import asyncio
import json
import time

from msgspec.structs import replace

from cellwright.calls.limits import cut
from cellwright.calls.passage import Setup, write_result
from cellwright.calls.pipeline import run_call
from cellwright.calls.repetition import Repetition
from cellwright.calls.scheduler import may_overlap
from cellwright.code_mode.code_bridge import stop
from cellwright.messages import Call, JsonObject
from cellwright.result import ErrorType, Result, failure
from cellwright.tool import Tool
from cellwright.waiting.lane import Lane

RUN_CODE = "run_code"
"""The name of the one tool that a model calls in code mode."""
MAX_CALLS = 1_000
"""Calls that one piece of code may make; the log keeps all of them."""
MAX_VALUE = 10_000_000
"""Characters of JSON that the code is given of one value."""


class CodeCalls:
    """The calls of one piece of code. `within` is the id of the call that runs it, `taken` holds all ids of the run."""

    def __init__(self, setup: Setup, within: str, taken: set[str]) -> None:
        self._taken = taken
        self.made = 0
        self.context: list[str] = []
        """The notes that came with the results, for the model."""
        self.stops_run = ""
        """Why the run must end, if a call said so."""
        self._setup = replace(setup, commit=_commit, repetition=Repetition(), within=within)
        self._lane = Lane(setup.standing.now.max_parallel)
        self._tasks: dict[asyncio.Task[object], None] = {}  # in the order of the calls, so that they end in it
        self._over = ""
        self._waited = 0.0
        self._waiting_since = 0.0

    async def answer(self, name: str, arguments: str) -> JsonObject:
        """Makes a call; what the code gets for it, as JSON. When cancelled, the call is stopped and has its result."""
        if self._over:
            return _refusal("cancelled_before_start", "", self._over)
        if self.made >= MAX_CALLS:
            message = f"this code has made {MAX_CALLS:,} calls, more are not made; go on in another piece of code"
            return _refusal("guard_denied", "too_many_calls", message)
        self.made += 1
        call = Call(self._new_id(), name, arguments)
        refusal = self._refused(call)
        task = asyncio.current_task()
        if task is None:
            raise LookupError("a call is made within a task")
        self._begin(task)
        try:
            async with self._lane.turn(lambda: may_overlap(call, self._setup)):
                result = await run_call(call, self._setup, refusal)
        finally:
            self._end(task)
        self._heed(result)
        return answer_of(result)

    async def end(self, why: str) -> None:
        """Stops what is still on its way, and refuses what comes later."""
        self._over = self._over or why
        stop(*self._tasks)
        if self._tasks:
            await asyncio.wait(self._tasks)

    def waited(self) -> float:
        """Seconds in which the code had calls on their way: not its own time."""
        return self._waited + (time.monotonic() - self._waiting_since if self._tasks else 0.0)

    def _new_id(self) -> str:
        """Such as `call_3.1`; another one if a model thought of the same before."""
        unique = f"{self._setup.within}.{self.made}"
        while unique in self._taken:
            unique += "-2"
        self._taken.add(unique)
        return unique

    def _refused(self, call: Call) -> Result | None:
        tool = self._setup.registry.get(call.name)
        if call.name != RUN_CODE and (tool is None or not tool.system):
            return None
        message = f"{call.name} can't be called from code; the model calls it directly"
        return failure(call, "tool_not_allowed", message)

    def _begin(self, task: asyncio.Task[object]) -> None:
        if not self._tasks:
            self._waiting_since = time.monotonic()
        self._tasks[task] = None

    def _end(self, task: asyncio.Task[object]) -> None:
        self._waited = self.waited()
        self._waiting_since = time.monotonic()
        self._tasks.pop(task, None)

    def _heed(self, result: Result) -> None:
        if result.context_change:
            self._setup.standing.apply(result.context_change, self._setup.log, result.call.id)
        if result.context:
            self.context.append(result.context)
        if result.stops_run not in ("", "cancelled"):  # "cancelled" is what every call says that the code gave up
            self.stops_run = result.stops_run
            self._over = "the run is ending, so no more calls are made"


def callable_tools(setup: Setup) -> tuple[Tool, ...]:
    """The tools that code can call: those that the model would be shown, but for the control-plane tools.

    Where code is what calls tools, a tool that runs code has nothing to add.
    """
    return tuple(tool for tool in setup.open_tools() if not tool.system and tool.name != RUN_CODE)


def answer_of(result: Result) -> JsonObject:
    """What code gets for a result: the value, or why there is none."""
    if not result.ok:
        return _refusal(result.error_type or "internal_error", result.metadata.get("code", ""), result.content)
    value = result.content if "replaced_by_hook" in result.metadata else result.value
    size = len(json.dumps(value))
    if size > MAX_VALUE:
        message = (
            f"{result.call.name} ran, but its value has {size:,} characters as JSON, and code is given at most "
            f"{MAX_VALUE:,}; ask for less at a time"
        )
        return _refusal("invalid_output", "too_large", message)
    return {"ok": True, "value": value}


def _refusal(error_type: ErrorType, code: str, message: str) -> JsonObject:
    return {"ok": False, "error_type": error_type, "code": code, "message": message}


def _commit(setup: Setup, result: Result, limit: int) -> Result:
    """Writes the result into the log at once, its content cut: no model waits for it, so there is nothing to spill."""
    cut_result = replace(result, content=cut(result.content, limit)[0])
    write_result(setup.log, cut_result)
    return cut_result
