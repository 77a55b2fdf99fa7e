import json

from cellwright.definition import Definition, listed
from cellwright.messages import Call, Image, ModelMessage, Sealed, ToolMessage, UserMessage
from cellwright.models.model import Request
from cellwright.models.responses_body import body, tool_text
from cellwright.models.wire import ToolTexts

TOOL = Definition("look", "Löoks.", {"type": "object", "title": "T", "$defs": {"b": {}, "a": {}}})


def said(*conversation, system="Be brief."):
    request = Request(system, conversation, (TOOL,), listed([TOOL.text]))
    return json.loads(body(request, "m", "openai:m", {}, ToolTexts(tool_text)))


def test_nothing_is_kept_there_and_thoughts_come_back_encrypted():
    sent = said(UserMessage("go"))
    assert (sent["store"], sent["include"], sent["instructions"]) == (
        False,
        ["reasoning.encrypted_content"],
        "Be brief.",
    )


def test_a_definition_keeps_its_schema_as_it_is():
    assert said()["tools"] == [
        {"type": "function", "name": "look", "description": "Löoks.", "strict": False, "parameters": TOOL.input_schema}
    ]


def test_runs_with_the_same_beginning_share_a_key_of_the_cache():
    assert said(UserMessage("a"))["prompt_cache_key"] == said(UserMessage("b"))["prompt_cache_key"]
    assert said()["prompt_cache_key"] != said(system="Be long.")["prompt_cache_key"]


def test_each_thought_stands_before_what_it_led_to():
    thoughts = [{"type": "reasoning", "id": n, "encrypted_content": "E"} for n in ("r1", "r2")]
    seals = [Sealed("openai:m", json.dumps(thought), 0, 0, place) for place, thought in enumerate(thoughts)]
    turn = ModelMessage("", (Call("a", "look", "{"), Call("b", "look", "")), sealed=tuple(seals))
    items = said(turn)["input"]
    assert [item.get("id", item.get("call_id")) for item in items] == ["r1", "a", "r2", "b"]
    assert [items[1]["arguments"], items[3]["arguments"]] == ["{", "{}"]


def test_the_phase_of_words_goes_back_with_them():
    turn = ModelMessage("so", sealed=(Sealed("openai:m", '{"phase":"commentary"}'),))
    assert said(turn)["input"] == [{"role": "assistant", "content": "so", "phase": "commentary"}]


def test_a_picture_stands_in_the_result():
    (item,) = said(ToolMessage("a", "look", "A", images=(Image("image/png", "aaaa"),)))["input"]
    assert [part["type"] for part in item["output"]] == ["input_text", "input_image"]
