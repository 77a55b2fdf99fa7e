from cellwright.console.narrator import Narrator, put, tell
from cellwright.log.events import Event


def test_what_is_told_goes_to_standard_error_and_steers_no_terminal_and_data_stays_as_it_is(capfdbinary):
    tell("a line\x1b[2J" + "x" * 300)
    Narrator().on_event(Event(1, 0.0, "result", {"ok": False, "error_type": "timeout", "content": "late\nmore"}))
    put("h\u00e9llo\x1b")
    told = capfdbinary.readouterr()
    assert told.out == "h\u00e9llo\x1b\n".encode()
    first, second = told.err.decode().splitlines()
    assert ("\x1b" in first, "⟨U+001B⟩" in first, second) == (False, True, "  timeout: late")
