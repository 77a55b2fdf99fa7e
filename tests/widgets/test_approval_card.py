import threading

import pytest

from cellwright.approval import Allow, Deny, Edit
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
    card.run_edited.click()
    assert answers == []
    assert "No longer waiting: the run was stopped." in card.status.value


def test_a_reason_goes_to_the_model():
    card, answers = asked()
    card.deny_with_reason.click()
    assert card.reason_box.layout.display == ""
    card.reason.value = " use pathlib "
    card.send_denial.click()
    assert answers == [Deny("use pathlib")]


@pytest.mark.parametrize("text", ["{", "[]", '{"command": 3}', "{}", '{"command": "a", "command": "b"}', "NaN"])
def test_arguments_that_do_not_fit_can_not_be_sent(text):
    card, answers = asked()
    card.edit_arguments.click()
    card.edited.value = text
    assert "cw-warning" in card.problem.value
    card.run_edited.click()
    assert answers == []
    assert card.is_open


def test_edited_arguments_are_the_answer():
    card, answers = asked()
    card.edited.value = '{"command": "make lint"}'
    card.run_edited.click()
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
