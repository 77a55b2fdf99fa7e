import ast
import re

import pytest

from cellwright import Tool
from cellwright.catalogue import BUILT_IN, load, registry_of
from cellwright.code_mode.code_sdk import full_text, is_plain, parameters, place, sdk_text, signature, summary
from cellwright.schema import Schema


def made(properties, required=(), name="act", **more):
    schema = {"type": "object", "properties": properties, "required": list(required), **more}
    return Tool.from_schema(name, "Acts.", schema, lambda args, env: None)


def typed(schema, **more):
    """The type that a parameter of this schema is written with."""
    return re.fullmatch(
        r"async def act\(x: (.*)\) -> Any", signature(made({"x": schema}, ["x"], **more)).split("\n")[0]
    )[1]


TREE = {
    "$defs": {"Tree": {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}}}
}


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"type": "string"}, "str"),
        ({"type": "number"}, "float"),
        ({"type": ["integer", "null"]}, "int | None"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}, {"type": "string"}]}, "str | None"),
        ({"oneOf": [{"type": "boolean"}, {}]}, "Any"),
        ({"allOf": [{"type": "boolean"}]}, "bool"),
        ({"enum": ["a", 1, None, True]}, "Literal['a', 1, None, True]".replace("'", '"')),
        ({"const": {"b": [1], "a": "x"}}, 'Literal[{"a": "x", "b": [1]}]'),
        ({"type": "array"}, "list[Any]"),
        ({"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}, "list[list[int]]"),
        ({"type": "object"}, "dict[str, Any]"),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "dict[str, int]"),
        (
            {"type": "object", "properties": {"b": {}, "a": {"type": "string"}, "c": {}}, "required": ["c"]},
            '{"c": Any, "a"?: str, "b"?: Any}',
        ),
        ({"enum": list(range(50))}, f"Literal[{', '.join(map(str, range(20)))}, ...]"),
        ({"enum": ["x" * 400, "y"]}, "Any"),
        (True, "Any"),
        ({"enum": ["line\nbreak", "\u202e"]}, r"Literal['line\nbreak', '\u202e']"),
    ],
)
def test_a_type_is_written_as_python_has_it(schema, text):
    assert typed(schema) == text


def test_a_type_that_refers_to_itself_is_named_and_written_once():
    text = signature(made({"x": {"$ref": "#/$defs/Tree"}}, ["x"], **TREE))
    assert text == 'async def act(x: Tree) -> Any\n    # Tree = {"kids"?: list[Tree]}'
    assert typed({"$ref": "#"}) == "Any"


def test_required_parameters_come_first_and_the_rest_by_name_whatever_the_order_of_the_keys():
    of = {"z": {"type": "string"}, "b": {"default": "x"}, "a": {"type": "integer"}, "c": {}}
    tools = [made(of, ["z", "c"]), made(dict(reversed(of.items())), ["z", "c"])]
    assert {signature(t) for t in tools} == {'async def act(z: str, c: Any, a: int = ..., b: Any = "x") -> Any'}
    assert parameters(tools[0].input_schema) == ("z", "c", "a", "b")


def test_names_that_python_does_not_take_are_given_in_a_dictionary():
    of = {"path": {"type": "string"}, "dry-run": {"type": "boolean"}, "from": {"type": "string"}, "a\n b\x1b": {}}
    text = signature(made(of, ["path", "from"], name="mcp__x__do-it"))
    odd = r"""{"from": str, 'a\n b\x1b': Any = ..., "dry-run": bool = ...}"""
    assert text == f"""async def tools["mcp__x__do-it"](path: str, **{odd}) -> Any"""
    assert [is_plain(name) for name in ("ok", "class", "_x", "é", "a-b", "")] == [True] + [False] * 5
    assert (place("read_file"), place("import")) == ("tools.read_file", 'tools["import"]')


def test_what_a_tool_returns_is_told_if_it_says_so():
    text = signature(
        Tool("act", "Acts.", Schema({"type": "object"}), print, output_schema=Schema(TREE | {"type": "object"}))
    )
    assert text == "async def act() -> dict[str, Any]"


def test_a_schema_without_end_makes_a_short_line():
    huge = made({f"parameter_{n}": {"type": "string", "enum": ["x" * 50]} for n in range(60)})
    assert len(signature(huge)) < 3_000 and "parameter_59: Any" in signature(huge)
    deep = {"type": "integer"}
    for _ in range(60):
        deep = {"type": "array", "items": deep}
    assert typed(deep) == "list[" * 6 + "Any" + "]" * 6


def test_the_first_paragraph_of_a_description_is_its_summary():
    act = Tool("act", "Acts on\n  something.\n\nMore of it.", Schema({"type": "object"}), print)
    assert summary(act) == "Acts on something." and "More of it." in full_text(act)
    assert len(summary(Tool("t", "x " * 500, Schema({"type": "object"}), print))) == 300


def test_the_text_of_all_built_in_tools_is_python_and_the_same_each_time():
    text = sdk_text(registry_of("all"))
    assert text == sdk_text(load(name) for name in sorted(BUILT_IN))
    lines = [line for line in text.split("\n") if line.startswith("async def ")]
    functions = [ast.parse(f"{line}: ...").body[0] for line in lines]
    assert [function.name for function in functions] == sorted(BUILT_IN)
    for function in functions:
        given = [arg.arg for arg in function.args.args]
        schema = load(function.name).input_schema
        assert set(given) == set(schema.properties)
        assert set(given[: len(given) - len(function.args.defaults)]) == schema.required
