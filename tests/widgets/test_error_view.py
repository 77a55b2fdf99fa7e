import pytest

from cellwright.views import Failure
from cellwright_widgets.brush import TRANSCRIPT
from cellwright_widgets.error_view import draw_error
from cellwright_widgets.node import to_html, to_text

from .page import HOSTILE, Page, assert_harmless


def test_the_traceback_is_folded():
    html = to_html(draw_error(Failure("timeout", "took 5 s", "Traceback\n\x1b[31mboom\x1b[0m"), TRANSCRIPT))
    assert html.index("<details") < html.index("Traceback")
    assert 'class="cw-fg-red">boom' in html


def test_a_message_of_many_lines_is_whole():
    assert "second" in to_text(draw_error(Failure("x", "first\nsecond"), TRANSCRIPT))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_messages_stay_text(text):
    assert_harmless(Page(to_html(draw_error(Failure(text, text, text), TRANSCRIPT))))
