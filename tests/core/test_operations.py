"""A person leaves out some of the operations of a call."""

import json

import pytest

from cellwright import Deny, ScriptedApprover, Tool
from cellwright.errors import RegistryError
from cellwright.operations import left_out, only, operations_of
from cellwright.person.approval import Choose, ConsoleApprover
from cellwright.schema import Schema
from cellwright.tools.multi_edit import multi_edit
from cellwright.tools.read_file import read_file

from .scene import calling, kinds_of, play

EDITS = [{"old_string": letter, "new_string": letter.upper()} for letter in "abc"]


def edited(tmp_path, answer, edits=EDITS, **more):
    """The run that edits a file, what the file holds then, and what was asked."""
    file = tmp_path / "x.txt"
    file.write_text("a b c\n")
    approver = ScriptedApprover([answer])
    call = calling(("multi_edit", {"path": "x.txt", "edits": edits}))
    turns = [calling(("read_file", {"path": "x.txt"})), call, "done"]
    run = play(turns, [read_file, multi_edit], approver=approver, cwd=tmp_path, **more)
    return run, file.read_text(), approver.questions


def test_what_was_left_out_is_not_done_and_the_model_is_told(tmp_path):
    run, text, (question,) = edited(tmp_path, Choose((1, 3)))
    assert text == "A b C\n"
    assert question.operations[1] == "old_string: b · new_string: B"
    content = run.results[-1].content
    assert content.startswith("The person left out 1 operation of 3: 2 (old_string: b · new_string: B). Don't send")
    assert "made 2 edits" in content


def test_the_log_holds_the_numbers_and_the_arguments_that_ran(tmp_path):
    run, _, _ = edited(tmp_path, Choose((2,)))
    answer = kinds_of(run, "answer")[-1].data
    assert (answer["answer"], answer["kept"]) == ("choose", [2])
    changed = kinds_of(run, "arguments")[-1].data
    assert (changed["by"], changed["args"]["edits"]) == ("person", [EDITS[1]])


@pytest.mark.parametrize("kept", [(), (0,), (4,), (1, 4), (-1,)])
def test_operations_that_the_call_does_not_have_can_not_be_chosen(tmp_path, kept):
    run, text, _ = edited(tmp_path, Choose(kept))
    assert (text, run.results[-1].error_type) == ("a b c\n", "approval_unavailable")


def test_a_call_of_one_operation_offers_no_choice(tmp_path):
    run, _, (question,) = edited(tmp_path, Choose((1,)), EDITS[:1])
    assert (question.operations, question.only) == ((), None)
    assert run.results[-1].error_type == "approval_unavailable"


def test_the_question_without_some_shows_exactly_what_would_be_left(tmp_path):
    shown = []

    def look(question):
        shown.append(question.only((3,)))
        return Deny()

    edited(tmp_path, look)
    assert "+a b C" in shown[0].effect.unified
    assert shown[0].args["edits"] == [EDITS[2]]


def test_operations_that_rest_on_one_that_is_left_out_are_refused_like_any_arguments(tmp_path):
    chain = [{"old_string": "a", "new_string": "q"}, {"old_string": "q", "new_string": "r"}]
    run, text, _ = edited(tmp_path, Choose((2,)), chain)
    assert text == "a b c\n"
    assert not run.results[-1].ok
    assert "left out 1 operation of 2" in run.results[-1].content


def test_all_of_them_is_the_call_as_it_was_made(tmp_path):
    run, text, _ = edited(tmp_path, Choose((3, 1, 2)))
    assert text == "A B C\n"
    assert "left out" not in run.results[-1].content


def test_on_a_terminal_the_numbers_are_typed_and_the_rest_is_read_back(tmp_path, capsys):
    lines = iter(["s", "all", "s", "7", "s", "1, 2", "no", "s", "2", "yes"])
    approver = ConsoleApprover(lambda prompt: next(lines))
    assert console(tmp_path, approver) == "a B c\n"
    said = capsys.readouterr().err
    assert "  2  old_string: b · new_string: B" in said
    assert "'all' is no answer here; type numbers" in said
    assert "they have the numbers 1 to 3" in said
    assert "+a B c" in said


def console(tmp_path, approver):
    file = tmp_path / "x.txt"
    file.write_text("a b c\n")
    call = calling(("multi_edit", {"path": "x.txt", "edits": EDITS}))
    play(
        [calling(("read_file", {"path": "x.txt"})), call, "done"],
        [read_file, multi_edit],
        approver=approver,
        cwd=tmp_path,
    )
    return file.read_text()


SCHEMA = Schema({"type": "object", "properties": {"steps": {"type": "array"}}})


def test_a_tool_names_one_of_its_parameters():
    with pytest.raises(RegistryError, match="operations names 'nothing'"):
        Tool("t", "d", SCHEMA, lambda args, env: None, operations="nothing")


@pytest.mark.parametrize(
    ("steps", "lines"),
    [(["a", 2], ("a", "2")), ([{"a": None, "b": "x\ny"}, {}], ("b: x⏎y", "")), ("no list", ()), (["one"], ())],
)
def test_each_operation_has_a_line(steps, lines):
    tool = Tool("t", "d", SCHEMA, lambda args, env: None, operations="steps")
    assert operations_of(tool, {"steps": steps}) == lines
    assert operations_of(Tool("t", "d", SCHEMA, lambda args, env: None), {"steps": steps}) == ()


def test_lines_are_bounded_and_what_stays_is_untouched():
    tool = Tool("t", "d", SCHEMA, lambda args, env: None, operations="steps")
    steps = [{"a": "x" * 9_000} for _ in range(3)]
    assert max(map(len, operations_of(tool, {"steps": steps}))) <= 200
    assert json.dumps(only(tool, {"steps": steps, "n": 1}, (3, 1))) == json.dumps({"steps": steps[:2], "n": 1})
    assert left_out(("a", "b", "c"), (2,)).startswith("The person left out 2 operations of 3: 1 (a); 3 (c).")
