import asyncio
import threading

import pytest

from cellwright import Allow, ScriptedModel, UsageError
from cellwright.runs.pausing import Breakpoints, Halt
from cellwright.selection import Selection

from ..scene import act, agent_of, calling, echo, kinds_of, plain, settled

TURNS = [calling(("echo", {"text": "x"})), calling(("echo", {"text": "y"}), "fail"), "done"]


def fails(args, env):
    raise ValueError("no")


async def halted(run):
    """Waits until the run does."""
    while not run.halts:
        assert not run.is_done, run
        await asyncio.sleep(0)


def taken(breakpoints, then):
    """The halts of a run that is taken on by these words, one for each halt."""
    seen = []

    async def meanwhile(run):
        run.set_breakpoints(breakpoints)
        for word in then:
            await halted(run)
            seen.append(run.halts[0])
            getattr(run, word)()
            await settled()

    run = asyncio.run(act(agent_of(TURNS, [echo, plain(fails, "fail")]), meanwhile))
    assert run.answer == "done"
    return run, [(halt.before, halt.turn or halt.tool, halt.why) for halt in seen]


def test_a_run_is_taken_on_turn_by_turn_and_call_by_call():
    run, seen = taken(Breakpoints(turns=True), ["step"] * 5 + ["go_on"])
    turn, call = ("turn", 2, "step"), ("call", "echo", "step")
    assert seen == [("turn", 1, "breakpoint"), call, turn, call, ("call", "fail", "step"), ("turn", 3, "step")]
    assert len(kinds_of(run, "paused")) == len(kinds_of(run, "continued")) == 6


def test_a_run_stops_before_a_tool_and_after_a_failure():
    _, seen = taken(Breakpoints(tools=["fail"], errors=True), ["go_on", "go_on"])
    assert seen == [("call", "fail", "breakpoint"), ("turn", 3, "error")]


def test_a_tool_is_taken_out_of_a_run_that_goes_on():
    async def meanwhile(run):
        run.pause()
        await halted(run)
        with pytest.raises(UsageError, match="is no selection"):
            run.set_selection("echo")
        run.set_selection(Selection(deny={"echo"}))
        run.go_on()

    run = asyncio.run(act(agent_of([*TURNS[:1], "done"], [echo]), meanwhile))
    assert [result.error_type for result in run.results] == ["tool_not_allowed"]


def test_a_paused_run_is_steered_and_taken_on_from_another_thread():
    async def meanwhile(run):
        run.pause()
        await halted(run)
        assert run.halts == (Halt("turn", "pause", 1),)
        run.steer("quick")
        thread = threading.Thread(target=run.go_on)
        thread.start()
        thread.join()

    run = asyncio.run(act(agent_of(["done"]), meanwhile))
    assert [message.text for message in run.conversation] == ["go", "quick", "done"]


def test_a_paused_run_can_be_stopped_and_what_waits_was_never_begun():
    async def meanwhile(run):
        run.set_breakpoints(Breakpoints(tools=["echo"]))
        await halted(run)
        run.cancel()

    run = asyncio.run(act(agent_of(TURNS, [echo]), meanwhile))
    assert (run.stop_reason, run.results[0].error_type) == ("cancelled", "cancelled_before_start")
    assert kinds_of(run, "executing", "continued") == []


def test_sub_agents_wait_with_the_run():
    asked = []

    async def meanwhile(run):
        run.set_breakpoints(Breakpoints(tools=["echo"]))
        await halted(run)
        asked.append((run.halts[0].tool, kinds_of(run.children[0], "paused") != []))
        run.go_on()

    turns = [calling(("agent", {"task": "t", "prompt": "p"})), calling(("echo", {"text": "x"})), "said", "done"]
    asyncio.run(act(agent_of(turns, ["agent", echo], policy="dont_ask"), meanwhile))
    assert asked == [("echo", True)]


def test_a_mode_that_changes_in_a_pause_counts_for_the_call_that_waits():
    async def meanwhile(run):
        run.set_breakpoints(Breakpoints(tools=["write"]))
        await halted(run)
        run.set_mode("plan")
        run.go_on()

    tool = plain(lambda args, env: "x", "write", read_only=False)
    run = asyncio.run(act(agent_of([calling("write"), "done"], [tool], [Allow()]), meanwhile))
    assert run.results[0].error_type == "guard_denied"


@pytest.mark.parametrize("word", ["pause", "step", "go_on"])
def test_a_run_that_has_ended_is_not_taken_on(word):
    async def scene():
        run = await agent_of(["done"]).start("go")
        getattr(run, word)()

    with pytest.raises(UsageError, match="is not going on, so nothing holds for it"):
        asyncio.run(scene())


def test_a_run_without_breakpoints_never_waits():
    run = asyncio.run(act(agent_of([*[calling(("echo", {"text": "x"}))] * 3, "done"], [echo])))
    assert (kinds_of(run, "paused"), run.halts, type(run.model)) == ([], (), ScriptedModel)
