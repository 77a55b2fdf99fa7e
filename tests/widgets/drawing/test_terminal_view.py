import pytest

from cellwright.views.view import Terminal
from cellwright_widgets.drawing.brush import APPROVAL, TRANSCRIPT
from cellwright_widgets.drawing.node import to_html, to_text
from cellwright_widgets.drawing.terminal_view import draw_running, draw_terminal

from ..page import HOSTILE, Page, assert_harmless


def drawn(text: str) -> str:
    return to_text(draw_terminal(Terminal(text), TRANSCRIPT)).removesuffix("\n")


def test_letters_stand_in_spans_by_their_ink():
    html = to_html(draw_terminal(Terminal("\x1b[31ma\nb\x1b[39mc"), TRANSCRIPT))
    assert html.count('<span class="cw-ink cw-hue-0">') == 2
    assert "</span>c" in html


def test_what_still_runs_is_drawn_whole_in_a_box_that_follows_its_end():
    lines = "".join(f"line {number}\n" for number in range(200))
    html = to_html(draw_running(lines + "10%\r20%", TRANSCRIPT))
    assert "cw-follow" in html
    assert "<details" not in html
    assert Page(html).text.endswith("line 199\n20%\n")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_output_stays_text(text):
    assert_harmless(Page(to_html(draw_terminal(Terminal(text), TRANSCRIPT))))


def test_of_too_much_output_the_end_is_drawn_and_the_rest_counted():
    shown = drawn("x" * 50 + "\n" + "y" * 1_000_000 + "\nthe end")
    assert "characters are not drawn" in shown
    assert shown.endswith("the end")


@pytest.mark.parametrize("text", ["", " \n"])
def test_no_output_is_no_empty_box(text):
    assert drawn(text) == "no output"


def test_nothing_that_a_person_is_asked_about_is_written_over():
    text = to_text(draw_terminal(Terminal("rm all\rls\x1b[2K"), APPROVAL))
    assert "rm all⟨U+000D⟩ls⟨U+001B⟩[2K" in text
