import json

import jsonschema_rs
import pytest

from cellwright.definition import Definition, listed
from cellwright.messages import Call, ModelMessage, ToolMessage, UserMessage
from cellwright.models.local_turn import Turn, messages, schema
from cellwright.models.model import CallPart, Request, TextPart

ADD = Definition(
    "add", "Adds.", {"type": "object", "properties": {"a": {"type": "integer"}, "why": {"type": "string"}}}
)
LIST = Definition("rows", "Gives rows.", {"type": "object", "properties": {"of": {"type": "array", "items": {}}}})


def asking(*conversation):
    return Request("Be brief.", conversation, (ADD, LIST), listed([ADD.text, LIST.text]))


@pytest.mark.parametrize(
    ("turn", "valid"),
    [
        ({"say": "hello"}, True),
        ({"tool": "add", "arguments": {"a": 1}}, True),
        ({"tool": "sub", "arguments": {}}, False),
        ({"tool": "add", "arguments": {"a": "x"}}, False),
        ({"say": "x" * 401}, False),
        ({"tool": "add", "arguments": {"why": "x" * 201}}, False),
        ({"tool": "rows", "arguments": {"of": [0] * 9}}, False),
        ({"say": "x", "tool": "add"}, False),
    ],
    ids=range(8),
)
def test_a_turn_says_something_or_calls_a_tool_that_there_is_and_comes_to_an_end(turn, valid):
    assert jsonschema_rs.is_valid(schema(asking()), turn) is valid


def test_the_model_is_told_of_tools_and_results_in_words():
    turn = ModelMessage("Well.", (Call("a", "add", '{"a": 1}'), Call("b", "add", "{")))
    said = messages(asking(UserMessage("go"), turn, ToolMessage("a", "add", "3")))
    assert [one["role"] for one in said] == ["system", "user", "assistant", "assistant", "assistant", "user"]
    assert "- add: Adds. Arguments: {" in said[0]["content"]
    assert [json.loads(one["content"]) for one in said[2:5]] == [
        {"say": "Well."},
        {"tool": "add", "arguments": {"a": 1}},
        {"tool": "add", "arguments": {}},
    ]
    assert said[5]["content"] == "The result of add: 3"


def played(*pieces):
    turn = Turn()
    return [[part for piece in pieces for part in turn.add(piece)], list(turn.end())]


@pytest.mark.parametrize("text", ["hello", 'a "b" \\ c\n', "é😀ü", "", "\\u00e9"])
def test_what_is_said_comes_letter_by_letter(text):
    for ascii_only in (True, False):
        raw = json.dumps({"say": text}, ensure_ascii=ascii_only)
        words, calls = played(*raw)
        assert ("".join(part.text for part in words), calls) == (text, [])


def test_a_call_comes_at_its_end():
    raw = json.dumps({"tool": "add", "arguments": {"a": 1}})
    assert played(*raw) == [[], [CallPart(0, "", "add", '{"a":1}', complete=True)]]


def test_what_is_neither_is_taken_as_words():
    assert played("just ", "text") == [[], [TextPart("just text")]]
    assert played('{"say": "half') == [[TextPart("half")], []]
