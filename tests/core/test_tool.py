import inspect
import json
from pathlib import Path

import pytest

from cellwright import Env, Registry, Tool, UsageError, tool
from cellwright.definition import Definition
from cellwright.errors import RegistryError, SchemaError
from cellwright.schema import Schema
from cellwright.tool import Facts
from cellwright.views.view import Text

from .scene import plain

ENV = Env(Path("/"))
OBJECT = Schema({"type": "object", "properties": {"path": {"type": "string"}}})


def test_the_decorator_and_the_plain_form_make_the_same_tool():
    def add(a: int, b: int = 1) -> int:
        """Adds."""
        return a + b

    one, two, three = tool(add), tool(read_only=True, name="plus")(add), Tool.from_function(add)
    assert (one.definition, one.execute({"a": 1}, ENV)) == (three.definition, 2)
    assert (one.name, two.name, one.read_only, two.read_only) == ("add", "plus", False, True)


def test_a_person_calls_a_tool_as_the_function_that_it_is_made_from():
    @tool
    def add(a: int, b: int = 1) -> int:
        """Adds."""
        return a + b

    assert (add(1), add(1, b=2)) == (2, 3)
    with pytest.raises(UsageError, match=r"bare is made from no function; try it by bare\.execute\(args, env\)"):
        Tool.from_schema("bare", "Bare.", {"type": "object"}, lambda args, env: 1)(1)


def test_a_function_without_a_word_on_what_it_does_is_warned_of_where_it_stands():
    with pytest.warns(UserWarning, match="tool f has no docstring, and a model goes by it; say what it does") as caught:

        @tool
        def f(a: int) -> int:
            return a

    assert caught[0].filename == __file__


@pytest.mark.parametrize("given", ["greet", 3, plain(lambda args, env: 1, "greet")])
def test_what_is_no_function_is_refused_with_what_to_write(given):
    with pytest.raises(RegistryError, match=r"is no function; write @tool or @tool\(name='...'\) above one"):
        tool(given)


def test_without_a_declaration_a_tool_may_write_and_not_overlap():
    made = Tool("t", "", OBJECT, lambda args, env: None)
    facts = ("read_only", "concurrency_safe", "destructive", "system")
    assert [getattr(made, fact) for fact in facts] == [False] * 4
    assert not any(made.trait(name, {}) for name in facts[:3])


def fails(args):
    raise ValueError


def leaves(args):
    raise SystemExit


@pytest.mark.parametrize(
    ("declared", "holds"),
    [
        (True, True),
        (False, False),
        ("yes", False),
        (1, False),
        (None, False),
        (lambda args: True, True),
        (lambda args: 1, False),
        (lambda args: args["path"], False),
        (lambda: True, False),
        (fails, False),
        (leaves, False),
    ],
)
def test_a_harmless_trait_holds_only_if_it_says_exactly_true(declared, holds):
    made = plain(lambda args, env: None, "t", read_only=declared, concurrency_safe=declared)
    assert (made.trait("read_only", {}), made.trait("concurrency_safe", {})) == (holds, holds)


@pytest.mark.parametrize(
    ("declared", "holds"),
    [(False, False), (True, True), (None, True), (fails, True), (lambda args: 0, True), (lambda args: False, False)],
)
def test_a_tool_is_destructive_unless_it_says_exactly_false(declared, holds):
    assert plain(lambda args, env: None, "t", destructive=declared).trait("destructive", {}) is holds


@pytest.mark.parametrize("name", ["", "a b", "a.b", "x" * 65, "grün", "a\n", "a/b"])
def test_a_name_that_providers_refuse_is_refused(name):
    with pytest.raises(RegistryError, match="is no tool name; use 1 to 64 of"):
        Tool(name, "", OBJECT, lambda args, env: None)


def test_a_bare_dict_is_no_schema():
    with pytest.raises(RegistryError, match=r"write Schema\(\.\.\.\), or use Tool\.from_schema"):
        Tool("t", "", {"type": "object"}, lambda args, env: None)
    with pytest.raises(RegistryError, match=r"write output_schema=Schema\(\.\.\.\)"):
        Tool("t", "", OBJECT, lambda args, env: None, output_schema={"type": "object"})


def test_arguments_are_an_object_and_a_value_is_of_any_type():
    number = Schema({"type": "integer"})
    with pytest.raises(SchemaError, match='tool t: the schema must say "type": "object", since arguments are'):
        Tool("t", "", number, lambda args, env: None)
    assert Tool("t", "", OBJECT, lambda args, env: None, output_schema=number).output_schema is number


HOST_ONLY = {
    "output_schema": Schema({"type": "object", "title": "secret"}, "value"),
    "validate": lambda args, env: "secret",
    "check_permission": lambda args, env: ("ask", "secret"),
    "read_only": True,
    "concurrency_safe": True,
    "destructive": True,
    "paths": ("path",),
    "counts_as": {"path": ("read_file",)},
    "command": "path",
    "url": "path",
    "timeout": 77.5,
    "max_result_chars": 4242,
    "system": True,
    "modes": ("plan",),
    "lasting": "secret",
    "operations": "path",
    "always_asks": True,
    "asks_first": lambda args, env: "secret",
    "unread": lambda args, env: "secret",
    "roles": ("coordinator", "main"),
    "enabled": lambda env: "secret",
    "defer": True,
    "always_load": True,
    "present_call": lambda args, env: Text("secret"),
    "present_result": lambda args, value, meta: Text("secret"),
    "render": lambda value: "secret",
    "finalize": lambda content: "secret",
    "origin": "mcp",
}


def test_a_definition_has_three_fields_whatever_the_host_knows_of_the_tool():
    schema = Schema({"type": "object", "properties": {"path": {"type": "string"}}}, "t")
    seen = ("name", "description", "input_schema")
    assert set(Tool.__struct_fields__) == {*seen, "execute", "function", *HOST_ONLY}
    told = [Tool("t", "Says.", schema, print, **facts) for facts in ({}, HOST_ONLY)]
    assert Definition.__struct_fields__ == seen
    assert json.loads(told[1].definition.text) == {"name": "t", "description": "Says.", "input_schema": schema.json}
    lists = [Registry([each]).definitions_json() for each in told]
    assert lists[0] == lists[1]


@pytest.mark.parametrize(
    ("facts", "args", "edits"),
    [
        ({"paths": ("path",)}, {"path": "a"}, True),
        ({"paths": ("path",)}, {}, False),
        ({}, {"path": "a"}, False),
        ({"paths": ("path",), "read_only": True}, {"path": "a"}, False),
        ({"paths": ("path",), "destructive": True}, {"path": "a"}, False),
        ({"paths": ("path",), "destructive": fails}, {"path": "a"}, False),
    ],
)
def test_a_tool_edits_the_files_that_its_arguments_name(facts, args, edits):
    made = Tool("t", "", OBJECT, lambda args, env: None, **facts)
    assert made.edits_files(args) is edits


def test_a_check_of_ones_own_adds_to_that_of_the_hints():
    def f(a: int):
        """Gives it."""
        return a

    made = Tool.from_function(f, validate=lambda args, env: "too big" if args["a"] > 9 else None)
    assert made.validate({"a": 10}, ENV) == "too big"
    assert made.validate({"a": 1}, ENV) is None
    assert "valid integer" in made.validate({"a": "x"}, ENV)


def test_the_facts_of_the_decorator_are_fields_of_a_tool():
    facts = set(inspect.get_annotations(Facts))
    assert facts <= set(Tool.__struct_fields__)


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        ("readonly", "Tool has no readonly=, did you mean read_only$"),
        ("zzz", "Tool has no zzz=, known are: name, desc"),
    ],
)
def test_a_fact_that_there_is_not_is_refused_with_the_one_that_was_meant(fact, words):
    with pytest.raises(UsageError, match=words):
        tool(name="t", description="One.", **{fact: True})(lambda: 1)


def test_surrogates_in_a_description_do_not_spoil_the_request():
    made = Tool("t", "a\ud83db", OBJECT, lambda args, env: None)
    assert made.definition.description == "a\ufffdb"


@pytest.mark.parametrize("description", [None, 3, b"bytes"])
def test_what_can_not_be_a_description_is_refused(description):
    with pytest.raises(RegistryError, match=r"tool t: the description is .*; give a text, or a function"):
        Tool("t", description, OBJECT, lambda args, env: None)


def test_a_description_can_be_written_when_a_run_starts_and_has_a_word_in_its_place_before():
    def add(a: int):
        """Adds."""

    made = Tool.from_function(add, description=lambda env: f"Adds in {env.cwd}.")
    assert made.definition.description == "(Described when a run starts.)"
    assert made.described(ENV) == (Definition("add", "Adds in /.", made.input_schema.json), "")
    assert tool(description="Sums.")(add).definition.description == "Sums."


@pytest.mark.parametrize(
    ("said", "absence"),
    [
        (True, ""),
        (False, "it can't be used here"),
        (None, "it can't be used here"),
        ("no gnuplot", "no gnuplot"),
        ("a\ud83d", "a\ufffd"),
    ],
)
def test_a_tool_is_there_only_if_its_check_says_exactly_true(said, absence):
    assert plain(lambda args, env: None, "t", enabled=lambda env: said).absence(ENV) == absence
    assert plain(lambda args, env: None, "t").absence(ENV) == ""
