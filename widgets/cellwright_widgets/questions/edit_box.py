"""Where the arguments of a call are changed: the form, and below it what the changed call would do.

As the person types, the arguments are checked, and the whole effect is drawn anew with a button of its own. Between a
keyboard and a kernel a text can come late, and a click can overtake it: so a button sends what stands above it, and
only if nothing else has come by then. The rule that must never break: what runs is what was drawn above the button
that was pressed, byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets

from cellwright.person.approval import Edit
from cellwright.person.question import Question
from cellwright_widgets.questions.argument_form import ArgumentForm
from cellwright_widgets.questions.card import HIDDEN, Card, status_line
from cellwright_widgets.questions.question_view import draw_preview
from cellwright_widgets.questions.redrawing import Redrawing

UNTOUCHED = "Change an argument; what the call would do then is shown here before it runs."


class EditBox:
    """The form of one card. `answer` is called with the changed arguments, `back` to leave them as they were."""

    def __init__(
        self, card: Card, question: Question, back: Callable[[], None], answer: Callable[[Edit], None]
    ) -> None:
        self._card = card
        self._question = question
        self._answer = answer
        self.redrawing = Redrawing(card, back)
        self.redrawing.said.value = status_line("cw-why", UNTOUCHED)
        self.form = ArgumentForm(question, lambda: card.guarded(lambda: self.redrawing.changed(self._prove)))
        below = (self.redrawing.said, self.redrawing.proof.widget)
        self.widget = ipywidgets.VBox([self.form.widget, *below], layout=HIDDEN)
        self.widget.add_class("cw-edit")

    def _prove(self, change: int) -> None:
        """Checks the arguments and draws what they would do, which may take a while and holds nobody up."""
        with self._card.lock:
            if not self.redrawing.is_latest(change):
                return
            args = self.form.read()
        if args is None:
            self.redrawing.say("", change)
            return
        problem = self._question.check(args)
        if problem:
            words = self.form.place(args, problem)
            self.redrawing.say(status_line("cw-warning", words) if words else "", change)
            return
        again = self._question.again
        shown = again(args) if again else None
        drawn = draw_preview(self._question, args, shown)
        is_destructive = (shown or self._question).destructive
        self.redrawing.show(drawn, "Run exactly this", is_destructive, lambda: self._answer(Edit(args)), change)

    def disable(self) -> None:
        """Nothing in it can be pressed or changed any more."""
        self.form.disable()
        self.redrawing.end()
