from msgspec.structs import replace

from cellwright.person.approval import Edit
from cellwright.views.view import Text
from cellwright_widgets.questions.approval_card import ApprovalCard

from ..page import Page
from ..question_scene import question


def editing(**changes):
    """A card whose arguments are being changed, and what it answers."""
    answers: list = []
    card = ApprovalCard(question(**changes), answers.append)
    card.edit_arguments.click()
    return card, card.edit, answers


def typed(box, text):
    box.form.fields["command"].input.value = text


def drawn(box) -> str:
    return Page(box.redrawing.proof.widget.children[0].value).text


def seen(args):
    """The question as it would be with other arguments."""
    is_harmful = args["command"].startswith("rm")
    return replace(question(args=args), effect=Text(f"would run {args['command']}"), destructive=is_harmful)


def test_what_a_changed_call_would_do_is_drawn_as_it_is_typed():
    _, box, answers = editing(again=seen)
    typed(box, "make lint")
    assert "would run make lint" in drawn(box)
    typed(box, "make docs")
    assert ("would run make docs" in drawn(box), answers) == (True, [])


def test_what_was_drawn_above_the_button_is_the_answer():
    _, box, answers = editing(again=seen)
    typed(box, "make lint")
    box.redrawing.proof.send.click()
    assert answers == [Edit({"command": "make lint"})]


def test_the_button_of_an_earlier_drawing_does_nothing():
    _, box, answers = editing(again=seen)
    typed(box, "make lint")
    early = box.redrawing.proof.send
    typed(box, "make docs")
    early.click()
    assert answers == []
    box.redrawing.proof.send.click()
    assert answers == [Edit({"command": "make docs"})]


def test_a_changed_call_that_can_not_be_undone_is_marked():
    _, box, _ = editing(again=seen)
    typed(box, "rm -r a")
    assert ("DESTRUCTIVE" in drawn(box), box.redrawing.proof.send.button_style) == (True, "danger")


def test_without_an_effect_the_arguments_are_drawn():
    _, box, _ = editing()
    typed(box, "make lint")
    assert "make lint" in drawn(box)


def test_what_does_not_fit_has_no_button_and_says_why():
    def check(args):
        return "that is no target" if args["command"] == "make tea" else None

    _, box, answers = editing(check=check)
    typed(box, "make lint")
    typed(box, "make tea")
    assert (box.redrawing.proof.is_open, answers) == (False, [])
    assert "that is no target" in Page(box.redrawing.said.value).text
    typed(box, "make lint")
    assert (box.redrawing.proof.is_open, box.redrawing.said.value) == (True, "")


def test_nothing_that_is_typed_on_a_card_that_is_over_is_drawn():
    card, box, answers = editing(again=seen)
    typed(box, "make lint")
    late = box.redrawing.proof.send
    card.close("the run was stopped")
    typed(box, "make docs")
    late.click()
    assert (answers, box.redrawing.proof.is_open, box.form.fields["command"].input.disabled) == ([], False, True)


def test_a_drawing_that_fails_is_told_on_the_card():
    def again(args):
        raise OSError("<b>gone</b>")

    card, box, answers = editing(again=again)
    typed(box, "make lint")
    assert "OSError: &lt;b&gt;gone" in card.status.value
    assert (answers, box.redrawing.proof.is_open) == ([], False)
