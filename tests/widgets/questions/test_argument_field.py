import pytest

from cellwright.schema import Schema
from cellwright_widgets.questions.argument_field import ArgumentField, FieldError

from ..page import HOSTILE, Page, assert_harmless

SCHEMA = Schema(
    {
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "Some <b>words</b>."},
            "count": {"type": "integer"},
            "share": {"anyOf": [{"type": "number"}, {"type": "null"}]},
            "sure": {"type": "boolean"},
            "kind": {"enum": ["line", "bar", 3, True, None]},
            "maybe": {"anyOf": [{"enum": ["a", "b"]}, {"type": "null"}], "default": None},
            "kinds": {"$ref": "#/$defs/kind"},
            "rows": {"type": "array", "items": {"type": "integer"}},
            "odd": {},
        },
        "$defs": {"kind": {"enum": ["a", "b"]}},
        "required": ["text"],
    }
)


def field(name, *given):
    changes = []
    made = ArgumentField(name, SCHEMA, given[0] if given else None, bool(given), lambda: changes.append(1))
    return made, changes


@pytest.mark.parametrize(
    ("name", "value", "kind"),
    [
        ("text", "one\ntwo\n", "text"),
        ("text", "", "text"),
        ("text", "a\r\nb", "json"),
        ("text", "a\u202eb\x00", "json"),
        ("text", "\U0001f600", "text"),
        ("count", 3, "number"),
        ("count", "3", "json"),
        ("share", 0.5, "number"),
        ("share", None, "json"),
        ("sure", False, "choice"),
        ("sure", 0, "json"),
        ("kind", 3, "choice"),
        ("kind", True, "choice"),
        ("kind", None, "choice"),
        ("kinds", "b", "choice"),
        ("maybe", "b", "choice"),
        ("maybe", None, "json"),
        ("rows", [1, 2], "json"),
        ("odd", {"a": [1, None, "\u2028"]}, "json"),
        ("unknown", "x", "json"),
    ],
    ids=range(20),
)
def test_a_field_that_nobody_touches_gives_back_what_it_was_given(name, value, kind):
    made, _ = field(name, value)
    given_back = made.value()
    assert (made.kind, given_back, type(given_back)) == (kind, value, type(value))


def test_what_a_text_box_would_change_or_hide_stands_there_as_an_escape():
    made, _ = field("text", "a\r\n\u202eb é")
    assert made.input.value == '"a\\r\\n\\u202eb é"'


@pytest.mark.parametrize(
    ("name", "typed", "problem"),
    [
        ("count", "many", "expected a number"),
        ("count", "true", "expected a number"),
        ("count", "", "expected a number"),
        ("count", "NaN", "expected a number"),
        ("rows", "[1,", "expected JSON"),
        ("rows", "one", "expected JSON"),
    ],
    ids=range(6),
)
def test_what_is_nothing_of_its_kind_is_told_at_the_field(name, typed, problem):
    made, changes = field(name, 1 if name == "count" else [1])
    made.input.value = typed
    with pytest.raises(FieldError, match=problem):
        made.value()
    assert changes == [1]


def test_a_parameter_that_is_not_given_can_be_added_and_taken_away():
    made, changes = field("count")
    assert (made.is_used, made.input.layout.display) == (False, "none")
    made.use.value = True
    made.input.value = "7"
    assert (made.is_used, made.input.layout.display, made.value(), changes) == (True, "", 7, [1, 1])


def test_a_choice_is_taken_by_its_place():
    made, _ = field("kind", "line")
    made.input.index = 3
    assert made.value() is True


def test_a_field_says_what_it_is_about_and_a_screen_reader_its_name():
    made, _ = field("text", "x")
    label = Page(made.widget.children[0].children[-1].value)
    assert "text string, required" in label.text
    assert "Some <b>words</b>." in label.text
    assert made.input.tooltip == "text"


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_that_a_schema_says_acts(text):
    facts = {"type": "string", "description": text, "enum": [text, "b"]}
    made = ArgumentField(text, Schema({"type": "object", "properties": {text: facts}}), "b", True, list)
    made.complain(text)
    for html in (made.widget.children[0].children[-1].value, made.problem.value):
        assert_harmless(Page(html))


def test_a_field_can_be_shut():
    made, _ = field("count", 1)
    made.disable()
    assert made.input.disabled
    assert made.use.disabled
