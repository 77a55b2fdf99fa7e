import pytest

from cellwright.views.todo_list import Todo
from cellwright_widgets.drawing.brush import TRANSCRIPT
from cellwright_widgets.drawing.node import to_html, to_text
from cellwright_widgets.drawing.todo_view import draw_todo

from ..page import HOSTILE, Page, assert_harmless


def test_each_step_says_in_words_how_far_it_is():
    view = Todo((("look", "completed"), ("mend", "in_progress"), ("tell", "pending")))
    text = to_text(draw_todo(view, TRANSCRIPT))
    assert text.startswith("1 of 3 done")
    assert [word in text for word in ("look done", "mend in progress", "tell to do")] == [True] * 3


def test_an_empty_list_has_no_steps():
    assert to_html(draw_todo(Todo(), TRANSCRIPT)).count("<li") == 0


def test_steps_that_are_not_drawn_are_counted():
    text = to_text(draw_todo(Todo(tuple((f"s{n}", "pending") for n in range(260))), TRANSCRIPT))
    assert "60 more steps are not drawn" in text


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_steps_stay_text(text):
    assert_harmless(Page(to_html(draw_todo(Todo(((text, "pending"), ("x", text))), TRANSCRIPT))))
