"""Reason, act, observe, stop."""

import asyncio

from cellwright import Agent
from cellwright.messages import UserMessage
from cellwright.models.model import CallPart, EndPart
from cellwright.runs.budget import Budget

from ..scene import act, agent_of, calling, echo, kinds_of, plain, play, returning


def test_a_run_goes_on_until_a_turn_makes_no_calls():
    run = play([calling(("echo", {"text": "a"}), text="first"), calling(("echo", {"text": "b"})), "done"], [echo])
    assert (run.stop_reason, run.answer, run.steps, run.error) == ("answered", "done", 3, "")
    assert [type(m).__name__ for m in run.conversation] == [
        "UserMessage",
        *["ModelMessage", "ToolMessage"] * 2,
        "ModelMessage",
    ]
    assert repr(run) == f"<Run {run.id}: answered, 3 steps, 2 calls>"


def test_a_stream_that_breaks_off_closes_the_calls_it_opened():
    refused = returning(1, "a", check_permission=lambda args, env: "deny")
    run = play([calling("a", "b", text="so far", breaks_off=True), "never"], [refused])
    assert run.stop_reason == "model_error"
    assert run.error == "the model's stream broke off: ConnectionError: the connection was lost"
    assert [(r.error_type, r.call.complete) for r in run.results] == [
        ("permission_denied", True),
        ("cancelled_before_start", False),
    ]
    assert run.conversation[1].text == "so far"


def test_a_stream_that_breaks_off_at_once_leaves_no_empty_message():
    run = play([calling(breaks_off=True)])
    assert [type(m).__name__ for m in run.conversation] == ["UserMessage"]


def test_a_reply_that_was_cut_off_is_noted_and_its_last_call_not_run():
    calls = (("echo", {"text": "a"}), ("echo", {"text": "b"}))
    run = play([calling(*calls, stop="length"), "done"], [echo])
    assert [result.error_type for result in run.results] == [None, "invalid_arguments"]
    assert [event.data["text"] for event in kinds_of(run, "note")] == [
        "the model's reply was cut off at its length limit"
    ]


def test_what_is_said_meanwhile_is_heard_before_the_next_turn():
    heard = []

    async def say(run):
        run.steer("be \ud83dbrief")

    def listen(conversation):
        heard.append([m.text for m in conversation if isinstance(m, UserMessage)])
        return "ok"

    run = asyncio.run(act(agent_of([listen, listen]), say))
    assert heard == [["go", "be \ufffdbrief"]]
    assert kinds_of(run, "steered")[0].data == {"text": "be \ufffdbrief"}


def test_what_is_said_during_the_last_turn_is_still_heard():
    async def say(run):
        while not kinds_of(run, "turn_started"):
            await asyncio.sleep(0)
        run.steer("one more thing")

    run = asyncio.run(act(agent_of(["a b c d e f", "second"]), say))
    assert (run.answer, run.steps) == ("second", 2)


def test_each_turn_sends_the_conversation_so_far_and_nothing_twice():
    lengths = []

    def note(conversation):
        lengths.append(len(conversation))
        return calling(("echo", {"text": "x"})) if len(lengths) < 50 else "done"

    run = play([note] * 50, [echo])
    assert lengths == list(range(1, 100, 2))
    assert len(run.events) == 4 + 50 * 2 + 49 * 5


class Tireless:
    """Calls again and again, and waits for nothing."""

    name = "tireless"
    turns = 0

    async def stream(self, request):
        self.turns += 1
        yield CallPart(0, f"call_{self.turns}", "now", "{}")
        yield EndPart("calls")


def test_a_run_that_never_waits_lets_others_go_on():
    async def now(args, env):
        return 1

    async def scene():
        run = Agent(Tireless(), [plain(now)], budget=Budget(steps=20_000)).start("go")
        await asyncio.sleep(0.02)
        run.cancel()
        return await run

    assert asyncio.run(scene()).stop_reason == "cancelled"
