import pytest

from cellwright import Deny, UsageError
from cellwright.sessions.fork import AS_RECORDED, Otherwise, fork_of
from cellwright.sessions.recorded_run import RecordedRun

from ..scene import calling, echo, play

TURNS = [calling(("echo", {"text": "a"})), calling(("echo", {"text": "b"}), ("echo", {"text": "c"})), "done"]


@pytest.fixture(scope="module")
def run():
    return RecordedRun(play(TURNS, [echo]).events)


def test_before_a_step_all_stays_and_of_the_step_nothing(run):
    fork = fork_of(run, 2, AS_RECORDED)
    assert (fork.turn, fork.made, fork.steps) == (None, (), 1)
    assert fork.kept == run.events[1 : 1 + len(fork.kept)]
    assert run.events[1 + len(fork.kept)].kind == "turn_started"
    assert [result.content for result in fork.results] == ["a"]
    assert len(fork.standpoint.conversation) == 3


def test_in_a_step_only_the_call_that_is_otherwise_is_made_again(run):
    fork = fork_of(run, 2, Otherwise("call_2", args={"text": "B"}))
    assert [(call.id, call.arguments) for call in fork.made] == [("call_2", '{"text":"B"}')]
    assert [call.arguments for call in fork.turn.calls] == ['{"text":"B"}', '{"text": "c"}']
    assert [result.content for result in fork.results] == ["a", "c"]
    about = [event.data.get("id") for event in fork.kept]
    assert ("call_2" in about, about.count("call_3")) == (False, 5)


def test_a_result_that_is_given_is_made_by_nobody(run):
    fork = fork_of(run, 1, Otherwise(result="z"))
    assert (fork.made, [result.content for result in fork.results]) == ((), ["z"])
    assert fork.source == {"run": run.id, "log": "", "path": None, "step": 1, "call": "call_1", "otherwise": "result"}


@pytest.mark.parametrize(
    ("step", "otherwise", "said"),
    [
        (4, AS_RECORDED, "has no step 4; its steps are 1 to 3"),
        (2, Otherwise(result="x"), r"step 2 has not the one call ''; its calls are: call_2 \(echo\), call_3 \(echo\)"),
        (1, Otherwise("call_9", result="x"), r"step 1 has not the one call 'call_9'; its calls are: call_1 \(echo\)"),
        (3, Otherwise(result="x"), "its calls are: none"),
        (1, "deny", r"'deny' is nothing that is otherwise; write Otherwise\(decision=Deny\('why'\)\)"),
    ],
)
def test_a_place_that_is_not_there_is_refused(run, step, otherwise, said):
    with pytest.raises(UsageError, match=said):
        fork_of(run, step, otherwise)


@pytest.mark.parametrize("given", [{"args": {}, "result": "x"}, {"decision": Deny(), "args": {}}, {"call": "c"}])
def test_one_thing_is_otherwise(given):
    with pytest.raises(UsageError, match="give one of args=, decision= and result=, or none and no call"):
        Otherwise(**given)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"decision": "deny"}, r"decision='deny' can't be otherwise with a call; write Otherwise\(decision=Deny\("),
        ({"decision": Deny}, "decision=<class"),
        ({"args": "a.txt"}, "args='a.txt' can't be otherwise"),
        ({"result": 5}, "result=5 can't be otherwise"),
    ],
)
def test_what_can_not_be_otherwise_is_refused_when_it_is_made(given, words):
    with pytest.raises(UsageError, match=words):
        Otherwise(**given)
