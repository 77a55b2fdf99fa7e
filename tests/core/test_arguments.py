import json

import pytest

from cellwright.arguments import ArgumentsError, parse_json, read_arguments
from cellwright.schema import Schema

from .in_time import in_time
from .properties import for_any

SCHEMA = Schema(
    {
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "edits": {"type": "array"},
            "part": {"$ref": "#/$defs/part"},
            "note": {"$ref": "#/$defs/note"},
            "word": {"$ref": "#/$defs/word"},
            "limit": {"type": "integer", "default": 100},
            "glob": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "color": {"enum": ["red", "blue"]},
            "any": {},
            "steps": {"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/step"}, {"type": "null"}]}},
            "by_name": {"type": "object", "additionalProperties": {"$ref": "#/$defs/step"}},
            "model_or_any": {"anyOf": [{"$ref": "#/$defs/step"}, {}]},
            "first_text": {"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "object"}},
            "by_pattern": {
                "type": "object",
                "properties": {"limit": {"type": "integer"}},
                "patternProperties": {"^s": {"type": "string"}},
                "additionalProperties": {"type": "object"},
            },
            "either": {"oneOf": [{"type": "object", "required": ["a"]}, {"$ref": "#/$defs/step"}]},
        },
        "required": ["path"],
        "$defs": {
            "part": {"type": "object"},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "word": {"allOf": [{"type": "string"}, {"minLength": 1}]},
            "step": {
                "type": "object",
                "properties": {
                    "say": {"type": "string"},
                    "fast": {"type": "boolean"},
                    "then": {"$ref": "#/$defs/step"},
                },
                "required": ["say"],
            },
        },
    }
)


def refusal(text):
    with pytest.raises(ArgumentsError) as caught:
        read_arguments(text, SCHEMA)
    return str(caught.value)


@pytest.mark.parametrize("text", ["", "  ", "\n", "{}"])
def test_nothing_is_an_object_without_arguments(text):
    assert read_arguments(text, SCHEMA) == ({}, ())


LOOKS_LIKE_JSON = ['{"a": 1}', "[1]", "12345", "true", "null", '"q"', "1e5"]


@pytest.mark.parametrize("name", ["path", "glob", "note", "word", "any", "unknown"])
@pytest.mark.parametrize("value", LOOKS_LIKE_JSON)
def test_a_text_stays_the_text_it_is(name, value):
    assert read_arguments(json.dumps({name: value}), SCHEMA) == ({name: value}, ())


@pytest.mark.parametrize(
    ("given", "read", "repair"),
    [
        (
            {"edits": '[{"a": 1}]'},
            {"edits": [{"a": 1}]},
            "edits was an array sent as JSON text; it was read as the array",
        ),
        (
            {"part": '{"a": "[1]"}'},
            {"part": {"a": "[1]"}},
            "part was an object sent as JSON text; it was read as the object",
        ),
        ({"limit": None}, {}, "limit was null; it was read as not given"),
        ({"color": None}, {}, "color was null; it was read as not given"),
        (
            {"steps": [None, {"say": "a", "fast": None}]},
            {"steps": [None, {"say": "a"}]},
            "steps[1].fast was null; it was read as not given",
        ),
        (
            {"steps": ['{"say": "{}"}']},
            {"steps": [{"say": "{}"}]},
            "steps[0] was an object sent as JSON text; it was read as the object",
        ),
        (
            {"by_name": {"a": {"say": "[", "then": '{"say": "b"}'}}},
            {"by_name": {"a": {"say": "[", "then": {"say": "b"}}}},
            "by_name.a.then was an object sent as JSON text; it was read as the object",
        ),
        (
            {"first_text": ["{}", "{}"]},
            {"first_text": ["{}", {}]},
            "first_text[1] was an object sent as JSON text; it was read as the object",
        ),
        (
            {"by_pattern": {"s": "{}", "limit": None}, "model_or_any": {"fast": None}},
            {"by_pattern": {"s": "{}"}, "model_or_any": {"fast": None}},
            "by_pattern.limit was null; it was read as not given",
        ),
    ],
)
def test_what_is_clear_though_not_to_the_letter_is_repaired_and_said(given, read, repair):
    assert read_arguments(json.dumps(given), SCHEMA) == (read, (repair,))


@pytest.mark.parametrize(
    "given",
    [
        {"edits": "left=>right"},
        {"edits": "[1"},
        {"edits": '{"a": 1}'},
        {"part": "[1]"},
        {"limit": "12"},
        {"path": None},
        {"glob": None},
        {"note": None},
        {"unknown": None},
        {"steps": [{"say": None, "other": None}, "say"]},
    ],
)
def test_what_is_not_clear_is_left_for_the_schema_to_judge(given):
    assert read_arguments(json.dumps(given), SCHEMA) == (given, ())


@pytest.mark.parametrize("others", [{"path": "a"}, {}, {"path": 1}])
@pytest.mark.parametrize(
    "valid",
    [
        {"model_or_any": {"say": "a", "fast": None}},
        {"model_or_any": [{"fast": None}]},
        {"first_text": ['{"k": 1}']},
        {"first_text": ["[", {"k": None}]},
        {"by_pattern": {"s1": "[1]", "s2": "{}"}},
        {"either": {"a": 1, "fast": None}},
        {"any": {"path": None, "x": "{}"}},
    ],
)
def test_what_the_schema_accepts_as_it_was_sent_is_never_changed(valid, others):
    assert read_arguments(json.dumps(valid | others), SCHEMA) == (valid | others, ())
    _, repairs = read_arguments(json.dumps(valid | others | {"limit": None}), SCHEMA)
    assert repairs == ("limit was null; it was read as not given",)


def test_arguments_sent_as_a_text_are_read_once_and_not_again():
    args, repairs = read_arguments(json.dumps(json.dumps({"path": '{"path": "x"}'})), SCHEMA)
    assert (args, len(repairs)) == ({"path": '{"path": "x"}'}, 1)
    assert "got string" in refusal(json.dumps(json.dumps(json.dumps({"path": "x"}))))


def test_null_is_no_arguments_where_none_is_needed():
    found = read_arguments("null", Schema({"type": "object", "properties": {"a": {"type": "string"}}}))
    assert found == ({}, ("arguments were null; they were read as none given",))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("[1, 2]", "array"),
        ('"a.txt"', "string"),
        ("42", "number"),
        ("true", "boolean"),
        ("null", "null"),
        ('[{"path": "a.txt"}]', "array"),
    ],
)
def test_arguments_that_are_no_object_are_refused_with_the_parameters(text, kind):
    said = refusal(text)
    assert said.startswith(f"arguments must be a JSON object, got {kind}; the parameters are: path: string, ")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"path": "ok.txt", "path": "secret.txt"}', "the key 'path' stands twice"),
        ('{"path": {"a": 1, "a": 2}}', "the key 'a' stands twice"),
        ('{"a\\ud800": 1, "a\\ud801": 2}', "stands twice"),
        ('{"limit": NaN}', "hold NaN"),
        ('{"limit": -Infinity}', "hold -Infinity"),
        ('{"limit": 1e999}', "too large"),
        ('{"limit": ' + "9" * 5000 + "}", "can't be read"),
        ("hello", "not JSON: Expecting value at line 1, column 1, near 'hello'"),
        ('{"path": "a"}}', "not JSON: Extra data at line 1, column 14"),
        ('{"path": "a\nb"}', "not JSON: Invalid control character at line 1, column 12"),
        ("{'path': 1}", "not JSON"),
    ],
    ids=range(11),
)
def test_text_that_is_no_json_is_refused_with_the_place(text, words):
    assert words in refusal(text)


WHOLE = '{"path": "a.txt", "content": "line1\\nline", "edits": [{"a": tru'


@pytest.mark.parametrize("length", [*range(1, len(WHOLE) + 1)])
def test_text_that_was_cut_off_anywhere_is_told_as_incomplete(length):
    said = refusal(WHOLE[:length])
    assert said.startswith(f"arguments are incomplete: the JSON ends at character {length} before it is closed")
    assert "smaller parts" in said


def test_text_behind_the_object_is_not_told_as_text_that_was_cut_off():
    assert refusal('{"path": "a.txt"} x').startswith("arguments are not JSON: Extra data at line 1, column 19")


BOMBS = ["[" * 100_000, '{"a":' * 5000 + "1" + "}" * 5000, '{"path":' + "[" * 200 + "]" * 200 + "}", '{"a":[' * 40_000]


@pytest.mark.parametrize("text", BOMBS, ids=range(4))
def test_deep_nesting_is_an_error_in_good_time(text):
    assert "nested more than 100 levels" in in_time(2, lambda _: refusal(text))


def test_a_text_in_a_text_many_times_over_is_passed_on_unchanged():
    text = "x"
    for _ in range(15):
        text = json.dumps(text)
    assert read_arguments(json.dumps({"path": text}), SCHEMA) == ({"path": text}, ())


def test_too_much_text_is_not_read_at_all():
    assert "at most 10,000,000 are read" in refusal("x" * 10_000_001)


def test_a_hundred_thousand_keys_with_one_double_are_refused_in_good_time():
    keys = ",".join(f'"k{i}":1' for i in range(100_000))
    assert "'k99999' stands twice" in in_time(5, lambda _: refusal("{" + keys + ',"k99999":2}'))


def test_unpaired_surrogates_become_replacement_characters_and_are_said():
    args, repairs = read_arguments('{"path": "ab\\ud99ccd", "any": {"k\\ud99c": ["\\udc00"]}}', SCHEMA)
    assert args == {"path": "ab\ufffdcd", "any": {"k\ufffd": ["\ufffd"]}}
    assert [repair.partition(" ")[0] for repair in repairs] == ["path", "any.k\ufffd[0]"]
    json.dumps([args, repairs], ensure_ascii=False).encode("utf-8")


def test_long_names_and_many_values_take_no_more_time_than_their_length():
    text = json.dumps({"any": {"k" * 200_000: [["\ud800"] * 20_000, *range(100_000)]}})
    args, repairs = read_arguments(text, SCHEMA)
    assert args["any"]["k" * 200_000][0] == ["\ufffd"] * 20_000
    assert 0 < len(repairs) <= 20 and max(map(len, repairs)) < 200


def test_strict_json_reads_what_json_reads():
    assert parse_json('[1, 2.5, "a", null, true, {"b": []}]') == [1, 2.5, "a", None, True, {"b": []}]


@for_any(args="object", order="order")
def test_whatever_object_is_sent_is_read_as_it_is(args, order):
    text = json.dumps(args, ensure_ascii=order.choice([True, False]), indent=order.choice([None, 2]))
    assert repr(read_arguments(text, Schema({"type": "object"}))) == repr((args, ()))


@for_any(text="near_json")
def test_what_is_accepted_is_what_the_standard_reads(text):
    try:
        args, repairs = read_arguments(text, Schema({"type": "object"}))
    except ArgumentsError as error:
        assert str(error)
        return
    wanted = json.loads(text or "{}", parse_constant=pytest.fail)
    assert repairs or repr(args) == repr(wanted) or "\ufffd" in repr(args)
    json.dumps(args, allow_nan=False, ensure_ascii=False).encode()
