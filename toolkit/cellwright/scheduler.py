"""Many calls of one turn: what may overlap does, the rest waits its turn.

Consecutive calls that are known, safe to overlap and sure not to ask form a batch that runs in a bounded pool;
every other call runs alone, after all before it and before all after it. So questions come one at a time, in the
model's order. The rule that must never break: results are written in the order of the calls, whatever ended first,
and each call gets one, also when the run is stopped half way.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace

from cellwright.arguments import ArgumentsError, read_arguments
from cellwright.limits import TURN_LIMIT
from cellwright.messages import Call
from cellwright.passage import Setup, deliver
from cellwright.pipeline import not_started, run_call
from cellwright.result import Result

POOL = 10
"""Calls that run at once at most."""


async def run_calls(calls: Sequence[Call], setup: Setup) -> tuple[Result, ...]:
    """The results of a turn's calls, in the order of the calls. After one that stops the run, the rest is not begun."""
    results: list[Result] = []
    order = InOrder(calls)
    setup = replace(setup, commit=order.commit)
    for batch in batches(calls, setup):
        if any(result.stops_run for result in results):
            results.extend([await run_call(call, setup, not_started(call)) for call in batch])
        elif len(batch) == 1:
            results.append(await run_call(batch[0], setup))
        else:
            results.extend(await _overlapping(batch, setup))
    return tuple(order.written.get(result.call.id, result) for result in results)


def batches(calls: Sequence[Call], setup: Setup) -> Iterator[tuple[Call, ...]]:
    """The calls in groups that run one after another; within a group calls overlap."""
    group: list[Call] = []
    for call in calls:
        if len(calls) > 1 and may_overlap(call, setup):
            group.append(call)
            continue
        if group:
            yield tuple(group)
            group = []
        yield (call,)
    if group:
        yield tuple(group)


def may_overlap(call: Call, setup: Setup) -> bool:
    """Whether a call is known, safe to overlap with others, and sure not to ask."""
    tool = setup.registry.get(call.name)
    if tool is None or any(hook.is_for("before_call", call.name) for hook in setup.hooks):
        return False  # a hook may ask about the call, or make another of it
    try:
        args, _ = read_arguments(call.arguments, tool.input_schema)
    except ArgumentsError:
        return False  # its way ends before it runs, and its error comes in its turn
    if tool.input_schema.problems(args) or not tool.trait("concurrency_safe", args):
        return False
    return setup.policy.surely_allows(tool, args, setup.env)


async def _overlapping(batch: Sequence[Call], setup: Setup) -> list[Result]:
    pool = asyncio.Semaphore(POOL)

    async def run(call: Call) -> Result:
        try:
            async with pool:
                return await run_call(call, setup)
        except asyncio.CancelledError:
            return await run_call(call, setup, not_started(call))

    tasks = [asyncio.create_task(run(call)) for call in batch]
    try:
        await asyncio.wait(tasks)
    except asyncio.CancelledError:
        for task in tasks:
            task.cancel()
        await _all_ended(tasks)
    return [
        await run_call(call, setup, not_started(call)) if task.cancelled() else task.result()
        for call, task in zip(batch, tasks, strict=True)
    ]  # a task that is cancelled before its first step never ran its own `except`


async def _all_ended(tasks: list[asyncio.Task[Result]]) -> None:
    """Waits for all, however often the waiting is cancelled: each ends within its tool's grace."""
    while not all(task.done() for task in tasks):
        try:
            await asyncio.wait(tasks)
        except asyncio.CancelledError:
            for task in tasks:
                task.cancel()


class InOrder:
    """Holds results back until those of all earlier calls are written, and shares the room of a turn among them."""

    def __init__(self, calls: Sequence[Call]) -> None:
        self.written: dict[str, Result] = {}
        """The results as they were written, by the id of the call."""
        self._waiting = [call.id for call in calls]
        self._done: dict[str, tuple[Result, int]] = {}
        self._room = TURN_LIMIT

    def commit(self, setup: Setup, result: Result, limit: int) -> Result:
        """Cuts and writes this result, or keeps it until it is its turn; the result as far as it is known by then."""
        self._done[result.call.id] = result, limit
        while self._waiting and self._waiting[0] in self._done:
            earliest = self._waiting.pop(0)
            written = deliver(setup, *self._done.pop(earliest), self._room)
            self.written[earliest] = written
            self._room = max(0, self._room - len(written.content))
        return self.written.get(result.call.id, result)
