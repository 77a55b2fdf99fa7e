import ipywidgets

from cellwright_widgets.drawing.node import element
from cellwright_widgets.questions.read_back import ReadBack

from ..page import Page


def make(text, tone, pressed):
    button = ipywidgets.Button(description=text, button_style=tone)
    button.on_click(lambda _: pressed())
    return button


def test_only_the_button_of_the_text_that_is_shown_sends_it():
    done = []
    place = ReadBack(make, make("Back", "", lambda: done.append("back")))
    place.show(element("p", "", "one"), "Send", "", lambda: done.append("one"))
    first = place.send
    place.show(element("p", "", "two"), "Send", "", lambda: done.append("two"))
    first.click()
    assert "two" in Page(place.widget.children[0].value).text
    place.send.click()
    place.back.click()
    assert done == ["two", "back"]


def test_a_place_that_was_closed_sends_nothing():
    done = []
    place = ReadBack(make, make("Back", "", lambda: None))
    assert not place.is_open
    place.show(element("p", "", "one"), "Send", "", lambda: done.append("one"))
    button = place.send
    assert (place.is_open, place.widget.layout.display) == (True, "")
    place.close()
    button.click()
    assert (place.is_open, place.widget.layout.display, done) == (False, "none", [])


def test_what_is_in_doubt_is_still_shown_and_its_button_does_nothing():
    done = []
    place = ReadBack(make, make("Back", "", lambda: None))
    place.show(element("p", "", "one"), "Send", "", lambda: done.append("one"))
    button = place.send
    place.doubt()
    button.click()
    assert (done, button.disabled, place.is_open, place.widget.layout.display) == ([], True, False, "")
