"""What a changed call would do, drawn anew with each change, and a button for exactly what is drawn.

Drawing takes a while, and a change or a click can overtake it. So changes are counted: a drawing counts only if nothing
was changed since it began, and a press only if nothing has come by the time it is acted on. The rule that must never
break: what runs is what was drawn above the button that was pressed.
"""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets

from cellwright_widgets.drawing.node import Node
from cellwright_widgets.questions.card import Card
from cellwright_widgets.questions.read_back import ReadBack


class Redrawing:
    """The drawing under the place of a card where its call is changed, and always a button that leaves that place."""

    def __init__(self, card: Card, back: Callable[[], None]) -> None:
        self._card = card
        self._changes = 0
        self.proof = ReadBack(card.button, card.back_button("Leave it as it was", back))
        self.proof.widget.layout.display = ""
        self.said = ipywidgets.HTML(layout={"margin": "0 2px"})
        """What stands there instead, where there is nothing to run."""

    def changed(self, prove: Callable[[int], None]) -> None:
        """Something was changed: what is drawn is doubted, and `prove` draws anew, given the number of the change."""
        self._changes += 1
        self.proof.doubt()
        change = self._changes
        self._card.aside(lambda: prove(change))

    def is_latest(self, change: int) -> bool:
        """Whether nothing was changed since, and the card still asks."""
        return change == self._changes and self._card.is_open

    def say(self, words: str, change: int) -> None:
        """Says in HTML why there is nothing to run."""
        with self._card.lock:
            if change == self._changes:
                self.proof.clear()
                self.said.value = words

    def show(self, drawn: Node, label: str, is_destructive: bool, act: Callable[[], None], change: int) -> None:
        """Shows what would be done, and a button that does it."""
        tone = "danger" if is_destructive else "primary"
        with self._card.lock:
            if self.is_latest(change):
                self.said.value = ""
                self.proof.show(drawn, label, tone, lambda: self._press(act, change))

    def end(self) -> None:
        """Nothing can be pressed any more, and no drawing that is under way counts."""
        self._changes += 1
        self.proof.close()

    def _press(self, act: Callable[[], None], change: int) -> None:
        """What was changed before the click, and comes after it, is drawn instead of being left out."""
        self._card.later(lambda: act() if change == self._changes else None)
