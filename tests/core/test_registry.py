import asyncio
import itertools
import json

import pytest

from cellwright import Agent, Registry, ScriptedModel, Tool
from cellwright.errors import RegistryError
from cellwright.runs.budget import Budget

from .properties import for_any
from .scene import calling, echo, kinds_of, plain, play, returning


def named(name, origin="user", description="A tool."):
    schema = {"type": "object", "properties": {"z": {"type": "string"}, "a": {"type": "integer"}}}
    made = Tool.from_schema(name, description, schema, lambda args, env: None)
    return Tool(name, description, made.input_schema, made.execute, origin=origin)


ORDER = ["built-in", "user", "mcp"]
TOOLS = [named("b", "built-in"), named("a", "mcp"), named("c"), named("a2", "built-in"), named("B")]


def test_the_model_sees_built_in_tools_first_then_the_persons_then_mcps_by_name():
    assert [tool.name for tool in Registry(TOOLS)] == ["a2", "b", "B", "c", "a"]
    assert [d.name for d in Registry(TOOLS).definitions()] == ["a2", "b", "B", "c", "a"]


def test_equal_registries_give_equal_bytes_whatever_the_order_of_adding():
    texts = {Registry(order).definitions_json() for order in itertools.permutations(TOOLS)}
    assert len(texts) == 1
    (text,) = texts
    assert text.startswith(
        b'[{"description":"A tool.","input_schema":{"properties":{"a":{"type":"integer"},"z":{"type":"string"}},'
        b'"type":"object"},"name":"a2"},'
    )


def test_the_bytes_stay_the_same_over_a_hundred_turns():
    class Watching(ScriptedModel):
        def stream(self, request):
            sent.append((request.definitions, request.definitions_json))
            return super().stream(request)

    sent = []
    turns = [calling(("echo", {"text": "x"}))] * 99
    run = asyncio.run(Agent(Watching([*turns, "done"]), Registry([*TOOLS, echo]), budget=Budget(steps=None)).run("go"))
    assert (run.steps, run.answer, len(sent)) == (100, "done", 100)
    assert len({text for _, text in sent}) == 1
    assert all(shown == sent[0][0] for shown, _ in sent)


def test_nothing_but_name_description_and_schema_leaks():
    host = {"origin": "mcp", "timeout": 77.5, "system": True, "max_result_chars": 4242, "destructive": True}
    made = plain(lambda args, env: None, "t", validate=lambda args, env: None, render=str, finalize=str, **host)
    (shown,) = json.loads(Registry([made]).definitions_json())
    assert shown == {"name": "t", "description": "A tool.", "input_schema": {"type": "object"}}


def test_a_second_tool_of_a_name_is_refused_with_both_origins():
    registry = Registry([named("x", "built-in")])
    with pytest.raises(RegistryError) as caught:
        registry.add(named("x", "user"))
    assert "a built-in tool is already called 'x'; rename the new one, which is a tool of yours" in str(caught.value)
    assert "registry.replace(tool)" in str(caught.value)
    assert registry.get("x").origin == "built-in"


@pytest.mark.parametrize("thing", [None, "echo", print, {}])
def test_what_is_no_tool_is_refused_with_the_way_to_make_one(thing):
    with pytest.raises(RegistryError, match="is not a Tool; decorate a function with @tool"):
        Registry().add(thing)


def test_replacing_is_explicit_and_changes_the_digest():
    registry = Registry([returning(1, "x")])
    before = registry.digest
    registry.replace(named("x"))
    assert registry.digest != before
    with pytest.raises(RegistryError, match=r"no tool 'y' to replace; use registry\.add"):
        registry.replace(named("y"))


def test_near_names_are_told_and_an_exact_one_is_needed():
    registry = Registry([named("read_file"), named("write_file"), named("Read")])
    assert registry.near("Read_File")[0] == "read_file"
    assert registry.get("Read_File") is None
    assert registry.near("zzzzzz") == ()
    assert ("read_file" in registry, "read" in registry, len(registry)) == (True, False, 3)


def test_names_and_descriptions_that_do_not_encode_do_not_spoil_the_request():
    assert "a\ufffdb" in Registry([named("x", description="a\ud83db")]).definitions_json().decode("utf-8")


KEYS = {"type": "object", "properties": {"b": {"type": "string", "title": "B"}, "a": {}}, "required": ["b"]}


def in_order(names, order):
    """A registry of tools, with names and keys as they come out of `order`."""
    made = []
    for name in names:
        schema = KEYS | {"properties": dict(order(KEYS["properties"].items()))}
        made.append(Tool.from_schema(name, "Does.", dict(order(schema.items())), lambda args, env: None))
    return Registry(order(made))


@for_any(order="order", examples=30)
def test_in_whatever_order_tools_and_keys_come_a_hundred_turns_get_the_same_bytes(order):
    registry = in_order("cAbza", lambda items: order.sample(list(items), len(items)))
    turns = {registry.definitions_json() for _ in range(100)}
    assert turns == {in_order("abczA", list).definitions_json()}


def test_names_of_a_server_go_out_of_sight_and_come_back_byte_for_byte():
    registry = Registry([named("a"), named("mcp__git__log", "mcp"), named("mcp__github__show", "mcp")])
    before, there = registry.definitions_json(), registry.tools
    assert registry.suspend("mcp__git__") == ("mcp__git__log",)
    assert [tool.name for tool in registry] == ["a", "mcp__github__show"]
    assert (registry.get("mcp__git__log"), registry.away("mcp__git__log")) == (None, "mcp__git__")
    assert registry.tools is not there
    assert registry.resume("mcp__git__") == ("mcp__git__log",)
    assert (registry.definitions_json(), registry.away("mcp__git__log")) == (before, "")


def test_what_a_server_adds_while_it_is_away_is_there_when_it_is_back():
    registry = Registry([named("mcp__git__log", "mcp")])
    registry.suspend("mcp__git__")
    registry.add(named("mcp__git__show", "mcp"))
    registry.replace(named("mcp__git__log", "mcp", "Another."))
    assert len(registry) == 0
    registry.resume("mcp__git__")
    assert [tool.description for tool in registry] == ["Another.", "A tool."]


@pytest.mark.parametrize("wrong", ["", "mcp__git", "__", "mcp__git__log"])
def test_only_a_namespace_can_be_suspended(wrong):
    with pytest.raises(RegistryError, match="is no namespace; give the beginning of names, as mcp__server__"):
        Registry([named("mcp__git__log", "mcp")]).suspend(wrong)


@pytest.mark.parametrize("origins", [("built-in", "mcp"), ("mcp", "built-in")])
def test_a_built_in_tool_wins_over_one_of_a_server_whichever_came_first(origins):
    registry = Registry([named("x", origin) for origin in origins])
    assert (registry.get("x").origin, [tool.origin for tool in registry.beaten]) == ("built-in", ["mcp"])
    with pytest.raises(RegistryError, match="an MCP tool is already called 'x'"):
        registry.add(named("x", "mcp"))


def test_nothing_is_sorted_or_written_again_while_nothing_changes():
    registry = Registry(TOOLS)
    assert registry.tools is registry.tools
    before = registry.tools
    registry.add(named("late"))
    assert (list(before), list(registry.tools)) == (
        ["a2", "b", "B", "c", "a"],
        ["a2", "b", "B", "c", "late", "a"],
    )


@for_any(order="order")
def test_tools_of_any_origin_added_in_any_order_give_the_same_bytes(order):
    tools = [named(name, origin, f"Does {name}.") for name, origin in zip("aBc_9Z", [*ORDER, *ORDER], strict=True)]
    other = Registry(order.sample(tools, len(tools)))
    assert (other.definitions_json(), other.digest) == (Registry(tools).definitions_json(), Registry(tools).digest)
    assert list(other) == sorted(tools, key=lambda tool: (ORDER.index(tool.origin), tool.name))


def test_a_tool_that_is_removed_is_gone_and_one_that_it_beat_takes_its_place():
    registry = Registry([named("a"), named("b", "built-in"), named("b", "mcp")])
    for name in ("a", "b"):
        registry.remove(name)
    assert [(tool.name, tool.origin) for tool in registry] == [("b", "mcp")]
    with pytest.raises(RegistryError, match="no tool 'a' to remove"):
        registry.remove("a")


def test_a_remark_is_told_once_in_a_run():
    registry = Registry([echo])
    for _ in range(2):
        registry.remark("something is left out")
    run = play(["done"], registry)
    assert [event.data["text"] for event in kinds_of(run, "note")] == ["something is left out"]
