"""A turn over the wire; the server is one of ours, as the weights of a real one weigh 90 MB."""

import json

from cellwright import Agent
from cellwright.models.local_model import LocalModel
from cellwright.models.local_process import ScriptedServer

from .shapes import CHAT, QUICK, Said
from .test_provider_model import look
from .wire_server import refusing, serving


def small(server):
    return LocalModel("tiny.gguf", ScriptedServer(f"{server.url}/v1", "its-own-key-123"), {}, QUICK)


def test_a_run_is_held_to_the_schema_of_its_tools_and_streams_its_words():
    call = Said(json.dumps({"tool": "look", "arguments": {"text": "a"}}))
    with serving(CHAT.answer(call), CHAT.answer(Said('{"say": "It is seen."}'))) as server:
        run = Agent(small(server), [look]).run_sync("Look.")
    assert (run.stop_reason, run.answer, run.results[0].value) == ("answered", "It is seen.", "seen a")
    form = server.asked[0].json["response_format"]["json_schema"]["schema"]
    assert form["anyOf"][1]["properties"]["tool"] == {"const": "look"}
    assert server.asked[0].headers["authorization"] == "bearer its-own-key-123"
    assert (run.model.name, run.usage.cached_tokens) == ("local:tiny.gguf", 14)


def test_a_server_that_refuses_is_told():
    with serving(refusing(400, "too long")) as server:
        run = Agent(small(server), [look]).run_sync("Look.")
    assert "(400): too long" in run.error
