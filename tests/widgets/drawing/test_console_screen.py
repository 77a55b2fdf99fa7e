import time

import pytest

from cellwright_widgets.drawing.console_screen import Screen

UP = "\x1b[A"


def seen(text: str) -> str:
    return "\n".join("".join(letter for letter, _ in line) for line in Screen(text).lines)


def test_a_long_line_that_is_erased_again_and_again_costs_no_more_than_its_letters():
    started = time.thread_time()
    assert seen("a" * 50_000 + "\x1b[1K" * 12_500) == " " * 50_000
    assert time.thread_time() - started < 2


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("10%\r50%\r100%", "100%"),
        ("abcdef\rXY", "XYcdef"),
        ("abc\b\bX", "aXc"),
        ("old line\r\x1b[Knew", "new"),
        ("spin\x1b[2K\x1b[1Gdone", "done"),
        ("abcdef\x1b[3D\x1b[1K.", "   .ef"),
        ("a\x1b[5Gb\x1b[1Cc", "a   b c"),
        ("a\r\nb\n", "a\nb"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://evil.test\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]0;a title without an end\nnext", "\nnext"),
        ("\x1bPq#0;2;0\n~~@@\x1b\\after a picture", "after a picture"),
        ("\x1b[?25l\x1b[2J\x1b[1;1Hhome", "home"),
        ("cut \x1b[31", "cut 31"),
    ],
)
def test_a_line_is_as_it_was_left(text, shown):
    assert seen(text) == shown


def test_bars_below_each_other_are_each_in_their_last_state():
    bars = "one 10%\ntwo 10%\n" + f"{UP}{UP}\r\x1b[2Kone 100%\n\x1b[2Ktwo 90%\n" + f"{UP}two 100%\n"
    assert seen(f"start\n{bars}end\n") == "start\none 100%\ntwo 100%\nend"


def test_what_was_drawn_for_a_while_goes_with_the_erasing_below():
    assert seen(f"kept\nfetching\n 3 left\n{UP}{UP}\x1b[Jfetched\n") == "kept\nfetched"


def test_no_step_leads_above_the_first_line_or_below_the_last():
    assert seen("\x1b[99Aa\x1b[99Bb\x1b[9Dc") == "cb"


@pytest.mark.parametrize("text", ["\x1b[9999Cx", "\n".join(["\x1b[500Gx"] * 20_000), "\x1b[500G\r" * 50_000])
def test_steps_to_the_right_bring_few_blanks(text):
    assert len(seen(text)) <= len(text) + max(10_000, len(text))


def test_the_ink_lasts_until_it_is_changed():
    lines = Screen("\x1b[1;31ma\nb\x1b[0mc").lines
    assert [ink.classes for line in lines for _, ink in line] == ["cw-ink cw-hue-0 cw-bold"] * 2 + [""]
