import json

import pytest

from cellwright.definition import Definition, listed, written
from cellwright.schema import Schema


def test_equal_definitions_give_equal_text_whatever_the_order_of_their_keys():
    one = Definition("t", "Dös it.", {"type": "object", "properties": {"b": {}, "a": {}}})
    two = Definition("t", "Dös it.", {"properties": {"a": {}, "b": {}}, "type": "object"})
    assert one.text == two.text
    assert one.text == (
        '{"description":"Dös it.","input_schema":{"properties":{"a":{},"b":{}},"type":"object"},"name":"t"}'
    )


def test_a_list_is_the_texts_one_after_another():
    texts = [Definition(name, "", {"type": "object"}).text for name in ("a", "b")]
    assert [each["name"] for each in json.loads(listed(texts))] == ["a", "b"]
    assert listed(texts).startswith(listed(texts[:1]).removesuffix(b"]"))
    assert listed([]) == b"[]"


@pytest.mark.parametrize("description", ["", 'Dös "it".\n\\ \u2028 \x00', "a" * 1000])
def test_a_schema_that_was_written_already_gives_the_same_text(description):
    schema = Schema({"properties": {"b": {"enum": ["ü", 1.5]}, "a": {"title": "A"}}, "type": "object"})
    made = Definition("t", description, schema.json)
    assert written(made, schema.text) == made.text
