import json

import pytest

from cellwright.errors import ToolError
from cellwright.notebook.json_style import escapes_letters, nested_style, style_of

VALUE = {"data": ["a\n", {"x": [], "y": {}}], "n": 1.5}


@pytest.mark.parametrize("indent", [1, 2, 4, "\t", 0])
def test_a_value_is_written_as_if_it_had_been_in_the_object(indent):
    whole = json.dumps({"first": 1, "value": VALUE}, indent=indent)
    style = style_of(whole, escapes=False)
    assert style.write_object([("first", "1"), ("value", style.write(VALUE))]) == whole


@pytest.mark.parametrize("marks", [(",", ":"), (", ", ": "), (" , ", " : ")])
def test_one_line_stays_one_line_with_the_same_blanks(marks):
    whole = json.dumps({"first": 1, "value": VALUE}, separators=marks)
    style = style_of(whole, escapes=False)
    assert style.write_object([("first", "1"), ("value", style.write(VALUE))]) == whole


def test_line_ends_are_those_of_the_file():
    whole = json.dumps({"first": 1, "value": VALUE}, indent=1).replace("\n", "\r\n")
    style = style_of(whole, escapes=False)
    assert style.write_object([("first", "1"), ("value", style.write(VALUE))]) == whole


def test_the_style_two_levels_down_is_that_of_a_cell():
    notebook = json.dumps({"cells": [{"id": "a", "source": []}]}, indent=2)
    cell = nested_style(style_of(notebook, escapes=False)).write_object([("id", '"a"'), ("source", "[]")])
    assert cell in notebook


def test_letters_are_raw_or_escaped_as_asked():
    assert style_of('{"a": 1}', escapes=False).write("é🙂") == '"é🙂"'
    assert style_of('{"a": 1}', escapes=True).write("é🙂") == r'"\u00e9\ud83d\ude42"'


def test_what_is_written_is_strict_json_in_valid_utf_8():
    style = style_of('{"a": 1}', escapes=False)
    text = style.write({"v": [float("nan"), float("-inf")], "s": "\udc80"})
    assert text == r'{"v": [null, null], "s": "\udc80"}'
    assert json.loads(text.encode(), parse_constant=pytest.fail)["v"] == [None, None]


def test_what_json_cannot_hold_is_a_tool_error():
    with pytest.raises(ToolError, match="can't be written as JSON"):
        style_of('{"a": 1}', escapes=False).write({"v": b"bytes"})


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ([r'"caf\u00e9"', '"x"'], True),
        ([r'"caf\u00e9"', '"ß"'], False),
        (['"plain"', r'"\u001b[0m"'], None),
        ([r'"\\u00e9 is code"'], None),
        ([r'"\\\u00e9"'], True),
    ],
)
def test_the_habit_of_escaping_letters_is_seen(texts, expected):
    assert escapes_letters(texts) is expected
