import threading

import pytest

from cellwright.approval import Allow, Deny, Edit
from cellwright.permission.grant import Grant
from cellwright.permission.offers import Offer
from cellwright_widgets.approval_card import ApprovalCard

from .page import HOSTILE, Page, assert_harmless
from .questions import question


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
    card.check_edited.click()
    assert not card.edited_back.is_open
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


def test_arguments_that_come_late_are_read_back_before_they_can_run():
    card, answers = asked()
    card.edit_arguments.click()
    card.check_edited.click()
    early = card.edited_back.send
    card.edited.value = '{"command": "make lint"}'
    assert "make lint" in read_back(card.edited_back)
    early.click()
    card.edited_back.send.click()
    assert answers == [Edit({"command": "make lint"})]


def test_what_comes_late_and_does_not_fit_opens_the_form_again():
    card, answers = asked()
    card.check_edited.click()
    early = card.edited_back.send
    card.edited.value = "{"
    assert (card.edited_back.is_open, card.edit_box.layout.display) == (False, "")
    early.click()
    assert answers == []


def test_a_text_that_was_read_back_can_still_be_changed():
    card, answers = asked()
    card.check_reason.click()
    early = card.reason_back.send
    card.reason_back.change.click()
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


@pytest.mark.parametrize("changes", [{}, {**OFFERS, "args": {"command": " "}}], ids=["no offer", "nothing in it"])
def test_without_an_offer_or_with_nothing_to_see_nothing_can_be_kept(changes):
    card, _ = asked(**changes)
    assert card.allow_longer not in card.widget.children[1].children[1].children


@pytest.mark.parametrize("text", ["{", "[]", '{"command": 3}', "{}", '{"command": "a", "command": "b"}', "NaN"])
def test_arguments_that_do_not_fit_can_not_be_sent(text):
    card, answers = asked()
    card.edit_arguments.click()
    card.edited.value = text
    assert "cw-warning" in card.problem.value
    card.check_edited.click()
    assert (answers, card.edited_back.is_open) == ([], False)
    assert card.is_open


def test_edited_arguments_are_the_answer():
    card, answers = asked()
    card.edited.value = '{"command": "make lint"}'
    card.check_edited.click()
    assert "make lint" in read_back(card.edited_back)
    card.edited_back.send.click()
    assert answers == [Edit({"command": "make lint"})]


def test_an_empty_command_needs_a_second_look():
    card, answers = asked(args={"command": " "})
    assert card.allow.disabled
    card.allow.click()
    assert answers == []
    card.confirm.value = True
    assert not card.allow.disabled
    card.allow.click()
    assert answers == [Allow()]


def test_a_handler_shows_its_error_and_raises_nothing():
    def broken(args):
        raise RuntimeError("<b>broken</b>")

    card, answers = asked(check=broken)
    card.edited.value = '{"command": "x"}'
    assert "RuntimeError: &lt;b&gt;" in card.status.value
    assert answers == []


@pytest.mark.parametrize("text", HOSTILE)
def test_all_html_of_a_card_is_harmless(text):
    card, _ = asked(tool=text, reason=text, args={text: text})
    card.edited.value = text
    card.close(text)
    for html in (card.widget.children[0].value, card.status.value, card.problem.value, card.fallback_html()):
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
