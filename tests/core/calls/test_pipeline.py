import asyncio
import json
import threading

import pytest

from cellwright import Allow, Deny, Edit, ScriptedApprover, ToolError, tool
from cellwright.calls.pipeline import STAGES
from cellwright.log.events import Recorder
from cellwright.person.approval import Unavailable

from ..scene import act, agent_of, calling, echo, kinds_of, plain, play, returning, settled


class Odd(BaseException):
    pass


def raises(error):
    def execute(args, env):
        raise error

    return plain(execute, "t")


@tool
def write(text: str) -> str:
    """Would change something, so it is asked about."""
    return f"wrote {text}"


def asked(*answers, args=None, **conditions):
    """The result of one call of a tool that is asked about."""
    run = play([calling(("write", args or {"text": "x"})), "done"], [write], answers, **conditions)
    assert run.answer == "done"
    (result,) = run.results
    return result


def broken(question):
    raise RuntimeError("no screen")


ANSWERED = [
    (Allow(), None, "wrote x"),
    (Deny(), "approval_denied", "the person denied this call. Nothing was run; don't repeat it unchanged"),
    (Deny("not now"), "approval_denied", "the person denied this call: not now. Nothing was run"),
    (Edit({"text": "y"}), None, "wrote y"),
    (Edit({"text": 3}), "invalid_arguments", "text must be a string, got integer 3. The parameters are: text: string"),
    (Edit({"txt": "y"}), "invalid_arguments", "unknown parameter txt, did you mean text; text is missing"),
    (Edit([1]), "invalid_arguments", "arguments must be an object, got array [1]"),
    (Edit({"text": print}), "invalid_arguments", "the person edited the arguments, but NotJsonError: value.text is a"),
    (Edit({"text": "a\ud83db"}), None, "wrote a\ufffdb"),
    (Unavailable("nobody is there"), "approval_unavailable", "this call needs approval, and nobody is there. Nothing"),
    (broken, "approval_unavailable", "the approver failed (RuntimeError: no screen)"),
    (lambda question: "yes", "approval_unavailable", "the approver gave no answer but str"),
    (lambda question: True, "approval_unavailable", "the approver gave no answer but bool"),
    (lambda question: None, "approval_unavailable", "the approver gave no answer but NoneType"),
]


@pytest.mark.parametrize(("answer", "error", "words"), ANSWERED, ids=range(len(ANSWERED)))
def test_each_answer_has_its_one_result_and_the_run_goes_on(answer, error, words):
    result = asked(answer)
    assert (result.error_type, result.ok) == (error, error is None)
    assert words in result.content


def test_nobody_left_to_answer_is_not_a_no():
    result = asked()
    assert result.error_type == "approval_unavailable"
    assert "the script has 0 answers, this is question 1" in result.content


RAISED = [
    (
        ToolError("not_found", "no such file; list the folder"),
        "tool_error",
        "not_found",
        "no such file; list the folder",
    ),
    (ToolError("invalid_arguments", "a is odd"), "invalid_arguments", None, "a is odd"),
    (ValueError("boom"), "tool_error", "exception", "ValueError: boom"),
    (ValueError(), "tool_error", "exception", "ValueError"),
    (ValueError("a\ud83db"), "tool_error", "exception", "ValueError: a\ufffdb"),
    (
        SystemExit("bye"),
        "tool_error",
        "system_exit",
        "the tool called exit (SystemExit: 'bye'); it was kept from ending the process",
    ),
    (Odd("odd"), "tool_error", "exception", "Odd: odd"),
    (asyncio.CancelledError(), "tool_error", "exception", "RuntimeError: the tool cancelled itself"),
]


@pytest.mark.parametrize(("error", "error_type", "code", "content"), RAISED, ids=range(len(RAISED)))
def test_whatever_a_tool_raises_is_its_result_and_the_run_goes_on(error, error_type, code, content):
    run = play([calling("t"), "done"], [raises(error)])
    (result,) = run.results
    assert (result.error_type, result.metadata.get("code"), result.content) == (error_type, code, content)
    assert run.answer == "done"


def test_an_interrupt_stops_the_run_with_every_call_answered():
    run = play([calling("t", ("echo", {"text": "x"})), "never"], [raises(KeyboardInterrupt()), echo])
    assert run.stop_reason == "cancelled"
    assert [result.error_type for result in run.results] == ["cancelled", "cancelled_before_start"]


WRONG = [
    (
        {"validate": lambda args, env: 1 / 0},
        "invalid_arguments",
        "t could not check these arguments (ZeroDivisionError",
    ),
    ({"validate": lambda args, env: "a is odd"}, "invalid_arguments", "a is odd. The parameters are: none"),
    ({"check_permission": lambda args, env: 1 / 0}, "permission_denied", "tool_denies failed (ZeroDivisionError"),
    (
        {"check_permission": lambda args, env: "yes"},
        "permission_denied",
        "t answered 'yes', not allow, ask, deny or None",
    ),
    ({"read_only": lambda args: 1 / 0}, "approval_unavailable", "the script has 0 answers"),
    ({"concurrency_safe": lambda args: 1 / 0}, None, "value"),
    ({"render": lambda value: 1 / 0}, None, "value\n[t could not render this: ZeroDivisionError: division by zero]"),
    ({"render": lambda value: None}, None, "value\n[t could not render this: TypeError: it gave no text but NoneType]"),
    ({"finalize": lambda text: 1 / 0}, None, "value\n[t could not finalize this: ZeroDivisionError"),
    ({"finalize": lambda text: 3}, None, "value\n[t could not finalize this: TypeError: it gave no text but int]"),
    ({"present_result": lambda args, value, meta: 1 / 0}, None, "value"),
    ({"present_result": lambda args, value, meta: "no view"}, None, "value"),
]


@pytest.mark.parametrize(("facts", "error", "words"), WRONG, ids=range(len(WRONG)))
def test_a_tool_whose_own_functions_fail_or_lie_still_gives_its_one_result(facts, error, words):
    run = play([calling("t"), "done"], [returning("value", "t", **facts)])
    (result,) = run.results
    assert result.error_type == error
    assert words in result.content
    assert run.answer == "done"
    if "present_result" in facts:
        assert [view.kind for view in result.view.views] == ["error", "text"]


OWN = [
    "validate",
    "check_permission",
    "read_only",
    "concurrency_safe",
    "render",
    "finalize",
    "present_result",
    "enabled",
]


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt(), Odd("odd")], ids=["exit", "interrupt", "odd"])
@pytest.mark.parametrize("fact", OWN)
def test_nothing_that_a_tools_own_functions_raise_escapes_the_run(fact, error):
    def fails(*args):
        raise error

    run = play([calling("t"), "done"], [returning("value", "t", **{fact: fails})])
    assert len(run.results) == 1
    assert run.stop_reason in ("answered", "cancelled")


def test_the_effect_of_a_call_is_shown_or_its_failure_is():
    effects = []
    for present in (lambda args, env: 1 / 0, lambda args, env: "no view"):
        approver = ScriptedApprover([Allow()])
        play([calling("t"), "done"], [returning(1, "t", read_only=False, present_call=present)], approver=approver)
        effects.append(approver.questions[0].effect)
    assert [effect.error_type for effect in effects] == ["no_preview", "no_preview"]


def test_a_call_that_can_not_be_done_is_told_and_nobody_is_asked():
    def present(args, env):
        raise ToolError("not_unique", "it is there twice")

    approver = ScriptedApprover([])
    run = play([calling("t"), "done"], [returning(1, "t", read_only=False, present_call=present)], approver=approver)
    assert (run.results[0].metadata["code"], run.results[0].content) == ("not_unique", "it is there twice")
    assert approver.questions == []


def test_the_call_is_recorded_before_anything_else_and_its_result_last():
    run = play([calling(("write", {"text": "x"})), "done"], [write], [Edit({"text": "y"})])
    way = [event.kind for event in run.events if event.data.get("id") == "call_1"]
    assert way == [
        "call",
        "arguments",
        "decision",
        "question",
        "answer",
        "arguments",
        "decision",
        "executing",
        "effect",
        "result",
    ]
    assert [event.data["by"] for event in kinds_of(run, "arguments")] == ["model", "person"]


def test_each_stage_that_a_call_passed_is_kept_with_its_time():
    (result,) = play([calling(("echo", {"text": "x"})), "done"], [echo]).results
    passed = list(result.metadata["stages"])
    assert passed == [stage.__name__ for stage in STAGES if stage.__name__ != "record"]
    assert all(seconds >= 0 for seconds in result.metadata["stages"].values())
    (refused,) = play([calling("nope"), "done"], [echo]).results
    assert list(refused.metadata["stages"]) == ["look_up", "after_hooks", "render"]


def test_progress_is_told_with_the_id_of_its_call_and_is_not_kept():
    told = []

    class Watch:
        def on_event(self, event):
            if event.kind == "progress":
                told.append((event.data["id"], event.data["text"]))

    def execute(args, env):
        for i in range(3):
            env.progress(f"step {i}\ud83d")
            threading.Event().wait(0.03)
        return "done"

    run = play([calling("t"), "end"], [plain(execute, "t")], observers=[Watch()])
    assert told == [("call_1", f"step {i}\ufffd") for i in range(3)]
    assert kinds_of(run, "progress") == []


def test_a_flood_of_progress_does_not_flood_the_event_loop():
    told = []

    class Watch:
        def on_event(self, event):
            if event.kind == "progress":
                told.append(event.data["text"])

    def execute(args, env):
        for i in range(20_000):
            env.progress(str(i))
        return "done"

    play([calling("t"), "end"], [plain(execute, "t")], observers=[Watch()])
    assert len(told) < 20_000
    assert told[-1] == "19999"


def test_a_tool_that_can_not_be_stopped_is_not_heard_any_more_after_its_result():
    recorder, go_on, said = Recorder(), threading.Event(), threading.Event()

    def execute(args, env):
        env.progress("before")
        go_on.wait(20)
        env.progress("after")
        said.set()

    async def main():
        run = await agent_of([calling("t"), "end"], [plain(execute, "t", timeout=0.1)], observers=[recorder]).run("go")
        go_on.set()
        await asyncio.to_thread(said.wait, 20)
        await settled()
        return run

    assert asyncio.run(main()).results[0].metadata["still_running"]
    assert [event.data["text"] for event in recorder.events if event.kind == "progress"] == ["before"]
    assert recorder.events[-1].kind == "run_ended"


def test_what_a_tool_says_need_not_be_a_text():
    recorder = Recorder()
    tool = plain(lambda args, env: env.progress(12) or env.progress(None) or 1, "t")
    assert play([calling("t"), "end"], [tool], observers=[recorder]).results[0].ok
    assert [event.data["text"] for event in recorder.events if event.kind == "progress"][-1] == "None"


def test_a_failure_within_cellwright_is_told_as_such():
    class Mean(dict):
        def items(self):
            raise RuntimeError("mean")

    run = play([calling("t"), "done"], [returning(Mean(a=1), "t")])
    assert (run.results[0].error_type, "RuntimeError: mean" in run.results[0].content) == ("invalid_output", True)


def test_a_cancelled_approval_leaves_nothing_pending():
    class Waits:
        async def ask(self, question):
            await asyncio.sleep(60)

    async def stop(run):
        while not kinds_of(run, "question"):
            await asyncio.sleep(0.01)
        run.cancel()

    run = asyncio.run(act(agent_of([calling(("write", {"text": "x"})), "never"], [write], approver=Waits()), stop))
    assert (run.stop_reason, run.results[0].error_type) == ("cancelled", "cancelled_before_start")
    assert json.loads(kinds_of(run, "call")[0].data["arguments"]) == {"text": "x"}
