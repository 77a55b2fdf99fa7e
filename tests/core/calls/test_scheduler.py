import asyncio
import contextvars
import threading
import time

import pytest

from cellwright import Agent, Allow, Deny, Edit, ScriptedApprover, ScriptedModel, tool
from cellwright.hooks.hook import Hook
from cellwright.log.events import Recorder
from cellwright.person.approval import AllowAll

from ..scene import act, agent_of, calling, echo, is_sound, kinds_of, plain, play, returning, settled


def sleeper(name="nap", **facts):
    """Sleeps as long as it is told, and says which one it was."""

    async def nap(args, env):
        await asyncio.sleep(args["seconds"])
        return args["says"]

    facts.setdefault("concurrency_safe", True)
    return plain(nap, name, **facts)


def naps(*seconds):
    return [("nap", {"seconds": s, "says": f"n{i}"}) for i, s in enumerate(seconds)]


def test_results_come_in_the_order_of_the_calls_whatever_ended_first():
    watch = Recorder()
    run = play([calling(*naps(0.2, 0.02, 0.15, 0.01, 0.1, 0.05, 0.12, 0.03)), "done"], [sleeper()], observers=[watch])
    assert [result.value for result in run.results] == [f"n{i}" for i in range(8)]
    told = [event.data["id"] for event in watch.events if event.kind == "result"]
    assert told == [f"call_{i}" for i in range(1, 9)]


def test_calls_that_may_overlap_do():
    async def meet(args, env):
        async with asyncio.timeout(20):
            return await all_there.wait() < 8

    async def scene():
        nonlocal all_there
        all_there = asyncio.Barrier(8)
        return await act(agent_of([calling(*["meet"] * 8), "done"], [plain(meet, concurrency_safe=True)]))

    all_there = None
    assert [result.value for result in asyncio.run(scene()).results] == [True] * 8


def peak_of(count, **facts):
    """How many calls ran at once at most."""
    running, peaks = [], [0]

    async def work(args, env):
        running.append(1)
        peaks.append(len(running))
        for _ in range(10):  # turns of the event loop, in which the others come
            await settled()
        running.pop()

    play([calling(*["work"] * count), "done"], [plain(work, "work", **facts)], [Allow()] * count)
    return max(peaks)


@pytest.mark.parametrize(
    ("facts", "peak"),
    [
        ({"concurrency_safe": True}, 10),
        ({}, 1),
        ({"concurrency_safe": lambda args: 1 / 0}, 1),
        ({"concurrency_safe": "yes"}, 1),
        ({"concurrency_safe": True, "read_only": False}, 1),
        ({"concurrency_safe": True, "check_permission": lambda args, env: "ask"}, 1),
    ],
)
def test_only_what_is_safe_and_sure_not_to_ask_overlaps_in_a_bounded_pool(facts, peak):
    assert peak_of(25 if peak > 1 else 4, **facts) == peak


def test_a_call_that_must_run_alone_is_a_barrier():
    order = []

    def note(args, env):
        order.append(args["n"])
        time.sleep(0.03 if args["n"] < 2 else 0)

    tools = [plain(note, "read", concurrency_safe=True), plain(note, "write")]
    calls = [("read", {"n": 0}), ("read", {"n": 1}), ("write", {"n": 2}), ("read", {"n": 3}), ("read", {"n": 4})]
    play([calling(*calls), "done"], tools)
    assert (set(order[:2]), order[2], set(order[3:])) == ({0, 1}, 2, {3, 4})


def test_a_failing_call_leaves_its_siblings_alone():
    async def boom(args, env):
        await asyncio.sleep(0.05)
        raise ValueError("boom")

    calls = [("nap", {"seconds": 0.1, "says": "A"}), "boom", ("nap", {"seconds": 0.2, "says": "C"})]
    run = play([calling(*calls), "done"], [sleeper(), plain(boom, concurrency_safe=True)])
    assert [result.content for result in run.results] == ["A", "ValueError: boom", "C"]
    assert run.answer == "done"


def test_mixed_outcomes_keep_the_order_of_the_calls():
    calls = [*naps(0.2), ("ask", {}), ("nap", {"seconds": 0, "says": "fast"}), "unknown"]
    run = play([calling(*calls), "done"], [sleeper(), returning("x", "ask", read_only=False)], [Deny("no")])
    outcomes = [result.error_type or result.value for result in run.results]
    assert outcomes == ["n0", "approval_denied", "fast", "unknown_tool"]


def test_equal_calls_of_one_turn_each_run():
    ran = []
    search = plain(lambda args, env: ran.append(args["q"]) or args["q"], "search", concurrency_safe=True)
    run = play([calling(*[("search", {"q": q}) for q in "XYX"]), "done"], [search])
    assert [result.value for result in run.results] == ["X", "Y", "X"]
    assert sorted(ran) == ["X", "X", "Y"]


class OneAtATime:
    """Refuses what is called a.txt, after a while."""

    def __init__(self):
        self.open = 0
        self.asked = []

    async def ask(self, question):
        self.open += 1
        assert self.open == 1
        await asyncio.sleep(0.02)
        self.asked.append(question.args["text"])
        self.open -= 1
        return Deny("no") if question.args["text"] == "a.txt" else Allow()


def test_questions_come_one_at_a_time_in_the_order_of_the_calls():
    written, desk = [], OneAtATime()
    write = plain(lambda args, env: written.append(args["text"]) or "ok", "write", read_only=False)
    calls = [("write", {"text": name}) for name in ("a.txt", "b.txt", "c.txt")]
    run = play([calling(*calls), "done"], [write], approver=desk)
    assert desk.asked == ["a.txt", "b.txt", "c.txt"]
    assert written == ["b.txt", "c.txt"]
    assert [result.error_type for result in run.results] == ["approval_denied", None, None]


def test_a_call_made_of_broken_arguments_waits_for_its_turn():
    calls = [*naps(0.05), ("nap", "{broken"), ("nap", '{"seconds": 0, "says": 1, "says": 2}'), *naps(0)]
    run = play([calling(*calls), "done"], [sleeper()])
    assert [result.error_type for result in run.results] == [None, "invalid_arguments", "invalid_arguments", None]


@pytest.mark.parametrize("moment", [0, 0.05, 0.12])
def test_a_batch_that_is_stopped_half_way_has_a_result_for_each_call(moment):
    async def stop(run):
        await asyncio.sleep(moment)
        run.cancel()

    agent = agent_of([calling(*naps(*([0.03] * 3 + [9] * 12)), *naps(0.1)), "never"], [sleeper()])
    run = asyncio.run(act(agent, stop))
    assert run.stop_reason == "cancelled"
    if moment:
        outcomes = [result.error_type for result in run.results]
        assert outcomes[-1] == "cancelled_before_start"
        assert len(outcomes) == 16
        assert {"cancelled", "cancelled_before_start"} <= set(outcomes)


def test_a_batch_that_is_stopped_before_its_first_step_has_a_result_for_each_call():
    class StopsAtMessage:
        def on_event(self, event):
            if event.kind == "message":
                runs[0].cancel()

    runs = []

    async def begin(run):
        runs.append(run)

    agent = agent_of([calling(*naps(5, 5, 5)), "never"], [sleeper()], observers=[StopsAtMessage()])
    run = asyncio.run(act(agent, begin))
    assert len(run.results) == 3
    assert {result.error_type for result in run.results} <= {"cancelled", "cancelled_before_start"}


def test_an_interrupt_in_a_batch_lets_the_batch_end_and_stops_the_run():
    def interrupts(args, env):
        raise KeyboardInterrupt

    tools = [sleeper(), plain(interrupts, "stop", concurrency_safe=True)]
    run = play([calling(*naps(0.05), "stop", *naps(0.05)), "never"], tools)
    assert [result.error_type for result in run.results] == [None, "cancelled", None]
    assert run.stop_reason == "cancelled"


user: contextvars.ContextVar[str] = contextvars.ContextVar("user", default="nobody")


def seen_by_steps(args, env):
    yield "step"
    yield user.get()


async def seen_and_changed(args, env):
    before = user.get()
    user.set("changed")
    await asyncio.sleep(0.02)
    return before


WITNESSES = [
    plain(lambda args, env: user.get(), "sync", concurrency_safe=True),
    plain(seen_and_changed, "async", concurrency_safe=True),
    plain(seen_by_steps, "steps", concurrency_safe=True),
    plain(lambda args, env: None, "own", validate=lambda args, env: f"user is {user.get()}"),
]


def test_each_run_sees_the_context_of_its_own_caller():
    async def one(name):
        user.set(name)
        names = [witness.name for witness in WITNESSES]
        run = await agent_of([calling(*names), calling(*names), "done"], WITNESSES).run("go")
        is_sound(run)
        return [result.content.split(".")[0] for result in run.results], user.get()

    async def both():
        return await asyncio.gather(one("u1"), one("u2"))

    for name, (seen, after) in zip(("u1", "u2"), asyncio.run(both()), strict=True):
        assert seen == [name, name, name, f"user is {name}"] * 2
        assert after == name


def test_a_hook_sees_the_context_of_the_caller():
    def note(occasion):
        seen.append(user.get())

    async def scene():
        user.set("u1")
        hooks = [Hook("before_call", note), Hook("after_call", note)]
        await agent_of([calling(("echo", {"text": "x"})), "done"], [echo], hooks=hooks).run("go")

    seen = []
    asyncio.run(scene())
    assert seen == ["u1", "u1"]


def test_the_event_loop_goes_on_while_sync_tools_block_their_threads():
    begun, free = threading.Semaphore(0), threading.Event()

    def block(args, env):
        begun.release()
        return free.wait(20)  # true only if someone on the event loop said so meanwhile

    async def let_go(run):
        for _ in range(2):
            while not begun.acquire(blocking=False):
                await asyncio.sleep(0.001)
        free.set()

    agent = agent_of([calling("block", "block"), "done"], [plain(block, concurrency_safe=True)])
    run = asyncio.run(act(agent, let_go))
    assert [result.value for result in run.results] == [True, True]


def test_an_edited_call_and_its_neighbours_keep_their_places():
    @tool
    def write(text: str) -> str:
        """Writes."""
        return text

    approver = ScriptedApprover([Edit({"text": "edited"}), Allow()])
    calls = [("write", {"text": "a"}), ("echo", {"text": "b"}), ("write", {"text": "c"})]
    run = play([calling(*calls), "done"], [write, echo], approver=approver)
    assert [result.value for result in run.results] == ["edited", "b", "c"]
    assert [question.args["text"] for question in approver.questions] == ["a", "c"]


def test_two_runs_of_one_agent_do_not_mix():
    async def scene():
        agent = Agent(
            ScriptedModel([calling(*naps(0.05)), calling(*naps(0.02)), "x", "y"]), [sleeper()], approver=AllowAll()
        )
        return await asyncio.gather(agent.run("a"), agent.run("b"))

    first, second = asyncio.run(scene())
    for run in (first, second):
        is_sound(run)
        assert [result.value for result in run.results] == ["n0"]
    assert {first.answer, second.answer} == {"x", "y"}
    assert first.id != second.id
    assert threading.active_count() < 20
    assert kinds_of(first, "run_started")[0].data["prompt"] == "a"


def test_the_results_of_a_turn_share_their_room_in_the_order_of_the_calls(tmp_path):
    async def give(args, env):
        await asyncio.sleep(args["seconds"])
        return "x" * 45_000

    calls = [("give", {"seconds": seconds}) for seconds in (0.1, 0.05, 0, 0.02, 0, 0)]
    run = play([calling(*calls), calling(calls[2]), "done"], [plain(give, concurrency_safe=True)], cwd=tmp_path)
    lengths = [len(result.content) for result in run.results]
    assert (lengths[:4], lengths[6]) == ([45_000] * 4, 45_000)
    assert (19_000 < lengths[4] <= 20_000, lengths[5] < 600, sum(lengths[:6]) < 200_600) == (True, True, True)
    told = [event.data["content"] for event in kinds_of(run, "result")]
    assert told == [result.content for result in run.results]
    assert all("; the results of one turn share 200,000 characters" in content for content in told[4:6])


def test_short_results_are_whole_however_little_room_there_is(tmp_path):
    tools = [returning("x" * 49_000, "long"), returning("short")]
    run = play([calling(*["long"] * 5, "give"), "done"], tools, cwd=tmp_path)
    assert run.results[-1].content == "short"
