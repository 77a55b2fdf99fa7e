from typing import get_args

import pytest

from cellwright.runs.loop import StopReason
from cellwright_widgets.cards.head import Head
from cellwright_widgets.cards.item_view import draw_head, draw_item
from cellwright_widgets.cards.story import End, Prompt, Remark, Said
from cellwright_widgets.drawing.node import to_html, to_text

from ..page import HOSTILE, Page, assert_harmless


@pytest.mark.parametrize("text", HOSTILE)
def test_all_items_show_text_as_text(text):
    items = [Prompt(text), Said(text), Said(text, thinking=True), Said(text, final=True), Remark(text)]
    items.append(End(text, text, text, repeats=False))
    for item in items:
        assert_harmless(Page(to_html(draw_item(item))))
    assert_harmless(Page(to_html(draw_head(text, Head(model=text, mode=text, state=text)))))


def test_a_growing_text_has_a_tail_to_grow_at():
    assert "cw-tail" in to_html(draw_item(Said("Hel")))
    assert "cw-tail" not in to_html(draw_item(Said("Hello", final=True)))


def test_the_head_tells_state_and_cost():
    head = Head("m1", "plan", "answered", 3, 1_200, 40, 800, started=10.0, ended=15.0, cost=0.0123)
    text = to_text(draw_head("Tour", head))
    assert text == "Tour m1 answered 5.0 s 3 steps 1,200 (800 cached) tokens in, 40 out $0.0123 mode plan"


def test_a_running_clock_is_left_to_the_page():
    assert 'data-since="10.000"' in to_html(draw_head("Tour", Head(started=10.0)))


@pytest.mark.parametrize("reason", ["answered", "budget", "cancelled", "model_error", "a new one"])
def test_every_end_says_why(reason):
    assert len(to_text(draw_item(End(reason, "", "", repeats=True)))) > 5


def test_why_a_run_ended_is_a_sentence_and_many_lines_are_a_block():
    short = to_html(draw_item(End("budget", "", "the budget of 2 steps is used up", repeats=True)))
    assert "<p>the budget of 2 steps is used up</p>" in short
    assert "<pre" in to_html(draw_item(End("model_error", "", "one\ntwo\n", repeats=True)))


def test_every_end_is_told_in_words_in_the_head_too():
    for reason in get_args(StopReason):
        assert "_" not in to_text(draw_head("Tour", Head(state=reason)))
    assert "repetition" not in to_text(draw_head("Tour", Head(state="repetition")))


def test_a_paused_run_says_in_its_head_where_it_stopped():
    head = Head(state="paused", halts=("before look", "before send", "before send"))
    assert "paused before look and 2 more" in to_text(draw_head("Cellwright", head))
