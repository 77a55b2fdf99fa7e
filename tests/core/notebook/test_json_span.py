import json

import pytest

from cellwright.notebook.json_span import put_member, remove_member, replace_members, scan_array, scan_object

TEXT = '{ "a" : [1, {"b": "}"}] ,\n "c\\u00e9": "x\\"y",\t"n": NaN }'


def test_each_span_covers_exactly_the_text_of_its_value():
    members = scan_object(TEXT, 0).members
    assert [TEXT[member.start : member.end] for member in members] == ['[1, {"b": "}"}]', '"x\\"y"', "NaN"]
    assert [member.key for member in members] == ["a", "cé", "n"]
    assert [TEXT[member.key_start : member.key_end] for member in members][1] == '"c\\u00e9"'


def test_array_items_have_their_values_and_places():
    text = '[ "a" ,[2],  null]'
    items = scan_array(text, 0).items
    assert [(text[item.start : item.end], item.value) for item in items] == [('"a"', "a"), ("[2]", [2]), ("null", None)]
    assert scan_array("[ ]", 0).items == ()


def test_the_last_of_two_equal_keys_counts():
    text = '{"a": 1, "a": 2}'
    assert scan_object(text, 0).effective()["a"].value == json.loads(text)["a"]
    assert replace_members(text, {"a": "3"}) == '{"a": 1, "a": 3}'


@pytest.mark.parametrize("text", ["{", '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}', "{,}", "{1:2}", "[1]", ""])
def test_a_broken_object_is_refused_like_json_does(text):
    with pytest.raises(json.JSONDecodeError):
        scan_object(text, 0)


@pytest.mark.parametrize("text", ["[", "[1", "[1,", "[1,]", "[,]", "[1 2]", "{}"])
def test_a_broken_array_is_refused_like_json_does(text):
    with pytest.raises(json.JSONDecodeError):
        scan_array(text, 0)


@pytest.mark.parametrize(
    ("key", "left"), [("a", '{ "b":2 , "c":3}'), ("b", '{ "a":1 , "c":3}'), ("c", '{ "a":1 , "b":2}')]
)
def test_a_member_goes_with_one_separator(key, left):
    assert remove_member('{ "a":1 , "b":2 , "c":3}', key) == left


def test_the_only_member_and_a_missing_one_can_be_removed():
    assert remove_member('{ "a": 1 }', "a") == "{  }"
    assert remove_member('{"a": 1}', "b") == '{"a": 1}'


def test_a_new_member_goes_to_its_place_among_sorted_keys_and_else_to_the_end():
    assert put_member('{"a": 1, "c": 3}', "b", "2") == '{"a": 1, "b": 2, "c": 3}'
    assert put_member('{"c":1,"a":3}', "b", "2") == '{"c":1,"a":3,"b":2}'
    assert put_member('{"a": 1, "b": 3}', "b", "2") == '{"a": 1, "b": 2}'


def test_a_new_member_of_a_tiny_object_is_still_json():
    assert json.loads(put_member("{}", "a", "1")) == {"a": 1}
    assert put_member('{\n "a": 1\n}', "b", "2") == '{\n "a": 1,\n "b": 2\n}'
