import json

import pytest

from cellwright.definition import Definition, listed
from cellwright.messages import Image
from cellwright.models.model import Request
from cellwright.models.wire import (
    ToolTexts,
    array,
    compact,
    data_url,
    estimated,
    members,
    object_text,
    sendable_id,
    sendable_name,
)


def test_texts_are_json_without_blanks_in_the_order_that_was_given():
    assert compact({"b": 1, "a": "ï"}) == '{"b":1,"a":"ï"}'
    assert (members({"b": 1, "a": [2]}), array(["1", "{}"]), array([])) == ('"b":1,"a":[2]', "[1,{}]", "[]")


@pytest.mark.parametrize("arguments", ["", "{", "[1]", '"x"', '{"a": NaN}', '{"a":1,"a":2}', "[" * 100_000, "null"])
def test_arguments_that_are_no_clear_object_are_an_empty_one(arguments):
    assert object_text(arguments) == "{}"


def test_arguments_that_are_an_object_stay_as_they_were_written():
    assert object_text('{ "b": 1.0, "a":"\\u00ef"}') == '{ "b": 1.0, "a":"\\u00ef"}'


@pytest.mark.parametrize(
    ("name", "sent"), [("look", "look"), ("a.b:c", "a_b_c"), ("", "unnamed"), ("x" * 99, "x" * 64), ("ï", "_")]
)
def test_names_are_made_such_that_providers_take_them(name, sent):
    assert sendable_name(name) == sent


def test_ids_that_are_odd_get_another_that_is_always_the_same():
    odd = ["functions.look:0", "functions_look:0", "x" * 65, ""]
    sent = [sendable_id(one) for one in odd]
    assert sent == [sendable_id(one) for one in odd]
    assert len({*sent}) == 4
    assert all(len(one) == 29 for one in sent)
    assert sendable_id("toolu_01-A") == "toolu_01-A"


def test_a_picture_is_an_address_that_holds_it():
    assert data_url(Image("image/png", "aaaa")) == "data:image/png;base64,aaaa"


def test_tokens_that_nobody_counted_are_estimated_from_the_lengths():
    assert (estimated(400, 1).input_tokens, estimated(400, 1).output_tokens) == (100, 1)


def test_the_list_of_tools_is_made_once_for_each_state_of_the_registry():
    made = []

    def text(definition):
        made.append(definition.name)
        return json.dumps(definition.name)

    def request(*names):
        shown = tuple(Definition(name, "", {}) for name in names)
        return Request("", (), shown, listed(one.text for one in shown))

    texts = ToolTexts(text)
    assert [texts.of(request("a", "b")), texts.of(request("a", "b")), texts.of(request("a"))] == [
        '["a","b"]',
        '["a","b"]',
        '["a"]',
    ]
    assert made == ["a", "b", "a"]
