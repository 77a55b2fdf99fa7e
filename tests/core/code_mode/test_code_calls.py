import asyncio
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from cellwright import Allow, Env, Policy, Registry, ScriptedApprover, ToolError
from cellwright.calls.conditions import Conditions, Standing
from cellwright.calls.passage import Setup
from cellwright.code_mode.code_calls import MAX_CALLS, MAX_VALUE, CodeCalls, answer_of
from cellwright.hooks.hook import AddContext, Hook, Replace, StopRun
from cellwright.log.events import Log
from cellwright.messages import Call
from cellwright.result import Result
from cellwright.tool import Output

from ..scene import plain, returning


def setup_of(tools, answers=(), hooks=(), **policy):
    approver = ScriptedApprover(answers)
    env = Env(Path.cwd())
    return Setup(Registry(tools), env, Standing(Conditions(Policy(**policy))), approver, Log(), hooks=tuple(hooks))


def made(use, *tools, taken=(), **more):
    """What `use(calls)` gives, and the log; each call in it has one result."""
    setup = setup_of(tools, **more)

    async def play():
        calls = CodeCalls(setup, "call_3", set(taken))
        async with asyncio.timeout(20):
            found = await use(calls)
            await calls.end("over")
        assert asyncio.all_tasks() == {asyncio.current_task()}
        return found

    found = asyncio.run(play())
    ids = {kind: [e.data["id"] for e in setup.log.events if e.kind == kind] for kind in ("call", "result")}
    assert sorted(ids["call"]) == sorted(ids["result"])
    return found, setup.log.events


def test_a_call_has_its_own_place_in_the_log_under_the_call_it_came_from():
    answer, events = made(lambda calls: calls.answer("give", "{}"), returning({"a": 1}))
    assert answer == {"ok": True, "value": {"a": 1}}
    assert [event.kind for event in events] == ["call", "arguments", "decision", "executing", "result"]
    assert {event.data["id"] for event in events} == {"call_3.1"} and events[0].data["within"] == "call_3"


def test_an_id_that_a_model_gave_before_is_not_given_again():
    _, events = made(lambda calls: calls.answer("give", "{}"), returning(1), taken=["call_3.1"])
    assert events[0].data["id"] == "call_3.1-2"


def fail(args, env):
    raise ToolError("not_found", "it is not there")


@pytest.mark.parametrize(
    ("name", "arguments", "policy", "error_type", "code", "why"),
    [
        ("fail", "{}", {}, "tool_error", "not_found", "it is not there"),
        ("fali", "{}", {}, "unknown_tool", "", "did you mean fail?"),
        ("fail", "{", {}, "invalid_arguments", "", "arguments are incomplete"),
        ("write", "{}", {}, "approval_unavailable", "", "needs approval"),
        ("write", "{}", {"deny": ["write"]}, "permission_denied", "", "denies"),
        ("write", "{}", {"mode": "plan"}, "guard_denied", "", "plan"),
        ("run_code", "{}", {}, "tool_not_allowed", "", "can't be called from code"),
        ("control", "{}", {}, "tool_not_allowed", "", "can't be called from code"),
    ],
)
def test_what_a_model_may_not_do_its_code_may_not_either(name, arguments, policy, error_type, code, why):
    tools = [plain(fail), returning(1, "write", read_only=False), returning(2, "control", system=True)]
    answer, _ = made(lambda calls: calls.answer(name, arguments), *tools, **policy)
    assert (answer["ok"], answer["error_type"], answer["code"]) == (False, error_type, code)
    assert why in answer["message"]


def test_calls_that_are_safe_overlap_and_questions_come_one_at_a_time():
    order = []

    async def note(args, env):
        order.append(f"+{env.call_id[-1]}")
        await asyncio.sleep(0.02)
        order.append(f"-{env.call_id[-1]}")

    tools = [plain(note, "read", concurrency_safe=True), plain(note, "write", read_only=False)]

    async def many(calls):
        names = ("read", "read", "write", "write", "read")
        return await asyncio.gather(*(asyncio.create_task(calls.answer(name, "{}")) for name in names))

    made(many, *tools, answers=[Allow(), Allow()])
    assert order[:2] == ["+1", "+2"] and sorted(order[2:4]) == ["-1", "-2"]
    assert order[4:] == ["+3", "-3", "+4", "-4", "+5", "-5"]


def test_a_loop_over_a_failing_call_is_refused_in_time_and_does_not_end_the_run():
    async def retry(calls):
        return [(await calls.answer("fail", "{}"))["code"] for _ in range(8)]

    codes, _ = made(retry, plain(fail))
    assert codes == ["not_found"] * 3 + ["repetition"] * 5


def test_the_value_is_given_whole_and_only_the_content_in_the_log_is_cut():
    answer, events = made(lambda calls: calls.answer("give", "{}"), returning("x" * 300_000))
    assert len(answer["value"]) == 300_000 and len(events[-1].data["content"]) < 60_000


def test_a_value_without_end_is_refused_with_its_size():
    answer = answer_of(Result(Call("c", "give", "{}"), True, "", "x" * (MAX_VALUE + 1)))
    assert (answer["error_type"], answer["code"]) == ("invalid_output", "too_large")
    assert "give ran, but its value has 10,000,003 characters" in answer["message"]


def test_code_gets_what_a_hook_put_in_the_place_of_a_result():
    hook = Hook("after_call", lambda occasion: Replace("[withheld]"))
    answer, _ = made(lambda calls: calls.answer("give", "{}"), returning({"pin": 4711}), hooks=[hook])
    assert answer == {"ok": True, "value": "[withheld]"}


def test_a_note_for_the_model_is_kept_and_a_stop_of_the_run_ends_the_calls():
    hooks = [
        Hook("after_call", lambda occasion: AddContext("look again"), tools=["give"]),
        Hook("after_call", lambda occasion: StopRun("enough"), tools=["last"]),
    ]

    async def use(calls):
        answers = [await calls.answer(name, "{}") for name in ("give", "last", "give")]
        return answers, calls.context, calls.stops_run

    (answers, context, stops), _ = made(use, returning(1), returning(2, "last"), hooks=hooks)
    assert [answer["ok"] for answer in answers] == [True, True, False] and "the run is ending" in answers[2]["message"]
    assert context == ["look again"] and "enough" in stops


def test_no_call_outlives_its_code_and_none_is_made_after_it():
    async def use(calls):
        on_their_way = [asyncio.create_task(calls.answer(name, "{}")) for name in ("hang", "hang", "alone", "hang")]
        await asyncio.sleep(0.05)
        await calls.end("the code has ended")
        assert all(task.done() for task in on_their_way)
        return await calls.answer("hang", "{}"), calls.stops_run

    async def hang(args, env):
        await asyncio.Event().wait()

    (answer, stops), events = made(use, plain(hang, concurrency_safe=True), plain(hang, "alone"))
    assert (answer["error_type"], answer["message"], stops) == ("cancelled_before_start", "the code has ended", "")
    results = [event.data for event in events if event.kind == "result"]
    assert [(data["id"], data["error_type"]) for data in results] == [
        ("call_3.1", "cancelled"),
        ("call_3.2", "cancelled"),
    ]


def test_one_piece_of_code_makes_so_many_calls_and_no_more():
    async def use(calls):
        return [(await calls.answer("give", "{}"))["ok"] for _ in range(MAX_CALLS + 5)]

    made_calls, events = made(use, returning(1))
    assert sum(made_calls) == MAX_CALLS == sum(event.kind == "call" for event in events)


def test_the_time_in_which_code_waits_for_its_calls_is_counted_once():
    async def use(calls):
        started = time.monotonic()
        await asyncio.gather(*(asyncio.create_task(calls.answer("nap", "{}")) for _ in range(3)))
        spent = time.monotonic() - started
        await asyncio.sleep(0.05)
        return calls.waited(), spent

    async def nap(args, env):
        await asyncio.sleep(0.1)

    (waited, spent), _ = made(use, plain(nap, concurrency_safe=True))
    assert 0.1 <= waited <= spent


def test_what_a_call_from_code_changes_holds_for_the_very_next_call():
    plans = returning(
        Output("x", context_change=lambda now: replace(now, policy=replace(now.policy, mode="plan"))), "plan"
    )

    async def use(calls):
        return [(await calls.answer(name, "{}"))["ok"] for name in ("write", "plan", "write")]

    outcomes, events = made(use, plans, returning(1, "write", read_only=False), allow=["write"])
    assert outcomes == [True, True, False]
    assert [(e.data["id"], e.data["mode"]) for e in events if e.kind == "conditions"] == [("call_3.2", "plan")]
    assert events[-1].data["error_type"] == "guard_denied"
