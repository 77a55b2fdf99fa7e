"""Where the arguments of a call are changed: the form, and below it what the changed call would do.

As the person types, the arguments are checked, and the whole effect is drawn anew with a button of its own. Between a
keyboard and a kernel a text can come late, and a click can overtake it: so a button sends what stands above it, and
only if nothing else has come by then. The rule that must never break: what runs is what was drawn above the button
that was pressed, byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets

from cellwright.approval import Edit
from cellwright.question import Question
from cellwright_widgets.argument_form import ArgumentForm
from cellwright_widgets.card import HIDDEN, Card, status_line
from cellwright_widgets.question_view import draw_preview
from cellwright_widgets.read_back import ReadBack


class EditBox:
    """The form of one card. `answer` is called with the changed arguments, `back` to leave them as they were."""

    def __init__(
        self, card: Card, question: Question, back: Callable[[], None], answer: Callable[[Edit], None]
    ) -> None:
        self._card = card
        self._question = question
        self._answer = answer
        self._changes = 0
        """Counts what the person has changed, so that a drawing knows whether it is still of what stands there."""
        self.form = ArgumentForm(question, lambda: card.guarded(self._changed))
        self.proof = ReadBack(card.button, back, "Leave it as it was")
        self.problem = ipywidgets.HTML(layout={"margin": "0"})
        self.widget = ipywidgets.VBox([self.form.widget, self.problem, self.proof.widget], layout=HIDDEN)
        self.widget.add_class("cw-edit")

    def _changed(self) -> None:
        self._changes += 1
        self.proof.doubt()
        change = self._changes
        self._card.aside(lambda: self._prove(change))

    def _prove(self, change: int) -> None:
        """Checks the arguments and draws what they would do, which may take a while and holds nobody up."""
        with self._card.lock:
            if change != self._changes or not self._card.is_open:
                return
            args = self.form.read()
            if args is None:
                self._show_problem("", change)
                return
        problem = self._question.check(args)
        if problem:
            self._show_problem(self.form.place(args, problem), change)
            return
        again = self._question.again
        shown = again(args) if again else None
        drawn = draw_preview(self._question, args, shown)
        with self._card.lock:
            if change == self._changes and self._card.is_open:
                self.problem.value = ""
                tone = "danger" if (shown or self._question).destructive else "primary"
                self.proof.show(drawn, "Run exactly this", tone, lambda: self._press(Edit(args), change))

    def _show_problem(self, words: str, change: int) -> None:
        with self._card.lock:
            if change == self._changes:
                self.proof.close()
                self.problem.value = status_line("cw-warning", words) if words else ""

    def _press(self, edit: Edit, change: int) -> None:
        """A text that was typed before the click, and comes after it, is drawn instead of being left out."""
        self._card.later(lambda: self._answer(edit) if change == self._changes else None)

    def disable(self) -> None:
        """Nothing in it can be pressed or changed any more."""
        self._changes += 1
        self.form.disable()
        self.proof.close()
