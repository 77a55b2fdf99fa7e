import asyncio

import pytest

from cellwright import UsageError
from cellwright.log.events import Log
from cellwright.messages import Call
from cellwright.result import failure
from cellwright.runs.budget import Spending
from cellwright.runs.pausing import Breakpoints, Halt, Pauses

from ..scene import settled


def test_breakpoints_name_tools_exactly():
    pauses = Pauses(Breakpoints(tools=["run"]))
    assert [pauses.stops_call(name) for name in ("run", "run_command")] == [True, False]
    with pytest.raises(UsageError, match=r"tools='run' is one text; write tools=\['run'\]"):
        Breakpoints(tools="run")


def test_a_failure_stops_only_where_a_breakpoint_is_on_failures():
    failed = [failure(Call("c1", "t", "{}"), "timeout", "late")]
    stops = []
    for breakpoints in (Breakpoints(), Breakpoints(errors=True)):
        pauses = Pauses(breakpoints)
        pauses.note(failed)
        stops.append(pauses.stops_turn())
    assert stops == [False, True]


async def waiting(pauses, log, spending):
    tasks = [asyncio.ensure_future(pauses.before_call(call, "t", log, spending)) for call in ("c1", "c2")]
    await settled()
    return tasks


def test_a_step_takes_the_first_on_and_the_others_wait():
    async def scene():
        pauses, log = Pauses(), Log()
        pauses.pause()
        tasks = await waiting(pauses, log, Spending())
        seen = [pauses.halts]
        for act in (pauses.step, pauses.go_on):
            act()
            await settled()
            seen.append(pauses.halts)
        await asyncio.gather(*tasks)
        return seen, pauses.stops_turn(), [event.kind for event in log.events]

    first, second = (Halt("call", "pause", call_id=call, tool="t") for call in ("c1", "c2"))
    seen, stops, kinds = asyncio.run(scene())
    assert (seen, stops) == ([(first, second), (second,), ()], False)
    assert kinds == ["paused", "paused", "continued", "continued"]


def test_the_time_of_a_budget_stands_still_in_a_pause():
    now = [0.0]

    async def scene():
        pauses, spending = Pauses(), Spending(clock=lambda: now[0])
        tasks = await waiting(pauses, Log(), spending)
        now[0] = 60.0
        pauses.go_on()
        await settled()
        await asyncio.gather(*tasks)
        return spending.seconds

    assert asyncio.run(scene()) == 0.0


def test_who_watches_is_told_of_each_place_and_changes_nothing_by_failing():
    async def scene():
        pauses, seen = Pauses(), []
        pauses.watchers += [lambda: 1 / 0, lambda: seen.append((pauses.is_asked, len(pauses.halts)))]
        tasks = await waiting(pauses, Log(), Spending())
        pauses.go_on()
        await asyncio.gather(*tasks)
        return seen

    assert asyncio.run(scene()) == [(True, 1), (True, 2), (False, 1), (False, 0)]
