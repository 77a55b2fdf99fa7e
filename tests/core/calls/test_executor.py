"""Calls that begin while the model still writes."""

import asyncio
import itertools
import threading
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from cellwright import Agent, Env, Policy, Registry, ScriptedApprover
from cellwright.calls.conditions import Conditions, Standing
from cellwright.calls.executor import InOrder
from cellwright.calls.passage import Setup
from cellwright.hooks.hook import Fail, Hook, StopRun
from cellwright.log.events import Log
from cellwright.messages import Call
from cellwright.models.model import CallPart, TextPart
from cellwright.result import Result
from cellwright.schema import Schema
from cellwright.tool import Output

from ..scene import BYPASS, Streams, act, calling, echo, is_sound, kinds_of, plain, play, returning, settled


class Bench:
    """Tools that go on until they are let go, and what is known of them."""

    def __init__(self):
        self.running, self.ran, self.begun, self.free = [], [], {}, {}
        self.tools = [
            plain(self.work, "safe", concurrency_safe=True),
            plain(self.work, "alone"),
            plain(self.work, "shell", STRING, concurrency_safe=True, command="n"),
        ]

    async def work(self, args, env):
        n = args["n"]
        self.running.append(n)
        self.ran.append(n)
        self.event(self.begun, n).set()
        try:
            await self.event(self.free, n).wait()
        finally:
            self.running.remove(n)
        if "fails" in n:
            raise ValueError(n)
        return n

    def event(self, events, n):
        return events.setdefault(n, asyncio.Event())

    def starts(self, n):
        """The stream goes on once this call has begun."""
        return lambda: self.event(self.begun, n).wait()

    def ends(self, *names):
        """These calls may end, and the stream goes on when they have."""

        async def let_go():
            for n in names:
                self.event(self.free, n).set()
            await settled()

        return let_go


PATH = {"type": "object", "properties": {"path": {"type": "string"}}}
STRING = {"type": "object", "properties": {"n": {"type": "string"}}}


async def forever():
    await asyncio.Event().wait()


def safe(n):
    return ("safe", {"n": n})


def alone(n):
    return ("alone", {"n": n})


def shell(n):
    return ("shell", {"n": n})


def stream(bench, *parts, meanwhile=None, **conditions):
    """A run of which these are the parts of the first turn."""
    conditions.setdefault("approver", ScriptedApprover([]))
    conditions.setdefault("policy", BYPASS)
    agent = Agent(Streams(*parts), bench.tools, **conditions)
    return asyncio.run(act(agent, meanwhile))


def outcomes(run):
    return [result.error_type or result.value for result in run.results]


def order_of(run, *kinds):
    return [event.data.get("id", event.kind) for event in kinds_of(run, *kinds)]


def test_a_call_begins_and_ends_while_the_model_still_writes():
    bench = Bench()
    run = stream(bench, safe("a"), bench.starts("a"), bench.ends("a"), TextPart("more"))
    assert order_of(run, "call", "result", "message")[:3] == ["call_1", "call_1", "message"]
    assert (outcomes(run), run.conversation[1].text, run.answer) == (["a"], "more", "done")


def test_a_tool_that_blocks_its_thread_runs_beside_the_stream():
    begun, free = threading.Event(), threading.Event()

    def block(args, env):
        begun.set()
        return free.wait(20)

    async def goes_on():
        while not begun.is_set():
            await asyncio.sleep(0.001)
        free.set()

    bench = Bench()
    bench.tools.append(plain(block))
    assert outcomes(stream(bench, ("block", {}), goes_on)) == [True]


def test_what_must_run_alone_may_begin_in_the_stream_and_holds_back_the_rest():
    bench, seen = Bench(), []

    async def look():
        await settled()
        seen.append(list(bench.running))

    parts = [alone("a"), safe("b"), safe("c"), look, bench.ends("a"), look, alone("d"), look, bench.ends("b", "c")]
    run = stream(bench, *parts, look, bench.ends("d"))
    assert seen == [["a"], ["b", "c"], ["b", "c"], ["d"]]
    assert outcomes(run) == ["a", "b", "c", "d"]


def test_a_call_that_is_done_is_held_back_until_those_before_it_are_yielded(tmp_path):
    order, env = InOrder(), Env(tmp_path)
    setup = Setup(Registry(), env, Standing(Conditions(Policy())), ScriptedApprover([]), Log())
    calls = [Call(name, "t", "{}") for name in ("c1", "c2")]
    places, states = [order.expect(call) for call in calls], []
    for call in (None, *reversed(calls)):
        if call:
            order.commit(setup, Result(call, True, call.id), 100)
        states.append([place.state for place in places])
    assert states == [["queued", "queued"], ["queued", "completed"], ["yielded", "yielded"]]
    assert [event.data["id"] for event in setup.log.events] == ["c1", "c2"]


def test_a_result_waits_for_those_before_it():
    bench, told = Bench(), []

    async def look():
        told.append(order_of(runs[0], "result"))

    async def begin(run):
        runs.append(run)

    runs = []
    parts = [safe("a"), safe("b"), safe("c"), bench.starts("c"), bench.ends("c"), look, bench.ends("a"), look]
    stream(bench, *parts, bench.ends("b"), look, meanwhile=begin)
    assert told == [[], ["call_1"], ["call_1", "call_2", "call_3"]]


def test_a_stream_that_breaks_off_closes_each_call_it_opened():
    bench = Bench()
    bench.event(bench.free, "done").set()
    parts = [safe("done"), safe("runs"), settled, alone("queued"), CallPart(9, "", "safe", '{"n')]
    run = stream(bench, TextPart("so far"), *parts, ConnectionError("lost"))
    assert (run.stop_reason, run.error) == ("model_error", "the model's stream broke off: ConnectionError: lost")
    assert outcomes(run) == ["done", "cancelled", "cancelled_before_start", "cancelled_before_start"]
    assert [call.complete for call in run.conversation[1].calls] == [True, True, True, False]
    assert (run.conversation[1].text, run.conversation[1].stop) == ("so far", "broken")


def test_a_run_that_is_stopped_in_mid_stream_closes_each_call():
    bench = Bench()

    async def stop(run):
        await bench.starts("b")()
        run.cancel()

    run = stream(bench, TextPart("hm"), safe("a"), safe("b"), alone("c"), forever, meanwhile=stop)
    assert (run.stop_reason, run.error) == ("cancelled", "")
    assert outcomes(run) == ["cancelled", "cancelled", "cancelled_before_start"]
    assert (run.conversation[1].text, run.steps) == ("hm", 0)


def interrupts(args, env):
    raise KeyboardInterrupt


STOPPING = {
    "an interrupt": ({}, "interrupts", ""),
    "a hook": ({"hooks": [Hook("after_call", lambda occasion: StopRun("enough"), {"give"})]}, "give", "enough"),
}


@pytest.mark.parametrize("who", STOPPING)
def test_a_result_that_stops_the_run_ends_the_reading_of_the_stream(who):
    conditions, name, why = STOPPING[who]
    bench = Bench()
    bench.tools += [plain(interrupts), plain(lambda args, env: "x", "give")]
    run = stream(bench, (name, {}), safe("never"), forever, **conditions)
    assert run.stop_reason == "cancelled"
    assert run.error.endswith(why)
    assert outcomes(run)[1] == "cancelled_before_start"
    assert bench.ran == []


def test_a_model_that_keeps_a_stop_to_itself_stops_all_the_same():
    async def clings():
        with suppress(asyncio.CancelledError):
            await forever()

    bench = Bench()
    bench.tools.append(plain(interrupts))
    run = stream(bench, ("interrupts", {}), clings, safe("never"))
    assert (run.stop_reason, outcomes(run), bench.ran) == ("cancelled", ["cancelled", "cancelled_before_start"], [])


def test_a_failing_command_stops_the_siblings_that_were_started_with_it_and_the_run_goes_on():
    bench = Bench()
    parts = [safe("done"), bench.ends("done"), safe("a"), shell("fails"), shell("b"), bench.starts("b")]
    run = stream(bench, *parts, bench.ends("fails"), safe("late"), alone("next"), bench.ends("next"))
    expected = ["done", "cancelled", "tool_error", "cancelled", "cancelled_before_start", "next"]
    assert (outcomes(run), run.answer) == (expected, "done")
    assert run.results[1].content == (
        "shell (call call_3) failed, which ran beside this call, and so it was stopped while safe was running"
    )
    assert run.results[4].content == (
        "shell (call call_3), beside which this call was to run, failed before this call started; nothing was run"
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [("safe", {"n": "fails"}), ("shell", {"n": 1}), ("missing", {})],
    ids=["no command", "not run", "unknown"],
)
def test_other_failures_stop_no_sibling(first, second):
    bench = Bench()
    run = stream(
        bench,
        safe("a"),
        (first, second),
        safe("b"),
        bench.starts("b") if first == "safe" else settled,
        bench.ends("fails"),
        bench.ends("a", "b"),
    )
    assert [result.ok for result in run.results] == [True, False, True]


def test_the_pool_is_refilled_as_calls_end_and_its_size_can_be_changed_meanwhile():
    bench, seen = Bench(), []

    async def look():
        await settled()
        seen.append("".join(bench.running))

    async def narrow(run):
        await bench.starts("b")()
        run.set_max_parallel(3)

    first = [safe(n) for n in "abcd"]
    rest = [look, bench.ends("b"), look, bench.ends("a", "c", "d"), alone("e"), bench.ends("e")]
    second = [*[safe(n) for n in "fghi"], look, bench.ends(*"fghi")]
    run = stream(bench, *first, *rest, *second, meanwhile=narrow, max_parallel=2)
    assert seen == ["ab", "ac", "fgh"]
    assert [event.data["max_parallel"] for event in kinds_of(run, "conditions")] == [3]


def into(mode):
    return lambda now: replace(now, policy=replace(now.policy, mode=mode))


def turns_to(mode, name="turn", **facts):
    """A tool that switches the mode for the calls after it."""

    async def turn(args, env):
        return Output(mode, context_change=into(mode))

    return plain(turn, name, **facts)


EDIT = plain(lambda args, env: "edited", "edit", PATH, read_only=False, paths=("path",))


def after(first, *between, **conditions):
    """An edit, which only mode accept_edits lets run, after other calls: the outcomes, and the changes in the log."""
    run = play([calling(first.name, *between, ("edit", {"path": "a"})), "done"], [first, EDIT, echo], **conditions)
    changes = [(event.data["id"], event.data["mode"], event.data["changed"]) for event in kinds_of(run, "conditions")]
    return outcomes(run)[-1], changes


@pytest.mark.parametrize("safe", [False, True])
def test_what_a_call_changes_holds_for_the_calls_after_its_batch(safe):
    changes = [("call_1", "accept_edits", ["mode"])]
    assert after(turns_to("accept_edits", concurrency_safe=safe)) == ("edited", changes)
    beside = ("echo", {"text": "x"})
    assert after(turns_to("accept_edits", concurrency_safe=safe), beside) == ("edited", changes)


def test_calls_that_overlap_are_judged_by_what_held_before_and_change_it_together_in_their_order():
    bench, modes = Bench(), []

    async def look():
        await settled()
        modes.append(runs[0].mode)

    async def begin(run):
        runs.append(run)

    runs = []
    bench.tools += [turns_to(mode, mode, concurrency_safe=True) for mode in ("plan", "accept_edits")]
    parts = [safe("a"), ("plan", {}), ("accept_edits", {}), look, bench.ends("a"), look, alone("b"), look]
    run = stream(bench, *parts, bench.ends("b"), meanwhile=begin, policy="default")
    assert modes == ["default", "default", "accept_edits"]
    assert [event.data["id"] for event in kinds_of(run, "conditions")] == ["call_2", "call_3"]


DENY = {"check_permission": lambda args, env: "deny"}
NO_CHANGE = {
    "denied": turns_to("accept_edits", **DENY),
    "rejected": turns_to("accept_edits", output_schema=Schema({"type": "object"}, "value")),
    "failing": returning(Output("x", context_change=lambda now: 1 / 0), "turn"),
    "no conditions": returning(Output("x", context_change=lambda now: None), "turn"),
    "bypass": returning(Output("x", context_change=lambda now: replace(now, policy=BYPASS)), "turn"),
}


@pytest.mark.parametrize("why", NO_CHANGE)
def test_a_call_that_fails_changes_nothing_and_a_change_that_can_not_be_made_fails_its_call(why):
    run = play([calling("turn", ("edit", {"path": "a"})), "done"], [NO_CHANGE[why], EDIT])
    failed = "permission_denied" if why == "denied" else "invalid_output"
    assert outcomes(run) == [failed, "approval_unavailable"]
    assert kinds_of(run, "conditions") == []


def test_a_hook_that_rejects_a_result_takes_its_change_back():
    hook = Hook("after_call", lambda occasion: Fail("no"), {"turn"})
    assert after(turns_to("accept_edits"), hooks=[hook]) == ("approval_unavailable", [])


def expected(kinds, arrived, ended, pool):
    """Which calls should be running: the oracle, by hand from the design."""
    left = [n for n in range(arrived) if n not in ended]
    if not left:
        return []
    if kinds[left[0]] == "alone":
        return left[:1]
    batch = itertools.takewhile(lambda n: kinds[n] == "safe", range(left[0], arrived))
    return [n for n in batch if n not in ended][:pool]


class Desk:
    """Directs one turn: its calls come one by one, and end when they are let go."""

    def __init__(self, kinds, pool):
        self.kinds, self.pool, self.arrived, self.ended = kinds, pool, 0, set()
        self.bench, self.gate = Bench(), asyncio.Queue()
        parts = itertools.chain(*[(self.next, (kind, {"n": str(n)})) for n, kind in enumerate(kinds)])
        agent = Agent(Streams(*parts, self.next), self.bench.tools, policy=BYPASS, max_parallel=pool)
        self.run = agent.start("go")

    async def next(self):
        failure = await self.gate.get()
        if failure:
            raise failure

    def move(self, random):
        """The next call comes, or one that is running ends."""
        running = sorted(int(n) for n in self.bench.running)
        assert running == expected(self.kinds, self.arrived, self.ended, self.pool)
        if self.arrived < len(self.kinds) and (not running or random.random() < 0.6):
            self.arrived += 1
            self.gate.put_nowait(None)
        else:
            self.ended.add(random.choice(running))
            for n in self.ended:
                self.bench.event(self.bench.free, str(n)).set()


async def direct(kinds, random, pool, end, moves):
    """A turn in which calls come and end in any order, until `end` is done to it."""
    desk = Desk(kinds, pool)
    await settled()
    while moves and len(desk.ended) < len(kinds):
        moves -= 1
        desk.move(random)
        await settled()
    end(desk)
    await asyncio.wait_for(desk.run.wait(), 20)
    is_sound(desk.run)
    assert asyncio.all_tasks() == {asyncio.current_task()}
    return desk


def any_turn(**more):
    """Any mix of calls, in any order of their ends, in any pool."""
    kinds = st.lists(st.sampled_from(["safe", "alone"]), min_size=1, max_size=9)
    random, pool = st.randoms(use_true_random=False), st.integers(1, 4)
    given_turn = given(kinds=kinds, random=random, pool=pool, **more)
    return lambda test: settings(max_examples=40, deadline=None, derandomize=True)(given_turn(test))


@any_turn()
def test_any_mix_of_calls_in_any_order_of_ends_overlaps_where_it_may_and_keeps_the_order(kinds, random, pool):
    run = asyncio.run(direct(kinds, random, pool, lambda desk: desk.gate.put_nowait(None), -1)).run
    assert [result.value for result in run.results] == [str(n) for n in range(len(kinds))]
    assert run.answer == "done"


ENDS = {
    "cancelled": lambda desk: desk.run.cancel(),
    "model_error": lambda desk: desk.gate.put_nowait(ConnectionError("lost")),
}


@any_turn(moves=st.integers(0, 18), reason=st.sampled_from(sorted(ENDS)))
def test_a_turn_that_is_ended_at_any_point_has_one_result_for_each_call(kinds, random, pool, moves, reason):
    desk = asyncio.run(direct(kinds, random, pool, ENDS[reason], moves))
    assert desk.run.stop_reason == reason
    assert {int(result.value) for result in desk.run.results if result.ok} == desk.ended
    assert len(desk.run.results) == desk.arrived
