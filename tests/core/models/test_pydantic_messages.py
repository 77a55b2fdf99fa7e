from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, ThinkingPart, ToolCallPart

from cellwright.definition import Definition, listed
from cellwright.messages import Call, Image, ModelMessage, Sealed, ToolMessage, UserMessage
from cellwright.models.model import Request
from cellwright.models.pydantic_messages import conversation, parameters, sealed

TOOL = Definition("look", "Löoks.", {"type": "object", "title": "T", "$defs": {"b": {}, "a": {}}})


def said(*messages, system="Be brief."):
    return conversation(Request(system, messages, (TOOL,), listed([TOOL.text])), "google:m", "google")


def test_a_definition_keeps_its_schema_as_it_is():
    (tool,) = parameters(Request("", (), (TOOL,), listed([TOOL.text]))).function_tools
    assert (tool.name, tool.description, tool.parameters_json_schema) == ("look", "Löoks.", TOOL.input_schema)


def test_results_and_what_the_person_says_after_them_are_one_message():
    turn = ModelMessage("x", (Call("a", "look", '{"b":1}'), Call("b.c", "lo ok", "{")))
    picture = ToolMessage("b.c", "lo ok", "B", False, (Image("image/png", "QUJD"),))
    made = said(UserMessage(" "), turn, ToolMessage("a", "look", "A"), picture, UserMessage("!"))
    assert [type(message) for message in made] == [ModelRequest, ModelResponse, ModelRequest]
    assert [part.content for part in made[0].parts] == ["Be brief.", "(nothing)"]
    calls = [(part.tool_name, part.args) for part in made[1].parts[1:]]
    assert calls == [("look", '{"b":1}'), ("lo_ok", "{}")]
    assert [part.part_kind for part in made[2].parts] == ["tool-return", "tool-return", "user-prompt"]
    assert (made[2].parts[0].outcome, made[2].parts[1].outcome) == ("success", "failed")
    assert made[2].parts[1].content[1].data == b"ABC"
    assert made[1].parts[2].tool_call_id == made[2].parts[1].tool_call_id


def test_what_a_provider_keeps_beside_its_parts_goes_back_to_their_places():
    signed = {"provider_name": "google", "provider_details": {"thought_signature": "c2ln"}}
    parts = [
        ThinkingPart("hm", signature="s"),
        TextPart("ab"),
        ToolCallPart("look", "{}", "a", **signed),
        TextPart("c"),
    ]
    turn = ModelMessage("abc", (Call("a", "look", "{}"),), "hm", sealed=(Sealed("google:m", sealed(parts), 3, 2, 1),))
    assert said(turn)[1].parts == parts


def test_a_turn_of_which_nothing_is_kept_is_words_and_calls():
    assert sealed([TextPart("x"), ThinkingPart("hm"), ToolCallPart("look", "{}", "a")]) == ""
    (made,) = said(ModelMessage("x", (), "hm"), system="")
    assert made.parts == [TextPart("x")]
    assert said(ModelMessage(" "), system="") == []
