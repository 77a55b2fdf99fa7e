import pytest

from cellwright.views.inquiry import Inquiry, NoReply, Reply
from cellwright_widgets.drawing.brush import APPROVAL, TRANSCRIPT
from cellwright_widgets.drawing.inquiry_view import draw_choice, draw_inquiry
from cellwright_widgets.drawing.node import element, to_html, to_text

from ..page import HOSTILE, Page, assert_harmless

WHICH = Inquiry.of("Which?", [("red", "warm"), ("blue", "")])


def test_an_open_question_shows_every_choice():
    text = to_text(draw_inquiry(WHICH, TRANSCRIPT))
    assert [word in text for word in ("Which?", "red warm", "blue", "chosen")] == [True, True, True, False]


def test_what_was_chosen_is_said_in_a_word():
    text = to_text(draw_inquiry(WHICH.answered(Reply(("blue",), "the dark one")), TRANSCRIPT))
    assert "blue chosen" in text
    assert (text.count("chosen"), "You answeredthe dark one" in text) == (1, True)


def test_a_question_without_an_answer_says_why():
    assert "No answer: nobody is there" in to_text(draw_inquiry(WHICH.answered(NoReply("nobody is there")), TRANSCRIPT))


def test_who_asks_is_told_and_nothing_hides():
    text = to_text(draw_inquiry(Inquiry("a\u202eb", asker="agent-1"), APPROVAL))
    assert ("agent-1 asks:" in text, "a⟨U+202E⟩b" in text) == (True, True)
    assert "⟨300 blanks⟩" in to_text(element("p", "", *draw_choice("a" + " " * 300 + "b", "", APPROVAL)))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_questions_stay_text(text):
    view = Inquiry(text, ((text, text),), asker=text, state="answered", chosen=(text,), text=text)
    assert_harmless(Page(to_html(draw_inquiry(view, TRANSCRIPT))))
