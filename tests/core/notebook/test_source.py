import json

from cellwright.notebook.json_style import style_of
from cellwright.notebook.source import read_source, write_source

CELL = '{\n "id": "a",\n "source": [\n  "x"\n ]\n}'
STYLE = style_of(CELL, escapes=False)


def test_a_list_and_a_string_read_as_the_same_text():
    assert read_source(["a\n", "b"]) == read_source("a\nb") == "a\nb"
    assert read_source(None) == ""


def test_a_string_stays_a_string_and_a_list_a_list():
    assert write_source("a\nb", '"old"', STYLE) == r'"a\nb"'
    assert json.loads(write_source("a\nb", '["old"]', STYLE)) == ["a\n", "b"]


def test_a_list_keeps_its_own_layout():
    assert write_source("a\nb", '["x"]', STYLE) == r'["a\n", "b"]'
    assert write_source("a\nb", '[ "x\\n" ,"y"]', STYLE) == r'[ "a\n" ,"b"]'
    assert write_source("a\nb", '[\n  "x"\n ]', STYLE) == '[\n  "a\\n",\n  "b"\n ]'


def test_an_empty_list_takes_the_layout_of_the_cell():
    assert write_source("a\nb", "[]", STYLE) == '[\n  "a\\n",\n  "b"\n ]'
    assert write_source("", '[\n  "x"\n ]', STYLE) == "[]"


def test_a_line_that_stays_keeps_its_spelling():
    old = r'["caf\u00e9\n", "old"]'
    assert write_source("café\nné", old, STYLE) == r'["caf\u00e9\n", "né"]'
