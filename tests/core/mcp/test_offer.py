"""What a server offers, made into tools of ours."""

import pytest
from mcp_types import Tool, ToolAnnotations

from cellwright.mcp.offer import MAX_SCHEMA, MAX_TOOLS, clean_name, offer_of

READS, DESTROYS = ToolAnnotations(read_only_hint=True), ToolAnnotations(destructive_hint=True)


def offer(*tools, trusted=False):
    return offer_of("it", tools, lambda name: lambda args, env: name, trusted=trusted, timeout=1.0)


def offered(name="t", schema=None, **facts) -> Tool:
    return Tool(name=name, input_schema=schema or {"type": "object"}, **facts)


def test_names_are_cleaned_and_long_ones_stay_apart():
    assert clean_name("mcp__it__", "a b\n\u202e/ö") == "mcp__it__a_b____"
    first, second = (clean_name("mcp__it__", "x" * 100 + end) for end in "ab")
    assert (len(first), len(second), first == second) == (64, 64, False)


def test_of_two_tools_that_come_to_one_name_the_one_that_needed_no_cleaning_is_taken():
    found = offer(offered("a b"), offered("a_b", title="the real one"))
    assert [tool.definition.description for tool in found.tools] == ["the real one"]
    assert "'a b'" in found.left_out[0]
    assert "mcp__it__a_b" in found.left_out[0]


@pytest.mark.parametrize(
    ("annotations", "trusted", "expected"),
    [
        (None, False, (False, False, False)),
        (READS, False, (False, False, False)),
        (READS, True, (True, True, False)),
        (DESTROYS, False, (False, False, True)),
        (DESTROYS, True, (False, False, True)),
        (ToolAnnotations(read_only_hint=True, destructive_hint=True), False, (False, False, False)),
    ],
)
def test_hints_that_warn_count_and_those_that_soothe_only_with_trust(annotations, trusted, expected):
    (tool,) = offer(offered(annotations=annotations), trusted=trusted).tools
    assert (tool.read_only, tool.concurrency_safe, tool.destructive) == expected


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ({"type": "object", "properties": {"a": {"type": "nonsense"}}}, "properties.a.type"),
        ({"type": "array"}, "must say"),
        ({"type": "object", "$ref": "http://127.0.0.1/x"}, "can't be followed"),
        ({"type": "object", "title": "x" * MAX_SCHEMA}, "are taken at most"),
    ],
)
def test_only_the_tool_with_a_bad_schema_is_left_out(schema, why):
    found = offer(offered("bad", schema), offered("good"))
    assert [tool.name for tool in found.tools] == ["mcp__it__good"]
    assert why in found.left_out[0]


def test_a_value_that_is_no_object_needs_no_schema_of_ours():
    assert offer(offered(output_schema={"type": "array"})).tools[0].output_schema is None
    assert offer(offered(output_schema={"type": "object"})).tools[0].output_schema is not None


def test_hidden_characters_in_a_description_are_named():
    assert offer(offered(description="a\u200bb\U000e0041")).tools[0].description == "a⟨U+200B⟩b⟨U+E0041⟩"


def test_more_tools_than_a_thousand_are_not_taken():
    found = offer(*(offered(f"t{n}") for n in range(MAX_TOOLS + 5)))
    assert (len(found.tools), "more than 1,000" in found.left_out[0]) == (MAX_TOOLS, True)
