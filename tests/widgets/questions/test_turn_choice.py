import ipywidgets

from cellwright.person.approval import Allow
from cellwright.views.view import Text
from cellwright_widgets.questions.turn_choice import TurnChoice

from ..page import Page
from ..question_scene import question


def make(text, tone, pressed):
    button = ipywidgets.Button(description=text, button_style=tone)
    button.on_click(lambda _: pressed())
    return button


def chosen(**changes):
    answers: list = []
    return TurnChoice(question(**changes), make, make("Back", "", lambda: None), answers.append), answers


def waits(number, **changes):
    return question(call_id=f"c{number}", args={"command": f"make {number}"}, effect=Text(f"does {number}"), **changes)


def drawn(choice) -> str:
    return Page(choice.place.widget.children[0].value).text


def test_everything_that_the_button_allows_is_drawn_above_it():
    choice, answers = chosen()
    choice.tell([waits(2), waits(3)])
    choice.show()
    assert ("does 2" in drawn(choice), "does 3" in drawn(choice)) == (True, True)
    assert (choice.title, choice.place.send.description) == ("Allow all 3 of these…", "Allow exactly these 3")
    choice.place.send.click()
    assert answers == [Allow(also=(waits(2), waits(3)))] or [q.call_id for q in answers[0].also] == ["c2", "c3"]


def test_a_call_that_comes_while_the_list_is_open_is_drawn_before_it_can_be_allowed():
    choice, answers = chosen()
    choice.tell([waits(2)])
    choice.show()
    early = choice.place.send
    assert choice.tell([waits(2), waits(3)])
    early.click()
    assert (answers, "does 3" in drawn(choice)) == ([], True)
    choice.place.send.click()
    assert [each.call_id for each in answers[0].also] == ["c2", "c3"]


def test_what_can_not_be_undone_or_seen_is_named_and_not_among_them():
    choice, answers = chosen()
    harmful, empty = waits(2, destructive=True), question(call_id="c3", args={"command": " "})
    choice.tell([harmful, empty, waits(4)])
    choice.show()
    assert (choice.title, choice.remark.split(" will")[0]) == ("Allow all 2 of these…", "3 more calls of this turn")
    assert ("DESTRUCTIVE" in drawn(choice), "Not among these" in drawn(choice)) == (True, True)
    choice.place.send.click()
    assert [each.call_id for each in answers[0].also] == ["c4"]


def test_a_first_call_that_can_not_be_undone_is_allowed_with_no_other():
    choice, _ = chosen(destructive=True)
    choice.tell([waits(2)])
    assert (choice.listed, choice.remark.split(" will")[0]) == ((), "1 more call of this turn")


def test_the_same_list_is_no_news_and_none_says_nothing():
    choice, _ = chosen()
    assert (choice.tell([]), choice.remark) == (False, "")
    assert (choice.tell([waits(2)]), choice.tell([waits(2)])) == (True, False)
