"""A part of a conversation in a few words."""

import asyncio

import pytest

from cellwright import ScriptedModel, Turn
from cellwright.context.summary import ASK, LONGEST, MARK, summary_by_model, summary_by_rule
from cellwright.messages import Call, ModelMessage, ToolMessage, Usage, UserMessage
from cellwright.models.model import Request

TALK = [
    UserMessage("Mend the plot"),
    ModelMessage("I look.", (Call("1", "read_file", '{"path": "a.py"}'), Call("2", "run_command", '{"command": "x"}'))),
    ToolMessage("1", "read_file", "import os"),
    ToolMessage("2", "run_command", "no such command", ok=False),
    ModelMessage("It is there."),
]
ASKED = Request("Be brief.", (), (), b"[]")


def by_model(*turns):
    model = ScriptedModel(turns)
    return asyncio.run(summary_by_model(TALK, model, ASKED))


def test_by_rule_it_names_what_was_asked_what_was_called_and_what_was_said_last():
    text = summary_by_rule(TALK).text
    assert text.split("\n")[1:-1] == [
        "The person, or a note: Mend the plot",
        'Called read_file {"path": "a.py"} -> ok: import os',
        'Called run_command {"command": "x"} -> failed: no such command',
        "You said last: It is there.",
    ]
    assert text.startswith(f"{MARK}, made by rule: 5 messages")


def test_an_earlier_summary_is_kept_in_the_next():
    first = summary_by_rule(TALK).text
    assert "Mend the plot" in summary_by_rule([UserMessage(first), *TALK[1:]]).text


def test_however_long_the_talk_a_summary_is_bounded():
    talk = [UserMessage("x" * 5_000), *TALK[1:]] * 200
    assert len(summary_by_rule(talk).text) < LONGEST + 200


def test_a_model_is_asked_with_the_conversation_as_it_had_it():
    asked = []

    def turn(conversation):
        asked.extend(conversation)
        return Turn("All mended.", usage=Usage(100, 5))

    summary = by_model(turn)
    assert asked == [*TALK, UserMessage(ASK)]
    assert (summary.by, summary.usage, "All mended." in summary.text) == ("model", Usage(100, 5), True)


@pytest.mark.parametrize(
    ("turn", "why"),
    [
        (Turn(""), "it gave no text"),
        (Turn(calls=[("read_file", {})]), "it gave no text"),
        (Turn("half a", breaks_off=True), "broke off"),
    ],
)
def test_where_the_model_writes_none_the_rule_does_and_it_is_said(turn, why):
    summary = by_model(turn)
    assert (summary.by, why in summary.problem, "Mend the plot" in summary.text) == ("rule", True, True)
