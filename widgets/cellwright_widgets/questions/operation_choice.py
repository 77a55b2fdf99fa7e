"""Where a person ticks the operations of a call that may be done, and sees what is then done.

A patch of a notebook is several edits, and one of them may be wrong. So each has a box to untick; the whole effect of
those that stay is drawn anew below, with a button of its own for exactly these. A tick can come late, and a click can
overtake it, so a button acts only if nothing else has come by then. The rule that must never break: what runs is what
was drawn above the button that was pressed; whatever is not ticked there is not done.
"""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets

from cellwright.person.approval import Choose
from cellwright.person.question import Question
from cellwright.text.quantity import quantity
from cellwright_widgets.drawing.brush import APPROVAL
from cellwright_widgets.live.inputs import Tick
from cellwright_widgets.questions.card import HIDDEN, Card, status_line
from cellwright_widgets.questions.question_view import draw_preview
from cellwright_widgets.questions.redrawing import Redrawing

NONE_LEFT = "Nothing is ticked, so there is nothing to run. Deny the call instead."


class OperationChoice:
    """The boxes of one card. `answer` is called with the numbers that were ticked, `back` to leave all as it was."""

    def __init__(
        self, card: Card, question: Question, back: Callable[[], None], answer: Callable[[Choose], None]
    ) -> None:
        self._card = card
        self._question = question
        self._answer = answer
        self.redrawing = Redrawing(card, back)
        self.ticks = [self._tick(number, line) for number, line in enumerate(question.operations, 1)]
        below = (self.redrawing.said, self.redrawing.proof.widget)
        self.widget = ipywidgets.VBox([*self.ticks, *below], layout=HIDDEN)
        self.widget.add_class("cw-operations")

    @property
    def kept(self) -> tuple[int, ...]:
        """The numbers of those that are ticked, from 1."""
        return tuple(number for number, tick in enumerate(self.ticks, 1) if tick.value)

    def show(self) -> None:
        """Draws what stays with the boxes as they are."""
        self.redrawing.changed(self._prove)

    def disable(self) -> None:
        """Nothing in it can be pressed or ticked any more."""
        for tick in self.ticks:
            tick.disabled = True
        self.redrawing.end()

    def _tick(self, number: int, line: str) -> Tick:
        words = f"{number}. {APPROVAL.mark(line)}"
        tick = Tick(value=True, description=words, tooltip=words, indent=False, layout={"width": "auto"})
        tick.observe(lambda _: self._card.guarded(self.show), names="value")
        return tick

    def _prove(self, change: int) -> None:
        """Draws what the ticked ones would do, which may take a while and holds nobody up."""
        with self._card.lock:
            if not self.redrawing.is_latest(change) or self._question.only is None:
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
        label = f"Run exactly {'this' if len(kept) == 1 else 'these'} {quantity(len(kept), 'operation')}"
        self.redrawing.show(drawn, label, without.destructive, lambda: self._answer(Choose(kept)), change)

    def _say(self, words: str, cls: str, change: int) -> None:
        self.redrawing.say(status_line(cls, APPROVAL.mark(words)), change)
