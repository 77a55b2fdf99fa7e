import json
import time

import pytest

from cellwright.errors import SchemaError
from cellwright.schema import Schema, json_type, parameters_text

PART = {
    "$defs": {
        "part": {
            "type": "object",
            "properties": {
                "label": {"type": "string"},
                "parts": {"type": "array", "items": {"$ref": "#/$defs/part"}},
            },
            "required": ["label"],
        }
    },
    "type": "object",
    "properties": {"root": {"$ref": "#/$defs/part"}},
    "required": ["root"],
}


def schema_of(**properties):
    return Schema({"type": "object", "properties": properties, "additionalProperties": False})


def nested_schema(depth):
    schema = {"type": "object"}
    for _ in range(depth):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


def test_a_recursive_schema_names_the_place_of_what_is_wrong():
    schema = Schema(PART)
    good = {"root": {"label": "car", "parts": [{"label": "door", "parts": [{"label": "handle"}]}]}}
    assert schema.problems(good) == ()
    bad = {"root": {"label": "car", "parts": [{"label": 1}]}}
    assert schema.problems(bad) == ("root.parts[0].label must be a string, got integer 1",)


SHAPES = {
    "path": {"type": "string"},
    "limit": {"type": ["integer", "null"]},
    "mode": {"enum": ["a", "b"]},
    "size": {"type": "integer", "minimum": 1},
    "few": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]},
    "item": {"anyOf": [{"type": "null"}, {"type": "object", "required": ["name"]}]},
    "either": {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "string"}}]},
}


@pytest.mark.parametrize(
    ("value", "sentences"),
    [
        ({}, ()),
        ({"path": None}, ("path must be a string, got null",)),
        ({"path": "x" * 100}, ()),
        ({"limit": "x" * 100}, (f'limit must be an integer or null, got string "{"x" * 79}…',)),
        ({"mode": "c"}, ('mode must be one of "a", "b", got string "c"',)),
        ({"size": 0}, ("size: 0 is less than the minimum of 1",)),
        ({"either": "x"}, ('either must be integer or array, got string "x"',)),
        ({"either": [1]}, ("either[0] must be a string, got integer 1",)),
        ({"few": 0}, ("few: 0 is less than the minimum of 1",)),
        ({"few": "x"}, ('few must be integer or null, got string "x"',)),
        ({"item": {"nme": "x"}}, ("item.name is missing",)),
        ({"": "a"}, ("unknown parameter '', known are: path, limit, mode, size, few, item, either",)),
        ({" path": "a"}, ("unknown parameter ' path', did you mean path",)),
        ({"Path": "a"}, ("unknown parameter Path, did you mean path",)),
        ({"zzz": "a"}, ("unknown parameter zzz, known are: path, limit, mode, size, few, item, either",)),
        ([1], ("arguments must be an object, got array [1]",)),
        ({"path": True}, ("path must be a string, got boolean true",)),
    ],
)
def test_a_wrong_value_is_told_with_path_expectation_and_value(value, sentences):
    assert schema_of(**SHAPES).problems(value) == sentences


def test_an_optional_choice_is_told_with_its_choices():
    schema = schema_of(kind={"anyOf": [{"enum": ["code", "raw"], "type": "string"}, {"type": "null"}]})
    assert schema.problems({"kind": "x"}) == ('kind must be "code" | "raw" or null, got string "x"',)


def test_many_problems_are_cut_to_five_and_counted():
    schema = Schema({"type": "object", "required": [f"p{i}" for i in range(9)]})
    assert schema.problems({}) == (*(f"p{i} is missing" for i in range(5)), "4 more problems")
    texts = Schema({"type": "object", "properties": {"t": {"items": {"type": "string"}}}})
    problems = texts.problems({"t": [1] * 20_000})
    assert [problem.split()[0] for problem in problems] == ["t[0]", "t[1]", "t[2]", "t[3]", "t[4]", "at"]


def test_a_value_that_is_no_arguments_is_called_by_its_own_name():
    assert Schema({"type": "object"}).problems(3, "value") == ("value must be an object, got integer 3",)


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "object", "properties": {"a": {"type": "strin"}}}, "at properties.a.type"),
        ({"type": "object", "properties": {"a": {"pattern": "("}}}, "at properties.a.pattern"),
        ({"type": "object", "properties": {"a": {"$ref": "http://x/y"}}}, "http://x/y leaves the schema"),
        ({"type": "object", "properties": {"default": {"$ref": "file:///etc"}}}, "leaves the schema"),
        (
            {"type": "object", "properties": {"a": {"$ref": "#/$defs/b"}}},
            "does not exist); copy what it names into $defs",
        ),
        (
            {"type": "object", "properties": {"a": {"$ref": "#/type/x"}}},
            "does not exist); copy what it names into $defs",
        ),
        ({"type": "object", "default": {1, 2}}, "not plain JSON"),
        ({"type": "object", "default": float("nan")}, "not plain JSON"),
        (nested_schema(300), "nested too deeply"),
        (["object"], "a schema is a JSON object, got list"),
    ],
    ids=range(10),
)
def test_an_invalid_schema_is_refused_with_its_owner_and_place(schema, words):
    with pytest.raises(SchemaError) as caught:
        Schema(schema, "tool x")
    assert str(caught.value).startswith("tool x: ")
    assert words in str(caught.value)


@pytest.mark.parametrize("schema", [{"type": "string"}, {"type": ["object", "null"]}, {}], ids=range(3))
def test_a_schema_that_is_not_for_an_object_is_none_for_arguments(schema):
    with pytest.raises(SchemaError, match='tool x: the schema must say "type": "object"'):
        Schema(schema).for_arguments("tool x")


def test_a_reference_in_data_is_no_reference():
    Schema({"type": "object", "properties": {"a": {"const": {"$ref": "http://x"}}}, "examples": [{"$ref": "y"}]})


def test_a_schema_that_only_refers_to_itself_comes_to_an_end():
    endless = {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"$ref": "#/$defs/a"}}}
    assert Schema(endless).problems({"a": 1}) == ()


def test_a_costly_pattern_is_judged_in_good_time():
    schema = schema_of(text={"type": "string", "pattern": "^(a+)+$"})
    started = time.perf_counter()
    (problem,) = schema.problems({"text": "a" * 5000 + "!"})
    assert problem.startswith("text: ")
    assert time.perf_counter() - started < 2


def test_values_as_deep_as_arguments_may_be_are_judged():
    value = {"label": "x"}
    for _ in range(48):
        value = {"label": "x", "parts": [value]}
    assert Schema(PART).problems({"root": value}) == ()
    value["parts"][0]["parts"][0]["label"] = 1
    (problem,) = Schema(PART).problems({"root": value})
    assert problem == "root.parts[0].parts[0].label must be a string, got integer 1"


def test_what_is_wrong_behind_a_reference_is_told_like_the_rest():
    closed = {"type": "object", "properties": {"label": {"enum": ["x"]}}, "required": ["label"]}
    defs = {
        "part": {**closed, "additionalProperties": False},
        "either": {"anyOf": [{"type": "null"}, {"type": "integer"}]},
    }
    properties = {"part": {"$ref": "#/$defs/part"}, "either": {"$ref": "#/$defs/either"}}
    schema = Schema({"type": "object", "properties": properties, "$defs": defs})
    assert set(schema.problems({"part": {"lable": "x"}, "either": "x"})) == {
        "unknown parameter part.lable, did you mean label",
        "part.label is missing",
        'either must be null or integer, got string "x"',
    }
    assert schema.problems({"part": {"label": 3}}) == ('part.label must be one of "x", got integer 3',)


def test_later_changes_of_the_given_schema_change_nothing():
    given = {"type": "object", "properties": {"a": {"type": "string"}}}
    schema = Schema(given)
    before = schema.text
    given["properties"]["a"]["type"] = "integer"
    given["required"] = ["a"]
    assert (schema.problems({"a": "x"}), schema.problems({}), schema.text) == ((), (), before)


def test_the_digest_knows_the_schema_and_not_the_order_of_its_keys():
    one = Schema({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "null"}}})
    two = Schema({"properties": {"b": {"type": "null"}, "a": {"type": "string"}}, "type": "object"})
    assert (one.digest, len(one.digest)) == (two.digest, 12)
    assert one.digest != schema_of(a={"type": "string"}).digest
    assert json.loads(one.text) == one.json


def test_unpaired_surrogates_in_a_schema_do_not_spoil_the_request():
    assert Schema({"type": "object", "description": "a\ud83d"}).text.encode("utf-8")


def test_the_parameters_are_told_in_one_line_the_required_first():
    schema = Schema(
        {
            "type": "object",
            "properties": {
                "limit": {"type": ["integer", "null"]},
                "path": {"type": "string"},
                "mode": {"enum": ["a", 1]},
                "part": {"$ref": "#/$defs/part"},
                "one": {"const": 1},
                "any": {},
                "opt": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            },
            "required": ["path"],
            "$defs": {"part": {"type": "object"}},
        }
    )
    expected = 'path: string, limit?: integer or null, mode?: "a" | 1, part?: part, one?: 1, any?: any, '
    assert parameters_text(schema) == expected + "opt?: string or null"
    assert parameters_text(Schema({"type": "object"})) == "none"


@pytest.mark.parametrize(
    ("value", "name"),
    [(None, "null"), (True, "boolean"), (1, "integer"), (1.5, "number"), ("", "string"), ([], "array"), ({}, "object")],
)
def test_each_json_value_has_the_name_of_its_type(value, name):
    assert json_type(value) == name


FORM = Schema(
    {
        "type": "object",
        "properties": {"kind": {"$ref": "#/$defs/kind", "description": "own"}, "n": {"type": "integer", "minimum": 1}},
        "$defs": {"kind": {"enum": ["a"], "description": "shared"}, "loop": {"$ref": "#/$defs/loop"}},
        "required": ["kind"],
        "additionalProperties": False,
    }
)


def test_what_is_said_of_a_parameter_is_found_behind_its_reference():
    assert FORM.parameter("kind") == {"enum": ["a"], "description": "own"}
    assert (FORM.parameter("n")["minimum"], FORM.parameter("none")) == (1, {})


def test_problems_are_told_by_parameter():
    found = FORM.problems_by_parameter({"n": 0, "x": 1, "y": 2})
    assert (sorted(found), found["kind"]) == (["kind", "n", "x", "y"], ["kind is missing"])
    assert FORM.problems_by_parameter({"kind": "a"}) == {}
