import io

import pytest

from cellwright import Agent, Allow, Deny, Output, ScriptedApprover, ScriptedModel, ToolError, Turn, tool
from cellwright.console.console import Console
from cellwright.log.events import Event
from cellwright.views.view import Code, Failure, Group, Terminal, Text

from ...widgets.inspected import hostile_log
from ...widgets.page import HOSTILE

STEERS = "\x1b]0;title\x07\x1b[2Jgone\x9b2K\r\u202eevil\b"


@tool(read_only=True)
def rows(count: int) -> list[dict[str, object]]:
    """Rows."""
    return [{"name": f"r{n}", "n": n} for n in range(count)]


@tool(read_only=True)
def mixed(text: str) -> Output:
    """Views of several kinds."""
    views = (
        Text(text),
        Terminal(f"\x1b[31m{text}\x1b[0m"),
        Code(f"x = 1  # {text}", "python"),
        Failure("Bad", text, text),
    )
    return Output("ok", view=Group("all", views))


@tool(read_only=True)
def fail() -> str:
    """Fails."""
    raise ToolError("not_found", "there is no such thing")


def told(turns, tools=(), answers=(), cwd=None, **options) -> str:
    """What the console prints of a run."""
    file = io.StringIO()
    observers, approver = [Console(file, **options)], ScriptedApprover(list(answers))
    agent = Agent(ScriptedModel(turns), tools=list(tools), observers=observers, approver=approver, cwd=cwd or ".")
    agent.run_sync("Do it.")
    return file.getvalue()


def test_prompt_words_calls_and_answer_stand_in_their_order(tmp_path):
    write = Turn("I write.", [("write_file", {"path": "a.txt", "content": "one\ntwo\n"})])
    text = told([write, "All is done."], ["write_file"], [Allow()], tmp_path)
    words = [
        "you Do it.",
        "I write.",
        "● write_file  a.txt",
        "✓ done",
        "you answered allow",
        "+one",
        "All is done.",
        "■ answered",
    ]
    places = [text.index(word) for word in words]
    assert places == sorted(places)
    assert "2 steps" in text


def test_a_denial_and_a_failure_say_what_they_are(tmp_path):
    calls = [("write_file", {"path": "a.txt", "content": "x"}), ("fail", {})]
    text = told([Turn("I try.", calls), "No."], ["write_file", fail], [Deny("not now")], tmp_path)
    assert "✕ approval_denied · you answered deny: not now" in text
    assert "✕ tool_error" in text
    assert "there is no such thing" in text


def test_a_table_shows_its_first_rows_and_how_many_there_are():
    text = told([Turn("Look.", [("rows", {"count": 120})]), "Done."], [rows])
    assert "r9" in text
    assert "r10" not in text
    assert "110 more rows" in text


def test_a_long_result_is_told_in_its_first_lines():
    text = told([Turn("Look.", [("mixed", {"text": "\n".join(map(str, range(500)))})]), "Done."], [mixed])
    assert "… 484 more lines" in text
    assert len(text.split("\n")) < 100


@pytest.mark.parametrize("text", [STEERS, *HOSTILE])
def test_nothing_that_is_said_steers_the_terminal(text):
    printed = told([Turn(text, [("mixed", {"text": text}), (text, {"a": text})]), text], [mixed])
    assert not {"\x1b", "\x07", "\r", "\b", "\x9b", "\u202e"} & set(printed)


def test_a_hostile_log_is_told_to_its_end():
    file = io.StringIO()
    console = Console(file)
    for event in hostile_log():
        console.on_event(Event(*event))
    assert "■" in file.getvalue()


def test_changes_are_coloured_where_colours_are_wanted(tmp_path, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    write = Turn("I write.", [("write_file", {"path": "a.txt", "content": "one\n"})])
    text = told([write, "Done."], ["write_file"], [Allow()], tmp_path)
    assert "\x1b[32m+one" in text


def test_the_answer_is_left_to_whoever_prints_it():
    assert "The answer." not in told(["The answer."], with_answer=False)
