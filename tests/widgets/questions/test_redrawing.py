"""What a changed call would do, drawn anew with each change."""

from cellwright_widgets.drawing.node import element
from cellwright_widgets.questions.approval_card import ApprovalCard
from cellwright_widgets.questions.redrawing import Redrawing

from ..page import Page
from ..question_scene import question


def made():
    """A redrawing in a card, and what was done by its buttons."""
    return Redrawing(ApprovalCard(question(), lambda answer: None), lambda: None), []


def drawing(redrawing, done, word):
    """Draws a word, and a button that does it."""

    def prove(change):
        redrawing.show(element("p", "", word), "Run", False, lambda: done.append(word), change)

    redrawing.changed(prove)


def test_the_button_does_what_is_drawn_above_it():
    redrawing, done = made()
    drawing(redrawing, done, "one")
    assert "one" in Page(redrawing.proof.widget.children[0].value).text
    redrawing.proof.send.click()
    assert done == ["one"]


def test_a_drawing_of_an_earlier_change_is_not_shown():
    redrawing, done = made()
    late = []
    redrawing.changed(late.append)
    drawing(redrawing, done, "two")
    redrawing.show(element("p", "", "one"), "Run", False, lambda: done.append("one"), late[0])
    redrawing.proof.send.click()
    assert done == ["two"]


def test_what_can_not_run_is_said_in_the_place_of_the_button():
    redrawing, done = made()
    drawing(redrawing, done, "one")
    early = redrawing.proof.send
    redrawing.changed(lambda change: redrawing.say("<p>nothing to run</p>", change))
    early.click()
    assert (redrawing.proof.is_open, redrawing.said.value, done) == (False, "<p>nothing to run</p>", [])


def test_after_the_end_nothing_is_drawn_or_pressed():
    redrawing, done = made()
    late = []
    redrawing.changed(late.append)
    redrawing.end()
    redrawing.show(element("p", "", "one"), "Run", False, lambda: done.append("one"), late[0])
    assert (redrawing.proof.is_open, redrawing.is_latest(late[0])) == (False, False)
