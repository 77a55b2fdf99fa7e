import threading

import ipywidgets
import pytest

from cellwright.views.inquiry import Inquiry, NoReply, Reply
from cellwright_widgets.questions.inquiry_card import InquiryCard

from ..page import HOSTILE, Page, assert_harmless

CHOICES = [("red", "warm"), ("blue", "")]


def shown(question="Which?", choices=CHOICES, multiple=False) -> tuple[InquiryCard, list]:
    said: list = []
    return InquiryCard(Inquiry.of(question, choices, multiple), said.append), said


def html_of(widget) -> str:
    inner = "".join(html_of(child) for child in getattr(widget, "children", ()))
    return (widget.value if isinstance(widget, ipywidgets.HTML) else "") + inner


def test_a_click_on_a_choice_answers_once():
    card, said = shown()
    card.choices[1].click()
    card.choices[0].click()
    card.skip.click()
    assert (said, card.is_open) == ([Reply(("blue",))], False)
    assert all(button.disabled for button in (*card.choices, card.own_words, card.skip))
    assert "You answered." in card.status.value


def test_clicks_from_many_threads_are_one_answer():
    card, said = shown()
    threads = [threading.Thread(target=button.click) for button in (*card.choices, card.skip) * 10]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(said) == 1


def test_own_words_are_read_back_before_they_are_sent():
    card, said = shown()
    card.own_words.click()
    assert card.words_box.layout.display == ""
    card.words.value = " dark\ngreen "
    card.check_words.click()
    assert (said, card.back.is_open) == ([], True)
    card.words.value = "light green"
    assert "light green" in html_of(card.back.widget)
    card.back.send.click()
    assert said == [Reply((), "light green")]


def test_a_question_without_choices_is_answered_in_own_words():
    card, said = shown(choices=[])
    assert (card.words_box.layout.display, card.choices) == ("", [])
    card.check_words.click()
    assert "Nothing is chosen and nothing written yet." in card.status.value
    card.words.value = "because"
    card.check_words.click()
    card.back.send.click()
    assert said == [Reply((), "because")]


@pytest.mark.parametrize("way", ["leave_words", "own_words"])
def test_own_words_that_were_left_do_not_count(way):
    card, said = shown(multiple=True)
    card.own_words.click()
    card.words.value = "green"
    getattr(card, way).click()
    assert (card.words_box.layout.display, card.own_words._dom_classes) == ("none", ("cw-opens",))
    card.ticks[0].value = True
    card.answer_chosen.click()
    card.back.send.click()
    assert said == [Reply(("red",))]


def test_several_choices_are_ticked_and_read_back():
    card, said = shown(multiple=True)
    card.answer_chosen.click()
    assert "Nothing is chosen" in card.status.value
    for tick in card.ticks:
        tick.value = True
    card.answer_chosen.click()
    card.ticks[0].value = False
    assert ("✓ blue" in html_of(card.back.widget), "✓ red" in html_of(card.back.widget)) == (True, False)
    card.back.send.click()
    assert said == [Reply(("blue",))]


def test_an_answer_that_was_read_back_can_still_be_changed():
    card, said = shown(multiple=True)
    card.own_words.click()
    card.words.value = "other"
    card.check_words.click()
    old = card.back.send
    card.back.back.click()
    old.click()
    assert (said, card.words_box.layout.display, card.back.is_open) == ([], "", False)


def test_no_answer_is_one_too():
    card, said = shown()
    card.skip.click()
    assert said == [NoReply("the person gave no answer", True)]


def test_a_closed_card_answers_nothing_and_says_why():
    card, said = shown()
    card.close("the run was stopped")
    card.choices[0].click()
    card.own_words.click()
    assert (said, card.words_box.layout.display) == ([], "none")
    assert "No longer waiting: the run was stopped." in card.status.value
    assert "No longer waiting" in card.fallback_html()


def test_a_discarded_card_can_still_be_pressed_in_vain():
    card, said = shown()
    card.discard()
    card.choices[0].click()
    assert (said, card.is_open) == ([], False)


def test_a_long_choice_stands_whole_beside_its_button():
    label = "a choice " + "that goes on " * 10 + "to its end"
    card, _ = shown(choices=[(label, ""), ("b\u202ec", "")])
    assert (len(card.choices[0].description), "to its end" in html_of(card.widget)) == (48, True)
    assert card.choices[1].description == "b⟨U+202E⟩c"


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_questions_stay_text(text):
    for several in (False, True):
        card, _ = shown(text, [(text, text), (text + " " * 9 + "long" * 20, "")], several)
        assert_harmless(Page(html_of(card.widget).replace("<style>", "<p>").replace("</style>", "</p>")))
        assert_harmless(Page(card.fallback_html()))
