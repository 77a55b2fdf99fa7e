import base64
import os

import pytest

from cellwright.text.console_text import clean_console, condense

CASE = (
    "\x1b[Aup \x1b[2Kline \x1b[?25lhide \x1b[38;5;1mred\x1b[0m\n\x1b]0;title\x07after title\n"
    "\x1b]8;;http://x.test\x1b\\link\x1b]8;;\x1b\\ end\n\x1b(Bcharset \x1b=pad \x9b31mcsi8\x00nul\x07bel\tTab\n"
    "unfinished \x1b[12\nlast line\x1b"
)


def test_codes_go_and_words_stay():
    assert clean_console(CASE) == (
        "up line hide red\nafter title\nlink end\ncharset pad csi8nulbel\tTab\nunfinished \nlast line"
    )


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("a\r\nb\r\r\nc", "a\nb\nc"),
        (" 10%\r 50%\r100%\n", "100%\n"),
        ("long text\rshort", "shorttext"),
        ("long text\r\x1b[Kshort", "short"),
        ("long text\x1b[2K\rshort", "short"),
        ("|\b/\b-\b\\\bok", "ok"),
        ("N\bNA\bAM\bME\bE", "NAME"),
        ("name\x1b[3Csize\x1b[99999999Cend", "name   sizeend"),
        ("|\x1b[1D/\x1b[D-\x1b[0Dok", "ok"),
        ("one\x1b[1G\x1b[0Ktwo\x1b[Gthree\x1b[7Gx", "three x"),
        ("\x1b[1mbold\x1b[22m \x1b[38;2;1;2;3mcolour\x1b[39;49m", "bold colour"),
        ("name\x1b[60Gvalue", "name" + " " * 55 + "value"),
        ("a\x1b[999Gb\x1b[999C\x1b[9Dc\x1b[1Gd", "d b c"),
        ("page\x0cnext", "page\nnext"),
        ("\x1bPq#0;2;0\n0;0\x1b\\after a picture", "after a picture"),
        ("\x9d0;title\x9cafter", "after"),
    ],
)
def test_a_line_reads_as_last_seen_on_the_terminal(raw, shown):
    assert clean_console(raw) == shown


@pytest.mark.parametrize("jump", ["\x1b[999Gx\n", "\x1b[80Gx\n", "\x1b[70Cx\x1b[G\x1b[K", "x\x1b[79C"])
def test_jumps_of_a_cursor_make_no_page_of_blanks(jump):
    assert len(clean_console(jump * 20_000)) <= 2 * len(jump * 20_000) + 4_000


@pytest.mark.parametrize(
    "start", ["\x1b[", "\x1b[3", "\x1b]0;tit", "\x1b]8;;http", "\x1bP1", "\x1b", "\x9b1;", "\x1b("]
)
def test_an_unfinished_sequence_takes_nothing_of_the_next_line(start):
    assert clean_console(f"one {start}\ntwo").split("\n") == ["one ", "two"]


def test_no_control_character_survives_except_newline_and_tab():
    every = "".join(map(chr, range(0xA0))) * 2
    assert {c for c in clean_console(every) if ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0} <= {"\n", "\t"}


def test_plain_text_is_left_as_it_is():
    text = "x = 1\n\tß 🙂 e\u0301\n"
    assert clean_console(text) == text


def test_an_unpaired_surrogate_is_replaced():
    assert clean_console("a\ud83d") == "a\ufffd"


@pytest.mark.parametrize("data", [bytes(300_000), os.urandom(9_000)])
def test_a_long_base64_run_is_replaced_by_its_length(data):
    encoded = base64.b64encode(data).decode()
    short = condense(f"before {encoded} after")
    assert len(short) < 130
    assert f"{len(encoded):,} characters" in short
    assert (short[:7], short[-6:]) == ("before ", " after")


def test_base64_in_lines_is_replaced_as_well():
    assert len(condense(base64.encodebytes(os.urandom(9_000)).decode())) < 130


def test_a_ruler_is_cut_and_a_short_run_stays():
    assert condense("-" * 300) == "-" * 120 + "…"
    assert condense("a" * 120) == "a" * 120


def test_many_equal_lines_are_counted():
    assert condense("go\n" + "wait\n" * 20_000 + "done") == "go\nwait\n[the line above 19,999 more times]\ndone"
    assert condense("twice\ntwice") == "twice\ntwice"
