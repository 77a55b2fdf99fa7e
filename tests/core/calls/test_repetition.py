import pytest

from cellwright import Agent, Deny, ScriptedApprover, ScriptedModel, Turn, tool
from cellwright.calls.repetition import ENOUGH, HOPELESS, Repetition
from cellwright.messages import Call
from cellwright.result import Result, failure

from ..scene import BYPASS

TRIED: list[str] = []


@tool(read_only=True)
def fetch(name: str) -> str:
    """Fetch a thing that is never there."""
    TRIED.append(name)
    raise FileNotFoundError(name)


@tool
def make(name: str) -> str:
    """Make a thing."""
    return name


@pytest.fixture(autouse=True)
def nothing_tried():
    TRIED.clear()


def play(turns, **conditions):
    return Agent(ScriptedModel(turns), [fetch, make], **conditions).run_sync("Go on.")


def again(name, arguments, times):
    return [Turn(calls=[(name, arguments)])] * times


def test_the_same_failing_call_is_tried_three_times_and_then_refused():
    run = play([*again("fetch", {"name": "x"}, 5), "I give up."])
    assert TRIED == ["x"] * ENOUGH
    assert [result.error_type for result in run.results] == ["tool_error"] * 3 + ["guard_denied"] * 2
    assert "failed 3 times and was not tried again" in run.results[3].content
    assert run.stop_reason == "answered"


def test_a_model_that_does_not_stop_is_stopped():
    run = play([*again("fetch", {"name": "x"}, 20)])
    assert (run.stop_reason, run.steps) == ("repetition", HOPELESS)


def test_calls_of_an_unknown_tool_count_too():
    run = play([*again("get_thing", "{}", 20)])
    assert run.stop_reason == "repetition"
    assert [result.error_type for result in run.results] == ["unknown_tool"] * 3 + ["guard_denied"] * 3
    run = play([Turn(calls=[("get_thing", {"n": n})]) for n in range(20)])
    assert (run.stop_reason, run.steps) == ("repetition", HOPELESS)


def test_blanks_and_the_order_of_arguments_make_no_other_call():
    run = play([Turn(calls=[("fetch", text)]) for text in ('{"name":"x","a":1}', '{"a": 1,  "name": "x"}') * 9])
    assert (TRIED, run.stop_reason, run.steps) == ([], "repetition", HOPELESS)


def test_other_arguments_are_another_call():
    run = play([*[Turn(calls=[("fetch", {"name": str(n)})]) for n in range(8)], "Nothing there."])
    assert len(TRIED) == 8
    assert run.stop_reason == "answered"


def test_what_changes_something_begins_the_counting_anew():
    made = Turn(calls=[("make", {"name": "y"})])
    play(
        [*again("fetch", {"name": "x"}, 2), made, *again("fetch", {"name": "x"}, 2), "Done."],
        policy=BYPASS,
    )
    assert TRIED == ["x"] * 4


def test_a_person_is_not_asked_about_the_same_denied_call_for_ever():
    approver = ScriptedApprover([Deny()] * 9)
    run = play([*again("make", {"name": "y"}, 5), "All right."], approver=approver)
    assert len(approver.questions) == ENOUGH
    assert run.results[-1].error_type == "guard_denied"


def test_a_success_that_only_reads_changes_no_count():
    counts, call = Repetition(), Call("1", "fetch", "{}")
    for _ in range(ENOUGH):
        counts.note(failure(call, "tool_error", "no"), changes_something=False)
    counts.note(Result(call, True, "yes"), changes_something=False)
    assert counts.refusal(call) is not None
    counts.note(Result(call, True, "yes"), changes_something=True)
    assert counts.refusal(call) is None
