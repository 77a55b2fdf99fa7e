import threading

import pytest

from cellwright.permission.grant import Grant
from cellwright.permission.offers import Offer
from cellwright.person.approval import Allow, Deny
from cellwright_widgets.questions.approval_card import ApprovalCard

from ..page import HOSTILE, Page, assert_harmless
from ..question_scene import question


def asked(**changes) -> tuple[ApprovalCard, list]:
    answers: list = []
    return ApprovalCard(question(**changes), answers.append), answers


def test_one_click_is_one_answer():
    card, answers = asked()
    card.allow.click()
    card.allow.click()
    card.deny.click()
    assert answers == [Allow()]
    assert card.deny.disabled
    assert "You allowed it once." in card.status.value


def test_clicks_from_many_threads_are_one_answer():
    card, answers = asked()
    threads = [threading.Thread(target=button.click) for button in (card.allow, card.deny) * 20]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 1


def test_a_closed_card_decides_nothing_and_says_why():
    card, answers = asked()
    card.close("the run was stopped")
    card.allow.click()
    card.edit.form.fields["command"].input.value = "make lint"
    assert not card.edit.redrawing.proof.is_open
    assert answers == []
    assert "No longer waiting: the run was stopped." in card.status.value


def test_a_reason_goes_to_the_model():
    card, answers = asked()
    card.deny_with_reason.click()
    assert card.reason_box.layout.display == ""
    card.reason.value = " use pathlib "
    card.check_reason.click()
    assert answers == []
    assert "use pathlib" in read_back(card.reason_back)
    card.reason_back.send.click()
    assert answers == [Deny("use pathlib")]


def read_back(place) -> str:
    """What the card shows of a text that it received."""
    return Page(place.widget.children[0].value).text


def test_a_reason_that_comes_late_is_read_back_before_it_can_be_sent():
    card, answers = asked()
    card.deny_with_reason.click()
    card.check_reason.click()
    assert "(no reason came)" in read_back(card.reason_back)
    early = card.reason_back.send
    card.reason.value = "use pathlib"
    assert "use pathlib" in read_back(card.reason_back)
    early.click()
    assert answers == []
    card.reason_back.send.click()
    assert answers == [Deny("use pathlib")]


def test_a_text_that_was_read_back_can_still_be_changed():
    card, answers = asked()
    card.check_reason.click()
    early = card.reason_back.send
    card.reason_back.back.click()
    assert (card.reason_back.is_open, card.reason_box.layout.display) == (False, "")
    early.click()
    assert answers == []


OFFERS = {
    "offers": (Offer("exactly this", ("run_command(make test)",)), Offer("like it", ("run_command(make *)",))),
    "scopes": ("run", "session"),
}


def test_a_rule_is_kept_by_the_button_beside_it():
    card, answers = asked(**OFFERS)
    card.allow_longer.click()
    assert card.grants.widget.layout.display == ""
    card.grants.buttons[1, "session"].click()
    assert answers == [Grant("session", ("run_command(make *)",))]
    assert "You allowed it for the session: run_command(make *)" in card.status.value
    assert all(button.disabled for button in card.grants.buttons.values())


def buttons_of(card) -> tuple:
    return next(row for row in card.widget.children[1].children if card.allow in getattr(row, "children", ())).children


@pytest.mark.parametrize("changes", [{}, {**OFFERS, "args": {"command": " "}}], ids=["no offer", "nothing in it"])
def test_without_an_offer_or_with_nothing_to_see_nothing_can_be_kept(changes):
    card, _ = asked(**changes)
    assert card.allow_longer not in buttons_of(card)


def test_while_arguments_are_changed_no_button_allows_the_old_ones():
    card, _ = asked(**OFFERS)
    card.edit_arguments.click()
    assert all("cw-aside" in button._dom_classes for button in (card.allow, card.allow_longer, card.allow_these))
    card.edit_arguments.click()
    assert all("cw-aside" not in button._dom_classes for button in (card.allow, card.allow_longer))


def ways_back(widget) -> list:
    """The buttons that go back, of all that is in sight."""
    if widget.layout.display == "none":
        return []
    found = [widget] if "cw-back" in getattr(widget, "_dom_classes", ()) else []
    return found + [one for child in getattr(widget, "children", ()) for one in ways_back(child)]


@pytest.mark.parametrize("part", ["allow_longer", "allow_these", "allow_some", "deny_with_reason", "edit_arguments"])
def test_what_was_opened_has_a_way_back_before_anything_is_changed(part):
    card, answers = asked(**OFFERS, operations=("one", "two"), only=lambda kept: "none")
    card.tell_waiting([question(call_id="c2")])
    assert ways_back(card.widget) == []
    getattr(card, part).click()
    (back,) = ways_back(card.widget)
    assert back.tooltip.endswith("(Escape)")
    back.click()
    assert (ways_back(card.widget), answers, card.is_open) == ([], [], True)
    assert not any({"cw-aside", "cw-opened"} & {*button._dom_classes} for button in buttons_of(card))


def test_one_part_is_open_at_a_time_and_a_second_press_closes_it():
    card, _ = asked(**OFFERS)
    card.deny_with_reason.click()
    card.allow_longer.click()
    assert (card.reason_box.layout.display, card.grants.widget.layout.display) == ("none", "")
    assert ("cw-opened" in card.allow_longer._dom_classes, "cw-opened" in card.deny_with_reason._dom_classes) == (
        True,
        False,
    )
    card.allow_longer.click()
    assert card.grants.widget.layout.display == "none"


def test_calls_that_wait_are_told_and_can_be_allowed_together():
    card, answers = asked()
    assert card.allow_these.layout.display == "none"
    card.tell_waiting([question(call_id="c2")])
    assert "1 more call of this turn" in card.waiting.value
    assert (card.allow_these.layout.display, card.allow_these.description) == ("", "Allow all 2 of these…")
    card.allow_these.click()
    card.turn.place.send.click()
    assert [each.call_id for each in answers[0].also] == ["c2"]
    assert "with it 1 call that will follow" in card.status.value


def test_a_card_that_was_answered_takes_no_news_of_calls_that_wait():
    card, _ = asked()
    card.deny.click()
    card.tell_waiting([question(call_id="c2")])
    assert (card.waiting.value, card.allow_these.disabled) == ("", True)


def test_an_empty_command_needs_a_second_look():
    card, answers = asked(args={"command": " "})
    assert card.allow.disabled
    card.allow.click()
    assert answers == []
    card.confirm.value = True
    assert not card.allow.disabled
    card.allow.click()
    assert answers == [Allow()]


@pytest.mark.parametrize("text", HOSTILE)
def test_all_html_of_a_card_is_harmless(text):
    card, _ = asked(tool=text, reason=text, args={text: text})
    card.edit_arguments.click()
    card.edit.form.fields["command"].use.value = True
    card.tell_waiting([question(call_id="c2", tool=text, args={"command": text})])
    proof = card.edit.redrawing.proof.widget.children[0].value
    card.close(text)
    for html in (card.widget.children[0].value, card.status.value, proof, card.waiting.value, card.fallback_html()):
        assert_harmless(Page(html))


def test_two_kernels_never_have_the_same_card():
    assert asked()[0].id != asked()[0].id


def test_the_saved_fallback_says_the_card_is_over():
    card, _ = asked()
    bundle = card._repr_mimebundle_()
    for kind in ("text/plain", "text/html"):
        assert "run_command" in bundle[kind]
        assert "no longer active" in bundle[kind]


def test_a_discarded_card_can_still_be_pressed_in_vain():
    card, answers = asked()
    card.discard()
    card.allow.click()
    assert answers == []
