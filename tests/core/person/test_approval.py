import asyncio
import json

import pytest

from cellwright import Agent, Allow, Deny, Edit, ScriptedApprover, ScriptedModel, Turn, UsageError
from cellwright.permission.grant import Grant
from cellwright.permission.offers import Offer
from cellwright.person.approval import AllowAll, ConsoleApprover, DenyAll, Unavailable
from cellwright.person.question import Question
from cellwright.schema import Schema

from ..scene import agent_of, calling, play, returning

SCHEMA = Schema({"type": "object", "properties": {"a": {"type": "integer"}}})


def question(**changes):
    fields = {"call_id": "c1", "tool": "t", "args": {"a": 1}, "schema": SCHEMA, "effect": None}
    fields |= {"reason": "it may act", "destructive": False, "check": lambda args: "; ".join(SCHEMA.problems(args))}
    return Question(**{**fields, **changes})


def typed(*lines):
    """The answer of a person who types these lines, then closes standard input."""
    left = list(lines)

    def read(prompt):
        if not left:
            raise EOFError
        return left.pop(0)

    return asyncio.run(ConsoleApprover(read).ask(question())), left


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["a"], Allow()),
        (["ALLOW "], Allow()),
        (["d"], Deny()),
        (["deny"], Deny()),
        (["r", " not now "], Deny("not now")),
        (["e", '{"a": 2}'], Edit({"a": 2})),
        (["e", '{"a": "x"}', "d"], Deny()),
        (["e", "{broken", "e", "[1]", "e", '{"a": 3}'], Edit({"a": 3})),
        (["", "what?", "yes", "y", "a"], Allow()),
        ([], Unavailable("standard input is closed, so nobody could answer")),
        (["r"], Unavailable("standard input is closed, so nobody could answer")),
        (["e"], Unavailable("standard input is closed, so nobody could answer")),
    ],
    ids=range(12),
)
def test_the_terminal_takes_only_the_answers_it_offers(lines, answer, capsys):
    assert typed(*lines) == (answer, [])
    said = capsys.readouterr()
    assert (said.out, said.err.startswith("May t run? it may act\n")) == ("", True)


OFFERS = {
    "offers": (Offer("exactly this", ("t(a)",)), Offer("every call of t", ("t",))),
    "scopes": ("run", "session"),
}


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["g", "1", "r"], Grant("run", ("t(a)",))),
        (["grant", "2", "Session"], Grant("session", ("t",))),
        (["g", "3", "g", "0", "g", "", "d"], Deny()),
        (["g", "1", "p", "g", "1", "", "a"], Allow()),
    ],
    ids=range(4),
)
def test_the_terminal_grants_only_what_is_offered_and_shows_its_rule(lines, answer, capsys):
    left = list(lines)
    asked = question(**OFFERS)
    assert asyncio.run(ConsoleApprover(lambda prompt: left.pop(0)).ask(asked)) == answer
    assert "  1  exactly this: t(a)\n  2  every call of t: t\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["yes"], "'yes' is no answer here; type one of the keys in brackets, then Enter"),
        ([""], "nothing was typed; type one of the keys"),
        (["t\x1b[2J"], "'t⟨U+001B⟩[2J' is no answer here"),
        (["s"], "'s' is no answer here"),
        (["g", "3"], "'3' is no answer here; type a number from 1 to 2"),
        (["g", "2", "week"], "'week' is no answer here; type one of: [r]un or [s]ession"),
    ],
    ids=range(6),
)
def test_a_line_that_is_no_answer_is_told_with_what_to_type(lines, told, capsys):
    left = [*lines, "d"]
    assert asyncio.run(ConsoleApprover(lambda prompt: left.pop(0)).ask(question(**OFFERS))) == Deny()
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(("lines", "ran"), [(["t", "y", "d"], "ab"), (["t", "n", "d", "d", "d"], "")])
def test_the_terminal_allows_several_calls_of_a_turn_that_it_has_shown(lines, ran, tmp_path, capsys):
    writes = [("write_file", {"path": name, "content": f"note {name}"}) for name in "ab"]
    turn = Turn(calls=[*writes, ("run_command", {"command": "rm -f old"})])
    left = list(lines)
    approver = ConsoleApprover(lambda prompt: left.pop(0))
    Agent(ScriptedModel([turn, "done"]), ["write_file", "run_command"], cwd=tmp_path, approver=approver).run_sync("go")
    assert ("".join(sorted(path.name for path in tmp_path.glob("?"))), left) == (ran, [])
    first, second = capsys.readouterr().err.split("2. May this file be written?")
    assert ("+note a" in first, "+note b" in second, "3. " in second) == (True, True, False)


def test_wrong_edits_are_told_on_the_terminal(capsys):
    typed("e", '{"a": "x"}', "e", "[1]", "e", "{", "d")
    said = capsys.readouterr().err
    assert 'a must be an integer, got string "x"' in said
    assert "arguments must be a JSON object" in said
    assert "arguments are incomplete" in said


def test_a_terminal_that_closes_in_the_middle_of_an_answer_is_not_a_no():
    lines = iter(["r"])

    def read(prompt):
        for line in lines:
            return line
        raise EOFError

    run = play([calling("t"), "done"], [returning(1, "t", read_only=False)], approver=ConsoleApprover(read))
    assert run.results[0].error_type == "approval_unavailable"


def test_a_script_answers_in_order_and_then_nobody_does():
    approver = ScriptedApprover([Allow(), lambda asked: Deny(asked.tool)])

    async def three():
        return [await approver.ask(question()) for _ in range(3)]

    answers = asyncio.run(three())
    assert answers == [Allow(), Deny("t"), Unavailable("the script has 2 answers, this is question 3")]
    assert [asked.call_id for asked in approver.questions] == ["c1"] * 3


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"answers": [Allow]}, "<class 'cellwright.person.approval.Allow'> is no answer; write ScriptedApprover"),
        ({"answers": ["yes"]}, r"'yes' is no answer; write ScriptedApprover\(\[Allow\(\), Deny\('why'\)\]\)"),
        ({"answers": Allow()}, r"Allow\(also=\(\)\) is no list; write"),
        ({"answers": "yes"}, "'yes' is no list; write"),
        ({"replies": ["red"]}, r"'red' is no reply; write ScriptedApprover\(replies=\[Reply\("),
    ],
)
def test_what_can_not_be_answered_with_is_refused_when_the_script_is_made(given, words):
    with pytest.raises(UsageError, match=words):
        ScriptedApprover(**given)


def test_the_two_who_do_not_look_say_yes_or_that_nobody_is_there():
    assert asyncio.run(AllowAll().ask(question())) == Allow()
    answer = asyncio.run(DenyAll().ask(question()))
    assert answer == Unavailable("no one is there to approve it; run with an approver, or allow the tool by a rule")


def test_an_answer_that_comes_too_late_is_a_timeout_and_not_a_denial():
    class Impatient:
        async def ask(self, asked):
            try:
                await asyncio.wait_for(asyncio.sleep(60), 0.05)
            except TimeoutError:
                return Unavailable("nobody answered within 0.05 seconds")
            return Allow()

    ran = []
    made = returning(1, "t", read_only=False, render=lambda value: ran.append(1) or "")
    run = play([calling("t"), "done"], [made], approver=Impatient())
    (answer,) = (event.data for event in run.events if event.kind == "answer")
    assert (answer["answer"], answer["reason"]) == ("unavailable", "nobody answered within 0.05 seconds")
    assert (ran, "denied" in run.results[0].content) == ([], False)


class Desk:
    def __init__(self):
        self.open = {}

    async def ask(self, asked):
        self.open[asked.args["n"]] = asyncio.get_running_loop().create_future()
        return await self.open[asked.args["n"]]


def test_questions_of_parallel_runs_can_be_answered_in_any_order():
    async def scene():
        desk = Desk()
        turns = [[calling(("t", {"n": n})), "done"] for n in (1, 2, 3)]
        tools = [[returning(n, "t", read_only=False)] for n in (1, 2, 3)]
        runs = [agent_of(*given, approver=desk).start("go") for given in zip(turns, tools, strict=True)]
        while len(desk.open) < 3:
            await asyncio.sleep(0.01)
        for n, answer in ((3, Allow()), (1, Deny("no")), (2, Allow())):
            desk.open[n].set_result(answer)
        return [(await run).results[0] for run in runs]

    results = asyncio.run(scene())
    assert [result.error_type or result.value for result in results] == ["approval_denied", 2, 3]
    assert json.dumps([result.as_json()["ok"] for result in results]) == "[false, true, true]"
