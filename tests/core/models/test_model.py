"""The seam to a model: what goes in, and the parts that come out."""

import asyncio
import json

from cellwright import ScriptedModel, Turn
from cellwright.models.model import CallPart, EndPart, Request, TextPart, ThinkingPart

from ..scene import agent_of, echo


def parts_of(turn):
    async def scene():
        return [part async for part in ScriptedModel([turn]).stream(Request("", (), (), b"[]"))]

    return asyncio.run(scene())


def test_a_turn_is_a_stream_of_parts_that_ends_with_its_end():
    parts = parts_of(Turn("a b", [("echo", {"text": "x"}), ["echo", ""]], thinking="hm"))
    assert parts[:-1] == [
        ThinkingPart("hm"),
        TextPart("a "),
        TextPart("b"),
        CallPart(0, "", "echo", '{"text": "x"}', complete=True),
        CallPart(1, "", "echo", "", complete=True),
    ]
    assert isinstance(parts[-1], EndPart)


def test_a_model_gets_the_definitions_as_values_and_as_bytes():
    asked = []

    class Notes(ScriptedModel):
        def stream(self, request):
            asked.append(request)
            return super().stream(request)

    agent = agent_of([], [echo], system="Be brief.")
    agent.model = Notes(["done"])
    agent.run_sync("go")
    (request,) = asked
    assert (request.system, [d.name for d in request.definitions]) == ("Be brief.", ["echo"])
    assert [tool["name"] for tool in json.loads(request.definitions_json)] == ["echo"]
