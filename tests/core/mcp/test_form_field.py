"""Fields of a form: what they are shown as, and what a reply means in them."""

import asyncio

import pytest

from cellwright.errors import SchemaError
from cellwright.mcp.form_field import Field, checked_form
from cellwright.views.inquiry import Reply

TITLED = {"type": "string", "oneOf": [{"const": "r", "title": "Red"}, {"const": "b", "title": "Blue"}]}
SEVERAL = {"type": "array", "items": {"type": "string", "enum": ["one", "two", "three"]}}
NUMBERED = {"type": "integer", "enum": [1, 2]}
SAID = [Reply(("2",)), Reply(text="9" * 400), Reply(text="7"), Reply(text="four"), Reply(("one",))]


@pytest.mark.parametrize(
    ("facts", "reply", "value"),
    [
        ({"type": "string"}, Reply(text=" as it is "), " as it is "),
        ({}, Reply(text="x"), "x"),
        ({"type": "integer"}, Reply(text=" -12 "), -12),
        ({"type": "integer"}, Reply(text="1.5"), None),
        ({"type": "integer"}, Reply(text="9" * 10_000), None),
        ({"type": "number"}, Reply(text="1e3"), 1000.0),
        ({"type": "number"}, Reply(text="nan"), None),
        ({"type": "number"}, Reply(text="inf"), None),
        ({"type": "boolean"}, Reply(("No",)), False),
        ({"type": "boolean"}, Reply(text="perhaps"), None),
        (TITLED, Reply(("Blue",)), "b"),
        (TITLED, Reply(text="r"), "r"),
        (TITLED, Reply(text="Red"), "r"),
        (TITLED, Reply(text="green"), None),
        (SEVERAL, Reply(("one", "three")), ["one", "three"]),
        (SEVERAL, Reply(text="two"), ["two"]),
        (SEVERAL, Reply(text="four"), None),
        ({"type": "integer"}, Reply(text="9" * 400), None),
        (NUMBERED, Reply(("2",)), 2),
        (NUMBERED, Reply(text=" 1 "), 1),
        ({"type": "number", "oneOf": [{"const": 0.5, "title": "Half"}]}, Reply(("Half",)), 0.5),
        ({"oneOf": [{"const": "", "title": "None"}, {"const": "a", "title": "A"}]}, Reply(("A",)), "a"),
    ],
    ids=range(22),
)
def test_a_reply_is_read_as_what_the_field_takes(facts, reply, value):
    checked_form({"type": "object", "properties": {"a": facts}})
    assert Field.of("a", facts, required=True).read(reply) == value


@pytest.mark.parametrize(
    ("facts", "labels"),
    [
        (TITLED, ("Red", "Blue")),
        ({"enum": ["a", "b"], "enumNames": ["A", "A"]}, ("a", "b")),
        ({"enum": ["a", "b"], "enumNames": ["A"]}, ("a", "b")),
        ({"enum": ["a\n b"], "enumNames": [" "]}, ("a b",)),
        ({"type": "boolean"}, ("Yes", "No")),
        (NUMBERED, ("1", "2")),
    ],
    ids=range(6),
)
def test_choices_are_shown_by_titles_that_tell_them_apart_else_by_their_values(facts, labels):
    assert Field.of("a", facts, required=True).labels == labels


def test_what_a_field_is_about_stands_in_its_question():
    facts = {"type": "string", "title": "Mail", "description": "Yours", "format": "email", "maxLength": 9}
    assert Field.of("a", facts, required=True).words == "Mail: Yours (email, at most 9)"
    assert Field.of("a", {"type": "number"}, required=False).words == "a (a number) It may be left without an answer."
    assert Field.of("a", {"default": "x"}, required=True).words == 'a (text) Without an answer it is "x".'


def test_a_form_that_is_none_is_refused():
    with pytest.raises(SchemaError, match="its field 'a' takes what can't be typed"):
        checked_form({"type": "object", "properties": {"a": {"type": "object"}}})
    several = {"type": "array", "items": NUMBERED}
    with pytest.raises(SchemaError, match="its field 'a' takes several that are no texts"):
        checked_form({"type": "object", "properties": {"a": several}})


def test_an_answer_that_can_not_be_is_asked_again_and_a_number_that_is_chosen_is_sent_as_one():
    facts = {"a": NUMBERED, "b": {"type": "integer"}, "c": SEVERAL}
    schema, replies = checked_form({"type": "object", "properties": facts}), iter(SAID)

    async def ask(inquiry):
        return next(replies)

    async def scene():
        return [await Field.of(name, facts[name], required=True).asked(schema, "Asks", ask) for name in facts]

    assert asyncio.run(scene()) == [2, 7, ["one"]]
