import time

import pytest

from cellwright.views import Terminal
from cellwright_widgets.brush import TRANSCRIPT
from cellwright_widgets.node import to_html, to_text
from cellwright_widgets.terminal_view import draw_terminal

from .page import HOSTILE, Page, assert_harmless


def drawn(text: str) -> str:
    return to_text(draw_terminal(Terminal(text), TRANSCRIPT)).removesuffix("\n")


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("10%\r50%\r100%", "100%"),
        ("abcdef\rXY", "XYcdef"),
        ("abc\b\bX", "aXc"),
        ("old line\r\x1b[Knew", "new"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://evil.test\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b[2J\x1b[1;1Hhome", "home"),
        ("a\r\nb", "a\nb"),
        ("cut \x1b[31", "cut 31"),
    ],
)
def test_it_shows_what_a_reader_saw_last(text, seen):
    assert drawn(text) == seen


@pytest.mark.parametrize(
    ("codes", "cls"),
    [
        ("31", "cw-fg-red"),
        ("1;32", "cw-bold cw-fg-green"),
        ("38;5;196", "cw-fg-bright-red"),
        ("48;2;0;0;255", "cw-bg-"),
    ],
)
def test_colours_become_classes(codes, cls):
    assert f'<span class="{cls}' in to_html(draw_terminal(Terminal(f"\x1b[{codes}mx\x1b[0my"), TRANSCRIPT))


def test_a_colour_lasts_until_it_is_reset():
    html = to_html(draw_terminal(Terminal("\x1b[31ma\nb\x1b[39mc"), TRANSCRIPT))
    assert html.count("cw-fg-red") == 2
    assert "</span>c" in html


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_output_stays_text(text):
    assert_harmless(Page(to_html(draw_terminal(Terminal(text), TRANSCRIPT))))


def test_of_too_much_output_the_end_is_drawn_and_the_rest_counted():
    start = time.perf_counter()
    shown = drawn("x" * 50 + "\n" + "y" * 1_000_000 + "\nthe end")
    assert "characters are not drawn" in shown
    assert shown.endswith("the end")
    assert time.perf_counter() - start < 3


@pytest.mark.parametrize("text", ["", " \n"])
def test_no_output_is_no_empty_box(text):
    assert drawn(text) == "no output"
