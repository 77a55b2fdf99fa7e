"""What is Anthropic's own; the rules for all providers are in `test_provider_model.py`."""

import json

from cellwright import Agent
from cellwright.messages import Sealed

from .shapes import ANTHROPIC, Said, begin, delta, sse
from .test_provider_model import HELLO, look, turn_of
from .wire_server import Answer, serving


def events(*inner, stop="end_turn"):
    ending = [{"type": "message_delta", "delta": {"stop_reason": stop}}, {"type": "message_stop"}]
    return Answer(sse({"type": "message_start", "message": {}}, *inner, *ending, named=True))


def block(index, inner, *deltas):
    return [
        {"type": "content_block_start", "index": index, "content_block": inner},
        *(delta(index, one) for one in deltas),
        {"type": "content_block_stop", "index": index},
    ]


def thought(index, signature):
    words, signed = {"type": "thinking_delta", "thinking": f"t{index}"}, (signature[:2], signature[2:])
    deltas = [words, *({"type": "signature_delta", "signature": piece} for piece in signed)]
    return block(index, {"type": "thinking", "thinking": "", "signature": ""}, *deltas)


def test_thoughts_between_words_go_back_in_their_order_with_what_is_encrypted(tmp_path):
    redacted = {"type": "redacted_thinking", "data": "ENC=="}
    text = block(2, {"type": "text", "text": ""}, {"type": "text_delta", "text": "So."})
    call = block(4, {"type": "tool_use", "id": "id_a", "name": "look", "input": {}})
    first = events(*thought(0, "sig0"), *block(1, redacted), *text, *thought(3, "sig3"), *call, stop="tool_use")
    with serving(first, ANTHROPIC.answer(HELLO)) as server:
        run = Agent(ANTHROPIC.model(server), [look]).run_sync("go")
    assert server.asked[1].json["messages"][1]["content"] == [
        {"type": "thinking", "thinking": "t0", "signature": "sig0"},
        redacted,
        {"type": "text", "text": "So."},
        {"type": "thinking", "thinking": "t3", "signature": "sig3"},
        {"type": "tool_use", "id": "id_a", "name": "look", "input": {}},
    ]
    assert run.conversation[1].thinking == "t0t3"


def test_what_is_sealed_survives_the_log(tmp_path):
    said = Said("x", "I wonder", "sig")
    with serving(ANTHROPIC.answer(said)) as server:
        run = Agent(ANTHROPIC.model(server), [look], log=tmp_path / "log").run_sync("go")
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    (written,) = [line["data"] for line in lines if line["kind"] == "message"]
    assert tuple(Sealed(**one) for one in written["sealed"]) == run.conversation[1].sealed != ()


def test_a_refusal_is_an_error_that_keeps_what_came():
    text = block(0, {"type": "text", "text": "I"})
    message, error, asked = turn_of(ANTHROPIC, events(*text, stop="refusal"))
    assert (message.text, message.stop, len(asked)) == ("I", "broken", 1)
    assert "the model refused to go on; say it differently" in error


def test_arguments_that_come_whole_with_the_block_are_taken():
    call = {"type": "tool_use", "id": "id_a", "name": "look", "input": {"text": "a"}}
    message, _, _ = turn_of(ANTHROPIC, events(*block(0, call), stop="tool_use"))
    assert [(call.arguments, call.complete) for call in message.calls] == [('{"text":"a"}', True)]


def test_a_call_whose_block_is_not_closed_is_not_whole_when_the_turn_was_cut():
    half = delta(0, {"type": "input_json_delta", "partial_json": '{"text": "a"}'})
    message, _, _ = turn_of(ANTHROPIC, events(begin(0, ("id_a", "look")), half, stop="max_tokens"))
    assert (message.stop, message.calls[0].complete) == ("length", False)
