"""What a person may allow for longer: a row for each rule, with its exact text, and a button for each duration.

There is no form to fill in: a chosen value can arrive after the click that sends it, a click can't be wrong about what
stands beside it. The rule that must never break: what is granted is the rule in the row of the button that was pressed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import ipywidgets

from cellwright.permission.grant import Grant, Scope
from cellwright.permission.offers import Offer
from cellwright.permission.sources import FOLDER, LOCAL
from cellwright.person.question import Question
from cellwright_widgets.drawing.brush import APPROVAL
from cellwright_widgets.drawing.node import element, to_html

Make = Callable[[str, str, Callable[[], None]], ipywidgets.Button]
"""Makes a button of the card: its text, its tone, what it does."""


class GrantChoice:
    """The rows of one question, and `back` below. `answer` is called with the grant of the button that was pressed."""

    def __init__(
        self, question: Question, make: Make, back: ipywidgets.Button, answer: Callable[[Grant], None]
    ) -> None:
        self.buttons: dict[tuple[int, Scope], ipywidgets.Button] = {}
        """By the place of the offer and the scope."""
        rows = [self._row(place, offer, question.scopes, make, answer) for place, offer in enumerate(question.offers)]
        said = ["The rule that is kept, and how long it lasts. Denials come before it."]
        if "project" in question.scopes:
            said.append(f"For the project it is written into {FOLDER}/{LOCAL}, where you can take it away again.")
        if question.destructive:
            said.append("What can't be undone is covered only by a rule that names it exactly.")
        self.widget = ipywidgets.VBox(
            [_html("cw cw-below", element("p", "cw-why", " ".join(said))), *rows, ipywidgets.HBox([back])]
        )
        self.widget.add_class("cw-grants")

    def disable(self) -> None:
        """None of them can be pressed any more."""
        for button in self.buttons.values():
            button.disabled = True

    def _row(
        self, place: int, offer: Offer, scopes: Sequence[Scope], make: Make, answer: Callable[[Grant], None]
    ) -> ipywidgets.HBox:
        def button(scope: Scope) -> ipywidgets.Button:
            made = make(f"for the {scope}", "", lambda: answer(Grant(scope, offer.rules)))
            made.tooltip = f"Allow {APPROVAL.mark(', '.join(offer.rules))} for the {scope}"
            self.buttons[place, scope] = made
            return made

        rules = [element("code", "cw-rule", APPROVAL.mark(rule)) for rule in offer.rules]
        words = _html("cw cw-below", element("div", "cw-grant-title", APPROVAL.mark(offer.title)), *rules)
        words.layout = {"flex": "1 1 240px", "margin": "0"}
        row = ipywidgets.HBox([words, *map(button, scopes)], layout={"flex_flow": "row wrap", "align_items": "center"})
        row.add_class("cw-grant")
        return row


def _html(cls: str, *nodes: object) -> ipywidgets.HTML:
    return ipywidgets.HTML(to_html(element("div", cls, *nodes)), layout={"margin": "0"})  # type: ignore[arg-type]  # nodes and texts, as `element` takes them
