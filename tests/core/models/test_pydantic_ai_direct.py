"""What is Google's own; the rules for all providers are in `test_provider_model.py`."""

import asyncio

import pytest

from cellwright import Agent, model
from cellwright.errors import ModelError
from cellwright.models.model import Request

from .shapes import GOOGLE, Said, candidate, sse
from .test_provider_model import HELLO, look, turn_of
from .wire_server import Answer, serving


def chunks(*parts, **end):
    last = {"candidates": [{"content": {"parts": [{"text": ""}]}, "finishReason": "STOP", **end}]}
    return Answer(sse(*map(candidate, parts), last))


def test_a_signature_goes_back_beside_the_call_that_it_came_with():
    first = GOOGLE.answer(Said("So.", "hm", "c2lnbmVk", (("id_a", "look", ('{"text":"a"}',)),)))
    with serving(first, GOOGLE.answer(HELLO)) as server:
        Agent(GOOGLE.model(server), [look]).run_sync("go")
    parts = server.asked[1].json["contents"][1]["parts"]
    assert [part.get("text") for part in parts] == ["hm", "So.", None]
    assert parts[2]["function_call" if "function_call" in parts[2] else "functionCall"]["name"] == "look"
    assert "c2lnbmVk" in str(parts[2])


def test_calls_without_ids_get_them_from_their_position():
    call = {"functionCall": {"name": "look", "args": {"text": "a"}}}
    message, error, _ = turn_of(GOOGLE, chunks(call, call))
    assert ([call.id for call in message.calls], error) == (["call_1", "call_2"], "")


@pytest.mark.parametrize(
    ("reason", "words"), [("SAFETY", "filter stopped this turn"), ("MALFORMED_FUNCTION_CALL", "with an error")]
)
def test_a_turn_that_the_provider_stopped_is_an_error(reason, words):
    message, error, _ = turn_of(GOOGLE, chunks({"text": "I"}, finishReason=reason))
    assert (message.text, words in error) == ("I", True)


def test_a_provider_that_lacks_a_key_or_package_says_so(monkeypatch):
    monkeypatch.delenv("GROQ_API_KEY", raising=False)

    async def ask():
        async for _ in model("groq:some-model").stream(Request("", (), (), b"[]")):
            pass

    with pytest.raises(ModelError, match="groq:some-model can't be used: "):
        asyncio.run(ask())
