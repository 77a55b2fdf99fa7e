import json

from cellwright.definition import Definition, listed


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
