import pytest

from cellwright import Allow, Deny, ScriptedApprover, tool
from cellwright.hooks.hook import Ask, Hook
from cellwright.person.question import Question, outlook, question_text
from cellwright.tools.run_command import run_command
from cellwright.views.view import Diff, Text

from ..scene import calling, echo, kinds_of, play, returning


@tool
def write(text: str) -> str:
    """Would change something, so it is asked about."""
    return f"wrote {text}"


class Watching:
    """Answers by a function of the question and of what waits behind it; keeps both."""

    def __init__(self, answer):
        self.answer = answer
        self.seen: list[tuple[Question, tuple[Question, ...]]] = []

    async def ask(self, question: Question):
        waiting = await question.waiting()
        self.seen.append((question, waiting))
        return self.answer(question, waiting)

    @property
    def asked(self) -> list[str]:
        return [question.call_id for question, _ in self.seen]


def all_of_these(question, waiting):
    return Allow(also=waiting)


THREE = calling(("write", {"text": "a"}), ("write", {"text": "b"}), ("write", {"text": "c"}))


def test_what_waits_behind_a_question_is_listed_in_order_and_allowed_together():
    approver = Watching(all_of_these)
    run = play([THREE, "done"], [write], approver=approver)
    ((_, waiting),) = approver.seen
    assert [question.args["text"] for question in waiting] == ["b", "c"]
    assert [result.ok for result in run.results] == [True] * 3


def test_each_call_that_was_allowed_together_is_asked_and_answered_in_the_log_by_itself():
    run = play([THREE, "done"], [write], approver=Watching(all_of_these))
    answers = [event.data for event in kinds_of(run, "answer")]
    assert len(kinds_of(run, "question")) == 3
    assert [answer.get("allowed_with") for answer in answers] == [None, "call_1", "call_1"]
    assert answers[0]["also"] == ["call_2", "call_3"]


def test_a_call_that_would_do_something_else_by_then_is_asked_about_again():
    effects = iter(["now", "now", "later"])
    tool = returning(1, "t", read_only=False, present_call=lambda args, env: Text(next(effects)))
    approver = Watching(all_of_these)
    play([calling("t", "t"), "done"], [tool], approver=approver)
    assert approver.asked == ["call_1", "call_2"]


def test_what_can_not_be_undone_is_asked_about_by_itself():
    approver = Watching(all_of_these)
    tool = returning(1, "t", read_only=False, destructive=True)
    play([calling(("write", {"text": "a"}), "t"), "done"], [write, tool], approver=approver)
    assert approver.asked == ["call_1", "call_2"]


def test_a_no_to_the_first_says_nothing_of_the_others():
    approver = Watching(lambda question, waiting: Deny())
    run = play([THREE, "done"], [write], approver=approver)
    assert approver.asked == ["call_1", "call_2", "call_3"]
    assert {result.error_type for result in run.results} == {"approval_denied"}


@pytest.mark.parametrize(
    "second",
    [("echo", {"text": "x"}), ("write", {}), ("nothing", {}), ("write", "{")],
    ids=["reads", "misfits", "unknown", "broken"],
)
def test_calls_that_would_not_be_asked_about_are_not_listed(second):
    approver = Watching(all_of_these)
    play([calling(("write", {"text": "a"}), second), "done"], [write, echo], approver=approver)
    assert approver.seen[0][1] == ()


def test_a_promise_does_not_outlast_its_calling():
    """The second turn's call has the id of one that was listed, and never came to its turn, in the first."""
    approver = Watching(all_of_these)
    run = play([THREE, calling(("write", {"text": "b"})), "done"], [write], approver=approver)
    assert len(approver.seen) == 2
    assert len(run.results) == 4


def test_a_question_can_be_made_again_for_other_arguments():
    def effect(args, env):
        return Diff("a.txt", f"-x\n+{args['text']}\n", 1, 1)

    asked = question_about("t", {"text": "one"}, effect)
    again = asked.again({"text": "two"})
    assert (again.args, again.effect.unified) == ({"text": "two"}, "-x\n+two\n")
    assert asked.effect.unified == "-x\n+one\n"


def question_about(name, args, effect, **facts):
    approver = ScriptedApprover([Deny()])
    schema_tool = returning(1, name, read_only=False, present_call=effect, **facts)
    play([calling((name, args)), "done"], [schema_tool], approver=approver)
    return approver.questions[0]


def test_a_secret_in_the_arguments_is_in_no_part_of_the_question():
    approver = ScriptedApprover([Deny()])
    secret = "sk-ant-api03-" + "Zx9" * 30
    command = f"curl -H 'x: {secret}' e.test && touch a"
    play([calling(("run_command", {"command": command})), "done"], [run_command], approver=approver)
    asked = approver.questions[0]
    assert [part.target.split()[0] for part in asked.parts] == ["curl", "touch"]
    assert secret not in question_text(asked) + outlook(asked) + repr(asked.parts)


def test_calls_that_a_hook_may_change_are_not_foreseen():
    hook = Hook("before_call", lambda occasion: Ask("look"), name="looker")
    approver = Watching(all_of_these)
    play([THREE, "done"], [write], approver=approver, hooks=[hook])
    assert approver.asked == ["call_1", "call_2", "call_3"]


def test_who_asks_and_by_which_rule_is_in_the_question():
    approver = ScriptedApprover([Deny()])
    policy = {"ask": ["run_command(git push *)"]}
    run = play_asking(approver, "git push origin main", **policy)
    asked = approver.questions[0]
    assert (asked.by, asked.rule) == ("ask_rule", "run_command(git push *)")
    (event,) = kinds_of(run, "question")
    assert (event.data["by"], event.data["parts"][0]["by"]) == ("ask_rule", "ask_rule")


def play_asking(approver, command, **rules):
    from cellwright import Policy

    call = ("run_command", {"command": command})
    return play([calling(call), "done"], [run_command], approver=approver, policy=Policy(**rules))
