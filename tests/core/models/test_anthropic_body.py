import json

from cellwright.definition import Definition, listed
from cellwright.messages import Call, ModelMessage, ToolMessage, UserMessage
from cellwright.models.anthropic_body import body
from cellwright.models.model import Request

TOOL = Definition("look", "Löoks.", {"type": "object", "title": "T", "$defs": {"b": {}, "a": {}}})


def sent(*conversation, system="Be brief.", tools=(TOOL,), options=()):
    request = Request(system, conversation, tools, listed(tool.text for tool in tools))
    return body(request, "m", "anthropic:m", dict(options))


def blocks(*conversation):
    return [(m["role"], m["content"]) for m in json.loads(sent(*conversation))["messages"]]


def test_the_tools_are_our_bytes_and_a_mark_stands_behind_them():
    text = sent(UserMessage("go")).decode()
    assert f'"tools":[{TOOL.text}],"system":[' in text
    assert json.loads(text)["system"][-1]["cache_control"] == {"type": "ephemeral"}
    assert json.loads(text)["cache_control"] == {"type": "ephemeral"}


def test_options_are_said_in_the_providers_own_words():
    said = json.loads(sent(UserMessage("go"), options={"max_tokens": 5, "thinking": {"type": "adaptive"}}))
    assert (said["max_tokens"], said["thinking"], said["stream"]) == (5, {"type": "adaptive"}, True)


def test_what_is_empty_is_left_out():
    said = json.loads(sent(UserMessage("go"), system=" ", tools=()))
    assert said.keys() == {"model", "max_tokens", "stream", "cache_control", "messages"}


def test_results_and_what_the_person_says_after_them_are_one_message():
    turn = ModelMessage("x", (Call("a", "look", '{"b":1}'), Call("b", "look", "{")))
    said = blocks(
        UserMessage("go"), turn, ToolMessage("a", "look", "A"), ToolMessage("b", "look", "", False), UserMessage("!")
    )
    assert [role for role, _ in said] == ["user", "assistant", "user"]
    assert [(block["id"], block["input"]) for block in said[1][1][1:]] == [("a", {"b": 1}), ("b", {})]
    assert [block["type"] for block in said[2][1]] == ["tool_result", "tool_result", "text"]
    assert ("is_error" in said[2][1][0], said[2][1][1]["is_error"], said[2][1][1]["content"]) == (False, True, [])


def test_words_that_are_blanks_are_never_sent():
    said = blocks(UserMessage(" "), ModelMessage("\n "), UserMessage("go"))
    assert said == [("user", [{"type": "text", "text": "(nothing)"}, {"type": "text", "text": "go"}])]


def test_thinking_that_nobody_signed_is_not_sent_back():
    assert blocks(UserMessage("go"), ModelMessage("x", thinking="hm", stop="broken"))[1][1] == [
        {"type": "text", "text": "x"}
    ]


def test_a_turn_with_many_calls_leaves_a_mark_where_the_last_request_ended():
    calls = tuple(Call(f"c{n}", "look", "{}") for n in range(15))
    results = [ToolMessage(call.id, "look", "x") for call in calls]
    said = blocks(UserMessage("go"), ModelMessage("", calls), *results)
    assert said[0][1][-1]["cache_control"] == {"type": "ephemeral"}
    few = blocks(UserMessage("go"), ModelMessage("", calls[:2]), *results[:2])
    assert "cache_control" not in few[0][1][-1]
