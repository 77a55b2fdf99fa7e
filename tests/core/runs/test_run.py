import asyncio
import gc
import itertools
import threading
import time

import pytest

from cellwright import Agent, Allow, ScriptedModel, UsageError
from cellwright.errors import ModelError
from cellwright.log.events import Recorder
from cellwright.messages import ToolMessage
from cellwright.models.model import CallPart, EndPart, TextPart
from cellwright.runs.budget import Budget
from cellwright.waiting.threads import MOST_IDLE

from ..scene import Streams, act, agent_of, calling, echo, encodes, is_sound, kinds_of, plain, play, returning, settled


def test_a_denied_call_has_its_result_and_the_next_request_starts_normally():
    async def scene():
        agent = agent_of([calling("write"), "I can't", "hello"], [returning("x", "write", read_only=False)], ())
        first = await agent.run("go")
        second = await agent.run("and now?", after=first)
        return first, second

    first, second = asyncio.run(scene())
    assert (first.answer, second.answer) == ("I can't", "hello")
    is_sound(first)
    assert [type(m).__name__ for m in second.conversation][-2:] == ["UserMessage", "ModelMessage"]


class Stalls(ScriptedModel):
    """Sends a word and then nothing more."""

    async def stream(self, request):
        yield TextPart("hm")
        await asyncio.sleep(60)


class Waits:
    async def ask(self, question):
        await asyncio.sleep(60)


class Deaf:
    """Asks on and on, whoever cancels it."""

    async def ask(self, question):
        for _ in range(8):
            try:
                await asyncio.sleep(0.1)
            except asyncio.CancelledError:
                continue


def blocks(args, env):
    env.stopping.wait(20)


def deaf(args, env):
    time.sleep(0.7)


def hanging(where):
    """An agent whose run hangs there, and the kind of event after which it does."""
    ask = plain(lambda args, env: None, "t", read_only=False)
    return {
        "approval": (agent_of([calling("t")], [ask], approver=Waits()), "question"),
        "deaf approver": (agent_of([calling("t")], [ask], approver=Deaf()), "question"),
        "model": (Agent(Stalls([]), [], approver=Waits()), "turn_started"),
        "tool": (agent_of([calling("t", "t")], [plain(blocks, "t")]), "executing"),
        "deaf tool": (agent_of([calling("t")], [plain(deaf, "t")]), "executing"),
        "batch": (agent_of([calling(*["t"] * 12)], [plain(blocks, "t", concurrency_safe=True)]), "message"),
    }[where]


@pytest.mark.parametrize(
    ("where", "calls"),
    [("approval", 1), ("deaf approver", 1), ("model", 0), ("tool", 2), ("deaf tool", 1), ("batch", 12)],
)
def test_a_run_that_is_stopped_ends_within_half_a_second(where, calls):
    async def scene():
        agent, kind = hanging(where)
        run = agent.start("go")
        while not kinds_of(run, kind):
            await asyncio.sleep(0.005)
        await asyncio.sleep(0.02)
        started = time.perf_counter()
        run.cancel()
        await run
        spent = time.perf_counter() - started
        is_sound(run)
        return run, spent

    run, spent = asyncio.run(scene())
    assert (run.stop_reason, spent < 0.5, len(run.results)) == ("cancelled", True, calls)
    assert all(result.error_type in ("cancelled", "cancelled_before_start") for result in run.results)


def test_a_run_that_is_stopped_before_its_first_step_ends_properly():
    async def at_once(run):
        run.cancel()

    run = asyncio.run(act(agent_of(["never"]), at_once))
    assert run.stop_reason == "cancelled"
    assert [event.kind for event in run.events][:: len(run.events) - 1] == ["run_started", "run_ended"]


def test_a_run_can_be_stopped_from_another_thread():
    async def from_elsewhere(run):
        await asyncio.sleep(0.02)
        threading.Thread(target=run.cancel).start()

    assert asyncio.run(act(agent_of([calling("t")], [plain(blocks, "t")]), from_elsewhere)).stop_reason == "cancelled"


@pytest.mark.parametrize("elsewhere", [False, True])
def test_the_mode_can_be_switched_while_a_run_goes_on(elsewhere):
    async def switch(run):
        while not kinds_of(run, "executing"):
            await settled()
        if elsewhere:
            await asyncio.to_thread(run.set_mode, "dont_ask")
        else:
            run.set_mode("dont_ask")
        await settled()
        first.set()

    async def wait(args, env):
        await first.wait()

    first = asyncio.Event()
    write = returning("x", "write", read_only=False)
    run = asyncio.run(act(agent_of([calling("wait", "write"), "done"], [plain(wait), write], [Allow()]), switch))
    assert [event.data for event in kinds_of(run, "conditions")] == [
        {"mode": "dont_ask", "max_parallel": 10, "changed": ["mode"], "by": "person"}
    ]
    assert [result.error_type for result in run.results] == [None, "permission_denied"]


def test_a_switch_that_means_nothing_is_refused():
    run = play(["done"])
    with pytest.raises(UsageError, match="no mode 'fast'"):
        run.set_mode("fast")
    with pytest.raises(UsageError, match="two confirmations"):
        run.set_mode("bypass")
    with pytest.raises(UsageError, match="from 1"):
        run.set_max_parallel(0)
    with pytest.raises(UsageError, match=f"{run.id} is not going on"):
        run.set_mode("plan")


def test_an_event_loop_that_is_gone_still_has_the_end_of_its_run_told():
    watch, loop = Recorder(), asyncio.new_event_loop()
    loop.set_exception_handler(lambda loop, about: None)  # it would say that a task was destroyed
    loop.run_until_complete(asked_about(watch))
    loop.close()
    del loop
    gc.collect()
    kinds, last = [event.kind for event in watch.events], watch.events[-1].data
    assert (kinds.count("call"), kinds[-3:]) == (1, ["question", "result", "run_ended"])
    assert (last["stop_reason"], last["error"]) == ("cancelled", "the event loop ended before the run")


async def asked_about(watch):
    """Begins a run whose call waits for a person."""
    model = Streams(CallPart(0, "", "write", "{}"))
    Agent(model, [returning("x", "write", read_only=False)], approver=Waits(), observers=[watch]).start("go")
    while not any(event.kind == "question" for event in watch.events):
        await settled()


def test_two_hundred_runs_at_once_keep_apart_and_leave_nothing_behind():
    def work(args, env):
        return args["text"]

    async def scene():
        tools = [plain(work, "sync", concurrency_safe=True), echo]
        agents = [agent_of([calling(*both(n)), "done"], tools) for n in range(200)]
        runs = await asyncio.gather(*[agent.run(str(n)) for n, agent in enumerate(agents)])
        return runs, asyncio.all_tasks() - {asyncio.current_task()}

    runs, left = asyncio.run(scene())
    for n, run in enumerate(runs):
        is_sound(run)
        assert [result.value for result in run.results] == [str(n), str(n)]
    assert left == set()
    assert only_idle_threads_stay()


def both(n):
    return [(name, {"text": str(n)}) for name in ("sync", "echo")]


async def at_once(args, env):
    return args["text"]


def test_a_run_of_five_thousand_steps_leaves_no_task_and_no_thread_behind():
    turns = itertools.repeat(calling(("echo", {"text": "x"})), 5_000)
    run = play([*turns, "done"], [plain(at_once, "echo")], budget=Budget(steps=5_001))
    assert (run.answer, run.steps, len(run.results)) == ("done", 5_001, 5_000)
    assert only_idle_threads_stay()


def only_idle_threads_stay():
    """Whether no more threads are left than may wait for work; one that ends needs a moment for it."""
    ends = time.monotonic() + 10
    while sum(thread.name == "cellwright" for thread in threading.enumerate()) > MOST_IDLE:
        if time.monotonic() > ends:
            return False
        time.sleep(0.01)
    return True


def test_stopping_what_has_ended_changes_nothing():
    run = play(["done"])
    run.cancel()
    assert (run.stop_reason, run.is_done) == ("answered", True)


def test_a_stop_that_the_model_keeps_to_itself_stops_the_run_all_the_same():
    class Swallows(ScriptedModel):
        async def stream(self, request):
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                yield CallPart(0, "", "t", "{}")
                yield EndPart("calls")

    ran = []

    async def stop(run):
        await asyncio.sleep(0.02)
        run.cancel()

    agent = Agent(Swallows([]), [plain(lambda args, env: ran.append(1), "t")])
    run = asyncio.run(act(agent, stop))
    assert (run.stop_reason, ran) == ("cancelled", [])


@pytest.mark.parametrize(
    "error", [SystemExit(3), KeyboardInterrupt(), BaseException("odd")], ids=["exit", "stop", "odd"]
)
def test_nothing_that_a_model_raises_escapes_the_run(error):
    class Fails(ScriptedModel):
        async def stream(self, request):
            yield TextPart("x")
            raise error

    run = asyncio.run(act(Agent(Fails([]), [])))
    assert run.stop_reason == ("cancelled" if isinstance(error, KeyboardInterrupt) else "model_error")


def test_cancelling_the_one_who_awaits_stops_the_run_and_its_end_is_waited_for():
    async def scene():
        agent = agent_of([calling("t")], [plain(blocks, "t")])
        run = agent.start("go")

        async def cell():
            await run

        task = asyncio.create_task(cell())
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.wait({task})
        return task.cancelled(), run

    cancelled, run = asyncio.run(scene())
    assert (cancelled, run.is_done, run.stop_reason) == (True, True, "cancelled")
    is_sound(run)


def test_only_waiting_for_a_run_does_not_stop_it_when_given_up():
    async def scene():
        run = agent_of([calling("t"), "done"], [plain(lambda args, env: time.sleep(0.15), "t")]).start("go")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(run.wait(), 0.03)
        await run
        return run.stop_reason

    assert asyncio.run(scene()) == "answered"


def test_an_event_loop_that_ends_first_ends_the_run_properly():
    async def leaves():
        run = agent_of([calling("t")], [plain(blocks, "t")]).start("go")
        await asyncio.sleep(0.05)
        return run

    run = asyncio.run(leaves())
    assert run.stop_reason == "cancelled"
    is_sound(run)
    gc.collect()  # a task that was left behind would warn now


def test_who_speaks_to_a_run_that_has_ended_is_told():
    with pytest.raises(UsageError, match=r"has ended and can't hear 'hi'; use agent\.start\(\.\.\., after=run\)"):
        play(["done"]).steer("hi")


def test_half_letters_in_arguments_reach_neither_the_tool_nor_the_history():
    run = play([calling(("echo", '{"text": "ab\\ud99ccd"}')), "done"], [echo])
    assert run.results[0].value == "ab\ufffdcd"
    assert run.conversation[1].calls[0].arguments == '{"text": "ab\\ufffdcd"}'
    assert "d99c" not in encodes([event.data for event in run.events])


def test_half_letters_in_the_prompt_do_not_spoil_the_history():
    async def scene():
        return await agent_of(["x"], system="s\ud83d").run("a\ud83db")

    run = asyncio.run(scene())
    assert run.prompt == "a\ufffdb"
    encodes([run.prompt, run.conversation[0].text])


def test_a_result_is_found_by_its_call():
    run = play([calling(("echo", {"text": "x"})), "done"], [echo])
    assert run.result("call_1").value == "x"
    assert isinstance(run.conversation[2], ToolMessage)
    with pytest.raises(KeyError, match="call 'call_2' in this run"):
        run.result("call_2")


def test_a_secret_in_the_error_of_a_model_is_masked():
    def fails(conversation):
        raise ModelError("Incorrect API key provided: sk-" + "a1B2" * 8)

    run = play([fails])
    assert run.error.endswith("Incorrect API key provided: ⟨masked: api key⟩")
    assert "a1B2" not in repr(run.events)
