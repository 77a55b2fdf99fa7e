from cellwright.schema import Schema
from cellwright_widgets.questions.argument_form import WHOLE, ArgumentForm

from ..page import Page
from ..question_scene import question

SCHEMA = Schema(
    {
        "type": "object",
        "properties": {"path": {"type": "string", "minLength": 1}, "lines": {"type": "integer", "minimum": 1}},
        "required": ["path"],
        "additionalProperties": False,
    }
)


def form(args, schema=SCHEMA):
    changes = []
    return ArgumentForm(question(args=args, schema=schema), lambda: changes.append(1)), changes


def test_there_is_a_field_for_each_parameter_in_the_order_of_the_schema():
    made, _ = form({"lines": 3, "path": "a"})
    assert list(made.fields) == ["path", "lines"]
    assert made.read() == {"path": "a", "lines": 3}


def test_what_is_not_used_is_left_out():
    made, changes = form({"path": "a", "lines": 3})
    made.fields["lines"].use.value = False
    assert (made.read(), changes) == ({"path": "a"}, [1])


def test_an_argument_that_the_schema_does_not_know_has_a_field_too():
    made, _ = form({"path": "a", "more": [1]}, Schema({"type": "object", "properties": {"path": {"type": "string"}}}))
    assert made.read() == {"path": "a", "more": [1]}


def problem_at(made, name):
    return Page(made.fields[name].problem.value).text


def test_a_field_that_holds_nothing_of_its_kind_says_so_and_there_are_no_arguments():
    made, _ = form({"path": "a", "lines": 3})
    made.fields["lines"].input.value = "x"
    assert made.read() is None
    assert problem_at(made, "lines") == "expected a number"
    made.fields["lines"].input.value = "4"
    assert (made.read(), problem_at(made, "lines")) == ({"path": "a", "lines": 4}, "")


def test_each_problem_of_the_schema_stands_at_its_field():
    made, _ = form({"path": "a", "lines": 3})
    said = made.place({"path": "", "lines": 0}, "path: too short; lines: too small")
    assert ("shorter" in problem_at(made, "path"), "minimum" in problem_at(made, "lines"), said) == (True, True, "")


def test_a_problem_that_is_of_no_field_is_told_of_the_whole():
    made, _ = form({"path": "a"})
    assert made.place({"path": "a"}, "it leaves the working folder") == "it leaves the working folder"
    assert made.place({"pth": "a"}, "unknown parameter pth") == "unknown parameter pth"
    assert problem_at(made, "path") == "path is missing"


def test_a_tool_that_says_nothing_of_its_arguments_has_one_field_for_all():
    made, _ = form({"b": 1, "a": "x"}, Schema({"type": "object"}))
    assert (list(made.fields), made.read()) == ([WHOLE], {"b": 1, "a": "x"})
    made.fields[WHOLE].input.value = "[1]"
    assert (made.read(), problem_at(made, WHOLE)) == (None, "arguments must be a JSON object")


def test_a_form_can_be_shut():
    made, _ = form({"path": "a"})
    made.disable()
    assert all(field.input.disabled for field in made.fields.values())
