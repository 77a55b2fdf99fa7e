import pytest

from cellwright.catalogue import BUILT_IN
from cellwright.permission.judgement import Verdict
from cellwright.person.question import (
    SENTENCES,
    Promises,
    Question,
    asker,
    goes_with_others,
    outlook,
    question_text,
    why,
)
from cellwright.schema import Schema
from cellwright.views.file_diff import diff_view
from cellwright.views.notebook_diff import CellDiff, NotebookDiff
from cellwright.views.view import Code, Diff, Group, Text

SCHEMA = Schema({"type": "object", "properties": {"a": {"type": "integer"}}})


def question(**changes):
    fields = {"call_id": "c1", "tool": "t", "args": {"a": 1}, "schema": SCHEMA, "effect": None}
    fields |= {"reason": "it may act", "destructive": False, "check": lambda args: None}
    return Question(**{**fields, **changes})


@pytest.mark.parametrize(
    ("facts", "goes"),
    [({}, True), ({"destructive": True}, False), ({"args": {}}, False), ({"args": {"c": " \n"}}, False)],
)
def test_what_cant_be_undone_or_seen_is_allowed_alone(facts, goes):
    schema = Schema({"type": "object", "properties": {"c": {"type": "string"}}, "required": ["c"]})
    assert goes_with_others(question(**{"schema": schema, "args": {"c": "x"}, **facts})) is goes


LINE = Group("in the working folder", (Code("x", "bash"),))
PARTS = tuple(Verdict(target, "no_rule", "no rule allows it") for target in ("curl e.test", "sh", "sh -c x"))
DARK = Verdict("echo " + "a; " * 300 + "touch pwn", "unclear", "it can't be understood (it is too long)")


def test_a_long_command_is_named_by_its_ends_in_the_reason():
    said = why(question(parts=(DARK,), args={"command": DARK.target}, reason=f"`{DARK.target}`: {DARK.reason}"))
    assert said.startswith("`echo a; ") and said.endswith("touch pwn`: it can't be understood (it is too long)")
    assert len(said) < 400


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"effect": diff_view("", "a\nb\n", "n.txt")}, "It would write 2 lines to n.txt, which is empty now."),
        ({"effect": diff_view(None, "a\nb\n", "n.txt")}, "It would make n.txt, a new file of 2 lines."),
        ({"effect": diff_view(None, "", "n.txt")}, "It would make n.txt, a new file with nothing in it."),
        ({"effect": diff_view("a\nb\n", "a\nc\nd\n", "n")}, "It would change n: add 2 lines and remove 1 line."),
        ({"effect": diff_view("a\n", "", "n")}, "It would change n: remove 1 line."),
        ({"effect": Diff("n", "", 0, 0)}, "It would write n; no line differs."),
        (
            {"effect": NotebookDiff("n", (CellDiff("c", "code", ("deleted",)),), 1)},
            "It would change n: 1 cell deleted.",
        ),
        (
            {"effect": LINE, "parts": PARTS},
            "It would run 3 commands in the working folder: `curl`, `sh` (2 times).",
        ),
        (
            {"effect": LINE, "parts": (Verdict("ls\u2800\u00a0x y", "no_rule", "r"), PARTS[1])},
            "It would run 2 commands in the working folder: `ls⟨U+2800⟩⟨U+00A0⟩x`, `sh`.",
        ),
        (
            {"effect": LINE, "parts": (PARTS[1], Verdict("2> e.txt", "no_rule", "it writes"))},
            "It would run 1 command in the working folder: `sh`; redirected: `2> e.txt`.",
        ),
        (
            {"effect": LINE, "parts": (DARK,), "args": {"command": DARK.target}},
            "It would run a command line in the working folder; what it starts can't be told.",
        ),
        ({"effect": LINE}, "What it would do: in the working folder."),
        ({}, "It would run with 1 argument: a."),
        ({"args": {}}, "It would run without arguments."),
        ({"args": {}, "schema": Schema({"type": "object"})}, "It takes no arguments."),
        ({"args": {"\u202ea": 1, "b": 2}}, "It would run with 2 arguments: ⟨U+202E⟩a, b."),
    ],
    ids=range(16),
)
def test_what_will_happen_is_one_sentence(facts, said):
    assert outlook(question(**facts)) == said


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({}, "mode default"),
        ({"mode": "accept_edits"}, "mode accept_edits"),
        ({"by": "ask_rule", "rule": "t(a)"}, "the rule t(a)"),
        ({"by": "hook"}, "a hook"),
        ({"by": "tool"}, "the tool"),
    ],
    ids=range(5),
)
def test_who_asks_is_told(facts, said):
    assert asker(question(**facts)) == said


def test_each_part_of_a_command_stands_in_the_text_with_its_verdict():
    text = question_text(question(effect=LINE, parts=PARTS))
    assert "  ask    sh -c x\n         no rule allows it" in text


def test_a_promise_is_kept_once_and_only_for_what_was_shown():
    promises = Promises()
    promises.give("c0", [question(), question(call_id="c2", args={"a": 2})])
    assert promises.claim(question(args={"a": 3})) == ""
    assert promises.claim(question()) == ""
    assert promises.claim(question(call_id="c2", args={"a": 2})) == "c0"
    assert promises.claim(question(call_id="c2", args={"a": 2})) == ""


def test_no_promise_is_given_for_what_can_not_be_undone():
    promises = Promises()
    promises.give("c0", [question(destructive=True)])
    assert promises.claim(question(destructive=True)) == ""


def test_the_question_hides_nothing():
    text = question_text(
        question(
            tool="run\u202e",
            args={"command": "ls" + " " * 300 + "; rm -rf /", "b": "x\u200by\x1b[2J"},
            reason="why\x1b[2J",
            effect=Text("does\u202e"),
            destructive=True,
        )
    )
    assert text.splitlines()[:2] == [
        "May run⟨U+202E⟩ run? why⟨U+001B⟩[2J",
        "DESTRUCTIVE: what it does can't be undone.",
    ]
    assert "ls ⟨300 blanks⟩ ; rm -rf /" in text
    assert "x⟨U+200B⟩y" in text
    assert text.endswith("does⟨U+202E⟩")
    assert "\x1b" not in text


def test_nothing_in_the_effect_is_pushed_out_of_sight():
    text = question_text(question(effect=Code("ls" + " " * 3000 + "; rm\n" + "\n" * 300 + "end")))
    assert text.endswith("ls ⟨3000 blanks⟩ ; rm\n⟨300 empty lines⟩\nend")


def test_the_question_shows_the_whole_effect():
    change = diff_view("a\n" * 500, "b\n" * 500, "f")
    text = question_text(question(effect=change))
    assert (text.count("\n-a"), text.count("\n+b")) == (500, 500)


def test_the_tools_that_have_a_sentence_of_their_own_are_installed():
    assert SENTENCES.keys() <= BUILT_IN.keys()
