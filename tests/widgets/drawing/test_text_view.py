import pytest

from cellwright.views.view import Text
from cellwright_widgets.drawing.brush import APPROVAL, TRANSCRIPT
from cellwright_widgets.drawing.node import to_html, to_text
from cellwright_widgets.drawing.text_view import draw_text

from ..page import HOSTILE, Page, assert_harmless


@pytest.mark.parametrize("text", HOSTILE)
def test_text_stays_text(text):
    page = Page(to_html(draw_text(Text(text), TRANSCRIPT)))
    assert_harmless(page)
    assert "<" not in text or "<" in page.text


def test_a_long_line_is_folded_in_its_middle_and_stays_reachable():
    line = "a" * 9_000 + "END"
    html = to_html(draw_text(Text(line), TRANSCRIPT))
    assert "more characters⟩" in html
    assert html.count("a") > 9_000
    assert "END" in html.split("</details>")[-1]


def test_blanks_that_push_text_out_of_sight_are_counted():
    assert "⟨300 blanks⟩" in to_text(draw_text(Text("ls" + " " * 300 + "; rm"), APPROVAL))
    assert "empty lines⟩" in to_text(draw_text(Text("ls" + "\n" * 60 + "rm"), APPROVAL))


def test_what_is_not_drawn_is_counted():
    assert "900,000 more characters are not drawn" in to_text(draw_text(Text("ab\n" * 333_333 + "x"), TRANSCRIPT))
