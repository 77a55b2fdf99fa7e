import pytest

from cellwright.views.view import Failure
from cellwright_widgets.drawing.brush import TRANSCRIPT
from cellwright_widgets.drawing.error_view import draw_error
from cellwright_widgets.drawing.node import to_html, to_text

from ..page import HOSTILE, Page, assert_harmless


def test_the_traceback_is_folded():
    html = to_html(draw_error(Failure("timeout", "took 5 s", "Traceback\n\x1b[31mboom\x1b[0m"), TRANSCRIPT))
    assert html.index("<details") < html.index("Traceback")
    assert 'class="cw-ink cw-hue-0">boom' in html


def test_a_message_of_many_lines_is_whole():
    assert "second" in to_text(draw_error(Failure("x", "first\nsecond"), TRANSCRIPT))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_messages_stay_text(text):
    assert_harmless(Page(to_html(draw_error(Failure(text, text, text), TRANSCRIPT))))


def test_a_line_break_at_the_end_makes_no_empty_line():
    assert to_text(draw_error(Failure("x", "first\n"), TRANSCRIPT)) == "x first"
    assert to_text(draw_error(Failure("x", "first\nsecond\n\n"), TRANSCRIPT)) == "x firstsecond\n"


def test_a_first_line_that_is_very_long_keeps_its_end_in_sight():
    html = to_html(draw_error(Failure("x", "a" * 5_000 + " the end"), TRANSCRIPT))
    assert "more characters⟩" in html
    assert html.index("</details>") < html.index("the end")
    assert "<p" not in html  # a browser would end it where the fold begins


def test_a_failure_without_a_type_is_its_message():
    assert to_text(draw_error(Failure("", "not now"), TRANSCRIPT)) == "not now"
