from cellwright import Agent, ScriptedModel, Turn
from cellwright.console.narrator import Narrator, put, tell
from cellwright.log.events import Event

from ..scene import returning


def test_what_is_told_goes_to_standard_error_and_steers_no_terminal_and_data_stays_as_it_is(capfdbinary):
    tell("a line\x1b[2J" + "x" * 300)
    Narrator().on_event(Event(1, 0.0, "result", {"ok": False, "error_type": "timeout", "content": "late\nmore"}))
    put("h\u00e9llo\x1b")
    told = capfdbinary.readouterr()
    assert told.out == "h\u00e9llo\x1b\n".encode()
    first, second = told.err.decode().splitlines()
    assert ("\x1b" in first, "⟨U+001B⟩" in first, second) == (False, True, "  timeout: late")


def test_what_the_model_says_before_its_calls_is_told_and_its_answer_is_not(capsys):
    turn = Turn("First:\n\nI \x1b[2Jlook.", [("give", {}), ("give", {})])
    Agent(ScriptedModel([turn, "done"]), [returning(1)], observers=[Narrator()]).run_sync("go")
    told = [line for line in capsys.readouterr().err.splitlines() if not line.startswith("  ")]
    assert told == ["First:", "I ⟨U+001B⟩[2Jlook.", "> give", "> give"]
