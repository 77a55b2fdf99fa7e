import threading

import ipywidgets

from cellwright_widgets.questions.card import Card, status_line

from ..page import HOSTILE, Page, assert_harmless


class Plain(Card):
    """A card with one button."""

    def __init__(self):
        super().__init__()
        self.pressed = 0
        self.control = self.button("Press", "primary", self.press)
        self.widget = self.box("<p>What?</p>", "100px", [self.control])

    def press(self):
        self.pressed += 1


def fail():
    raise OSError("<b>gone</b>")


def test_a_handler_that_fails_is_shown_on_the_card():
    card = Plain()
    card.button("x", "", fail).click()
    assert "This did not work: OSError: &lt;b&gt;gone&lt;/b&gt;" in card.status.value


def test_a_card_closes_once_and_keeps_its_first_reason():
    card = Plain()
    card.close("the run was stopped")
    card.close("another reason")
    assert (card.is_open, card.closed, repr(card)) == (False, "No longer waiting: the run was stopped.", card.closed)
    assert card.closed in card.status.value


def test_a_discarded_card_frees_its_widgets():
    card = Plain()
    card.discard()
    parts = [card.widget, *card.widget.children, card.control, card.status]
    assert [part.comm for part in parts] == [None] * len(parts)


def test_clicks_act_one_after_another():
    card = Plain()
    threads = [threading.Thread(target=card.control.click) for _ in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert card.pressed == 30


def test_outside_of_a_kernel_nothing_has_to_be_waited_for():
    card = Plain()
    card.later(card.press)
    assert card.pressed == 1


def test_a_page_without_widgets_reads_a_line():
    card = Plain()
    card.close("it is over")
    bundle = card.widget._repr_mimebundle_()
    assert "it is over" in bundle["text/html"] + bundle["text/plain"]
    assert isinstance(card.widget, ipywidgets.VBox)


def test_a_status_stays_text():
    for text in HOSTILE:
        assert_harmless(Page(status_line("cw-danger", text)))
