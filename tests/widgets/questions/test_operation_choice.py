"""The boxes by which a person leaves out some of the operations of a call."""

import pytest
from msgspec.structs import replace

from cellwright.person.approval import Allow, Choose
from cellwright.views.view import Text
from cellwright_widgets.questions.approval_card import ApprovalCard

from ..page import HOSTILE, Page, assert_harmless
from ..question_scene import question

LINES = ("edit_mode: replace · cell_id: load", "edit_mode: delete · cell_id: junk", "edit_mode: split · cell_id: all")


def without(kept):
    """The question with these alone; the third rests on the second."""
    if 3 in kept and 2 not in kept:
        return "edit 1 of 1: there is no cell 'all'"
    return replace(question(args={"command": str(kept)}), effect=Text(f"would do {kept}"))


def choosing(**changes):
    """A card on which operations are being chosen, and what it answers."""
    answers: list = []
    card = ApprovalCard(question(**{"operations": LINES, "only": without, **changes}), answers.append)
    card.allow_some.click()
    return card, card.choice, answers


def untick(choice, *numbers):
    for number in numbers:
        choice.ticks[number - 1].value = False


def shown(choice) -> str:
    return Page(choice.redrawing.said.value + choice.redrawing.proof.widget.children[0].value).text


def test_what_stays_is_drawn_anew_with_a_button_for_exactly_that():
    card, choice, answers = choosing()
    untick(choice, 2, 3)
    assert "would do (1,)" in shown(choice)
    choice.redrawing.proof.send.click()
    assert answers == [Choose((1,))]
    assert "You allowed a part of it: operation 1." in Page(card.status.value).text


def test_a_button_of_what_was_ticked_before_does_nothing():
    _, choice, answers = choosing()
    untick(choice, 3)
    old = choice.redrawing.proof.send
    choice.ticks[2].value = True
    old.click()
    assert answers == []


@pytest.mark.parametrize(
    ("numbers", "words"), [((), "Untick what"), ((1, 2, 3), "Nothing is ticked"), ((2,), "there is no cell")]
)
def test_what_can_not_be_done_is_said_and_has_no_button(numbers, words):
    _, choice, _ = choosing()
    untick(choice, *numbers)
    assert words in shown(choice)
    assert choice.redrawing.proof.send is None


def test_while_operations_are_chosen_nothing_allows_all_of_them():
    card, _, answers = choosing()
    assert all("cw-aside" in button._dom_classes for button in (card.allow, card.allow_longer))
    card.allow_some.click()
    card.allow.click()
    assert answers == [Allow()]


def test_a_call_without_operations_has_no_such_button():
    card = ApprovalCard(question(), lambda answer: None)
    buttons = [button.description for button in card.widget.children[1].children[2].children]
    assert "Allow some…" not in buttons


def test_an_answered_card_has_nothing_to_tick():
    card, choice, _ = choosing()
    card.deny.click()
    assert all(tick.disabled for tick in choice.ticks)


def test_a_hostile_line_is_a_label_and_hidden_characters_are_named():
    _, choice, _ = choosing(operations=("a\u202eb", *HOSTILE), only=lambda kept: HOSTILE[0])
    untick(choice, 1)
    assert choice.ticks[0].description == "1. a⟨U+202E⟩b"
    assert all(tick.description_allow_html is False for tick in choice.ticks)
    assert_harmless(Page(choice.redrawing.said.value))
