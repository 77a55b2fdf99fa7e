"""The dialects of servers; the rules for all providers are in `test_provider_model.py`."""

import pytest

from cellwright import Agent
from cellwright.messages import Usage

from .shapes import CHAT, Said, chat, sse
from .test_provider_model import HELLO, look, turn_of
from .wire_server import Answer, serving

A, B = '{"text": "a"}', '{"text": "b"}'


def chunks(*deltas, finish="tool_calls", usage=None):
    end = {"choices": [{"index": 0, "delta": {}, "finish_reason": finish}], "usage": usage}
    return Answer([*sse(*map(chat, deltas), end), b"data: [DONE]\n\n"])


def call(arguments, name="look", **facts):
    return {"tool_calls": [{"function": {"name": name, "arguments": arguments}, **facts}]}


@pytest.mark.parametrize(
    "deltas",
    [
        [call(A, id="x", index=0), call(B, id="y", index=0)],
        [call(A, index=0), call(B, index=0)],
        [call(A, index=0), call(B, index=1)],
        [call(A), call(B)],
        [{"tool_calls": [call(A)["tool_calls"][0], call(B)["tool_calls"][0]]}],
        [call("", id="x", index=0), call(A, name=None, index=0), call("", id="y", index=0), call(B, None, index=0)],
        [call({"text": "a"}, index=0, id=None), call({"text": "b"}, index=0, id=None)],
        [call(A, id="x", index=0), call(B, id="x", index=1)],
        [call(A, id="x", index=0), {"content": None, "tool_calls": None}, call(B, id="y", index=1), {"role": None}],
    ],
    ids=[
        "one index",
        "one index, no ids",
        "no ids",
        "no index",
        "in one",
        "pieces, one index",
        "objects",
        "one id",
        "nulls",
    ],
)
def test_two_calls_are_two_in_the_words_of_every_server(deltas):
    message, error, _ = turn_of(CHAT, chunks(*deltas, finish="stop"))
    assert [(call.name, call.arguments.replace(" ", "")) for call in message.calls] == [
        ("look", '{"text":"a"}'),
        ("look", '{"text":"b"}'),
    ]
    assert (len({call.id for call in message.calls}), error) == (2, "")


def test_missing_ids_are_made_from_the_position():
    message, _, _ = turn_of(CHAT, chunks(call(A, index=0), call(B, index=1)))
    assert [call.id for call in message.calls] == ["call_1", "call_2"]


@pytest.mark.parametrize("key", ["reasoning_content", "reasoning"])
def test_thinking_goes_back_under_the_key_under_which_it_came(key):
    first = chunks({key: "I "}, {key: "wonder"}, call(A, id="x", index=0))
    with serving(first, CHAT.answer(HELLO)) as server:
        run = Agent(CHAT.model(server), [look]).run_sync("go")
    assert run.conversation[1].thinking == "I wonder"
    assert server.asked[1].json["messages"][2][key] == "I wonder"


def test_thinking_under_both_keys_is_taken_once():
    message, _, _ = turn_of(
        CHAT, chunks({"reasoning": "hm", "reasoning_content": "hm"}, {"content": "x"}, finish="stop")
    )
    assert (message.thinking, message.text) == ("hm", "x")


def test_what_only_the_server_can_read_of_its_thinking_goes_back_to_it():
    details = [{"type": "reasoning.encrypted", "data": "ENC=="}]
    first = chunks({"reasoning": "hm", "reasoning_details": details}, call(A, id="x", index=0))
    with serving(first, CHAT.answer(HELLO)) as server:
        Agent(CHAT.model(server), [look]).run_sync("go")
    assert server.asked[1].json["messages"][2]["reasoning_details"] == details


def test_what_a_filter_stopped_is_an_error():
    message, error, _ = turn_of(CHAT, chunks({"content": "I"}, finish="content_filter"))
    assert (message.text, "filter stopped this turn" in error) == ("I", True)


@pytest.mark.parametrize(
    ("usage", "counted"),
    [
        ({"prompt_tokens": 9, "completion_tokens": 2}, Usage(9, 2)),
        ({"prompt_tokens": 9, "completion_tokens": 2, "prompt_cache_hit_tokens": 4}, Usage(9, 2, 4)),
        ({"prompt_tokens": 9, "completion_tokens": None, "prompt_tokens_details": None}, Usage(9, 0)),
    ],
    ids=range(3),
)
def test_tokens_are_counted_as_the_server_counts_them(usage, counted):
    message, _, _ = turn_of(CHAT, chunks({"content": "x"}, finish="stop", usage=usage))
    assert message.usage == counted


def test_options_are_passed_on_in_the_servers_own_words():
    _, _, asked = turn_of(CHAT, CHAT.answer(Said("x")), options={"temperature": 0, "seed": 3})
    assert (asked[0].json["temperature"], asked[0].json["seed"], asked[0].json["model"]) == (0, 3, "m-1")
