"""Where a person ticks the operations of a call that may be done, and sees what is then done.

A patch of a notebook is several edits, and one of them may be wrong. So each has a box to untick; the whole effect of
those that stay is drawn anew below, with a button of its own for exactly these. A tick can come late, and a click can
overtake it, so a button acts only if nothing else has come by then. The rule that must never break: what runs is what
was drawn above the button that was pressed; whatever is not ticked there is not done.
"""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets

from cellwright.approval import Choose
from cellwright.quantity import quantity
from cellwright.question import Question
from cellwright_widgets.brush import APPROVAL
from cellwright_widgets.card import HIDDEN, Card, status_line
from cellwright_widgets.inputs import Tick
from cellwright_widgets.question_view import draw_preview
from cellwright_widgets.read_back import ReadBack

NONE_LEFT = "Nothing is ticked, so there is nothing to run. Deny the call instead."


class OperationChoice:
    """The boxes of one card. `answer` is called with the numbers that were ticked, `back` to leave all as it was."""

    def __init__(
        self, card: Card, question: Question, back: Callable[[], None], answer: Callable[[Choose], None]
    ) -> None:
        self._card = card
        self._question = question
        self._answer = answer
        self._changes = 0
        """Counts what was ticked and unticked, so that a drawing knows whether it is still of what is ticked."""
        self.ticks = [self._tick(number, line) for number, line in enumerate(question.operations, 1)]
        self.proof = ReadBack(card.button, back, "Leave it as it was")
        self.said = ipywidgets.HTML(layout={"margin": "0"})
        self.widget = ipywidgets.VBox([*self.ticks, self.said, self.proof.widget], layout=HIDDEN)
        self.widget.add_class("cw-operations")

    @property
    def kept(self) -> tuple[int, ...]:
        """The numbers of those that are ticked, from 1."""
        return tuple(number for number, tick in enumerate(self.ticks, 1) if tick.value)

    def show(self) -> None:
        """Begins to choose: the boxes, and what stays with them as they are."""
        self._changed()

    def disable(self) -> None:
        """Nothing in it can be pressed or ticked any more."""
        self._changes += 1
        for tick in self.ticks:
            tick.disabled = True
        self.proof.close()

    def _tick(self, number: int, line: str) -> Tick:
        words = f"{number}. {APPROVAL.mark(line)}"
        tick = Tick(value=True, description=words, tooltip=words, indent=False, layout={"width": "auto"})
        tick.observe(lambda _: self._card.guarded(self._changed), names="value")
        return tick

    def _changed(self) -> None:
        self._changes += 1
        self.proof.doubt()
        change = self._changes
        self._card.aside(lambda: self._prove(change))

    def _prove(self, change: int) -> None:
        """Draws what the ticked ones would do, which may take a while and holds nobody up."""
        with self._card.lock:
            if change != self._changes or not self._card.is_open or self._question.only is None:
                return
            kept = self.kept
        if len(kept) in (0, len(self.ticks)):
            words = NONE_LEFT if not kept else "Untick what is not to be done; what stays is shown here before it runs."
            self._say(words, "cw-why" if kept else "cw-warning", change)
            return
        without = self._question.only(kept)
        if isinstance(without, str):
            self._say(f"Without the others these can't be done: {without}", "cw-warning", change)
            return
        drawn = draw_preview(self._question, without.args, without)
        with self._card.lock:
            if change == self._changes and self._card.is_open:
                self.said.value = ""
                tone = "danger" if without.destructive else "primary"
                label = f"Run exactly {'this' if len(kept) == 1 else 'these'} {quantity(len(kept), 'operation')}"
                self.proof.show(drawn, label, tone, lambda: self._press(Choose(kept), change))

    def _say(self, words: str, cls: str, change: int) -> None:
        with self._card.lock:
            if change == self._changes:
                self.proof.close()
                self.said.value = status_line(cls, APPROVAL.mark(words))

    def _press(self, choice: Choose, change: int) -> None:
        """A box that was ticked before the click, and comes after it, is drawn instead of being passed over."""
        self._card.later(lambda: self._answer(choice) if change == self._changes else None)
