import json

from cellwright.definition import Definition, listed
from cellwright.messages import Call, Image, ModelMessage, Sealed, ToolMessage, UserMessage
from cellwright.models.chat_body import body, tool_text
from cellwright.models.model import Request
from cellwright.models.wire import ToolTexts

TOOL = Definition("look", "Löoks.", {"type": "object", "title": "T", "$defs": {"b": {}, "a": {}}})
PICTURE = Image("image/png", "aaaa")


def sent(*conversation, system="Be brief.", tools=(TOOL,)):
    request = Request(system, conversation, tools, listed(tool.text for tool in tools))
    return body(request, "m", "openai:m", {}, ToolTexts(tool_text))


def messages(*conversation):
    return json.loads(sent(*conversation))["messages"]


def test_a_definition_keeps_its_schema_as_it_is():
    (tool,) = json.loads(sent())["tools"]
    assert tool["function"] == {"name": "look", "description": "Löoks.", "parameters": TOOL.input_schema}
    assert '"parameters":{"$defs":{"a":{},"b":{}},"title":"T","type":"object"}' in tool_text(TOOL)


def test_pictures_follow_all_results_in_a_message_of_the_persons():
    turn = ModelMessage("", (Call("a", "look", "{}"), Call("b", "look", "{")))
    results = ToolMessage("a", "look", "A", images=(PICTURE,)), ToolMessage("b", "look", "B")
    said = messages(UserMessage("go"), turn, *results, UserMessage("well?"))
    assert [message["role"] for message in said] == ["system", "user", "assistant", "tool", "tool", "user"]
    assert [call["function"]["arguments"] for call in said[2]["tool_calls"]] == ["{}", "{}"]
    assert [part["type"] for part in said[5]["content"]] == ["text", "image_url", "text"]
    assert said[5]["content"][1]["image_url"]["url"] == "data:image/png;base64,aaaa"


def test_what_the_person_says_in_a_row_is_one_message():
    assert messages(UserMessage("a"), UserMessage("b"))[1:] == [{"role": "user", "content": "a\n\nb"}]


def test_thinking_goes_back_under_the_key_under_which_it_came_and_else_not_at_all():
    seals = Sealed("openai:m", '{"key":"reasoning"}'), Sealed("openai:m", '{"details":[{"x":1}]}')
    (said,) = messages(ModelMessage("x", (), "hm", sealed=seals))[1:]
    assert said == {"role": "assistant", "content": "x", "reasoning": "hm", "reasoning_details": [{"x": 1}]}
    assert messages(ModelMessage("x", (), "hm"))[1:] == [{"role": "assistant", "content": "x"}]


def test_what_is_empty_is_left_out():
    assert json.loads(sent(UserMessage("go"), system="", tools=())).keys() == {
        "model",
        "stream",
        "stream_options",
        "messages",
    }
