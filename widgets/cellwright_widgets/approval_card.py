"""The card that asks a person, made of plain ipywidgets: it works wherever those do.

A click arrives late, twice, from another thread, or on a card that an earlier kernel left on the page. So a card
decides once: the first decision counts, later ones are ignored, and a closed card decides nothing. The rule that must
never break: an answer is given by a person's click on this very card, while its call is waiting; a text that they typed
counts only as it was read back to them.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable

import ipywidgets

from cellwright.approval import Allow, Answer, Deny, Edit
from cellwright.arguments import ArgumentsError, parse_json
from cellwright.messages import JsonObject
from cellwright.question import Question
from cellwright.views import pretty
from cellwright_widgets.brush import APPROVAL
from cellwright_widgets.card import HIDDEN, Card, status_line
from cellwright_widgets.code_view import code_rows
from cellwright_widgets.grant_choice import GrantChoice
from cellwright_widgets.inputs import TextBox, Tick
from cellwright_widgets.node import element, to_html
from cellwright_widgets.question_view import draw_question, empty_arguments, question_line, verdict
from cellwright_widgets.read_back import ReadBack


class ApprovalCard(Card):
    """Asks one question. `answer` is called once, with the decision, in whatever thread the click came.

    `widget` is what to show; the buttons are attributes, so that a test or a lesson can press them by `click()`.
    """

    def __init__(self, question: Question, answer: Callable[[Answer], None]) -> None:
        super().__init__()
        self.id = uuid.uuid4().hex
        """Unique, also across kernels."""
        self.question = question
        self.decision: Answer | None = None
        self._answer = answer
        with self.lock:
            self._make(question)

    def _make(self, question: Question) -> None:
        tone = "danger" if question.destructive else "primary"
        self.allow = self.button("Allow once", tone, self._decide_allow)
        self.deny = self.button("Deny", "", lambda: self._decide(Deny()))
        self.deny_with_reason = self.button("Deny with reason", "", lambda: self._open(self.reason_box, self.reason))
        self.edit_arguments = self.button("Edit arguments", "", lambda: self._open(self.edit_box, self.edited))
        self.allow_longer = self.button("Allow for longer", "", lambda: self._open(self.grants.widget))
        self.check_reason = self.button("Continue", "primary", lambda: self.later(self._read_reason_back))
        self.check_edited = self.button("Check", "primary", lambda: self.later(self._read_edited_back))
        self.reason = TextBox(placeholder="The model reads this reason.")
        self.edited = TextBox(pretty(question.args), rows=8)
        self.reason.observe(lambda _: self.guarded(self._reason_came), names="value")
        self.edited.observe(lambda _: self.guarded(self._edited_came), names="value")
        self.grants = GrantChoice(question, self.button, self._decide)
        self.reason_back = ReadBack(self.button, lambda: self._open(self.reason_box, self.reason))
        self.edited_back = ReadBack(self.button, lambda: self._open(self.edit_box, self.edited))
        self.confirm = Tick(description="Allow it although it is empty", indent=False, layout=HIDDEN)
        self.confirm.observe(lambda _: self.guarded(self._show_confirmed), names="value")
        self.problem = ipywidgets.HTML(layout={"margin": "0"})
        self.reason_box = ipywidgets.VBox([self.reason, self.check_reason], layout=HIDDEN)
        self.edit_box = ipywidgets.VBox([self.edited, self.check_edited, self.problem], layout=HIDDEN)
        self.grants.widget.layout.display = "none"
        self.widget = self._built()
        if empty_arguments(question):
            self.allow.disabled, self.confirm.layout.display = True, ""

    @property
    def is_open(self) -> bool:
        """Whether it still waits for a decision."""
        return self.decision is None and not self.closed

    @property
    def line(self) -> str:
        """The question and what became of it, for readers who see no widgets."""
        return question_line(self.question, self.decision, self.closed)

    def _built(self) -> ipywidgets.VBox:
        longer = [self.allow_longer] if self.question.offers and not empty_arguments(self.question) else []
        buttons = ipywidgets.HBox(
            [self.allow, *longer, self.deny, self.deny_with_reason, self.edit_arguments],
            layout={"flex_flow": "row wrap"},
        )
        backs = (self.reason_back.widget, self.edited_back.widget)
        below = (self.confirm, buttons, self.grants.widget, self.reason_box, self.edit_box, *backs)
        return self.box(to_html(draw_question(self.question)), "560px", below)

    def _decide(self, answer: Answer) -> None:
        with self.lock:
            if not self.is_open:
                return
            self.decision = answer
        self.settle(verdict(answer))
        self._answer(answer)

    def _decide_allow(self) -> None:
        if self.confirm.value or not empty_arguments(self.question):
            self._decide(Allow())

    def _read_reason_back(self) -> None:
        if not self.is_open:
            return
        reason = self.reason.value.strip()
        said = APPROVAL.mark(reason) if reason else "(no reason came)"
        shown = element("div", "cw-grant-title", "The model will read:", element("div", "cw-value", said))
        self.reason_box.layout.display = "none"
        self.reason_back.show(shown, "Send this denial", "primary", lambda: self._decide(Deny(reason)))

    def _read_edited_back(self) -> None:
        args, problem = self._read_edited()
        if args is None or problem or not self.is_open:
            self._show_problem()
            return
        tone, rows = "danger" if self.question.destructive else "primary", code_rows(pretty(args), "json", APPROVAL)
        shown = element("div", "cw-grant-title", "These arguments would run:", element("div", "cw-value", *rows))
        self.edit_box.layout.display = "none"
        self.edited_back.show(shown, "Run exactly this", tone, lambda: self._decide(Edit(args)))

    def _reason_came(self) -> None:
        """A text that comes after it was read back is read back in its place."""
        if self.reason_back.is_open:
            self._read_reason_back()

    def _edited_came(self) -> None:
        self._show_problem()
        if self.edited_back.is_open:
            self.edited_back.close()
            self.edit_box.layout.display = ""
            self._read_edited_back()

    def _read_edited(self) -> tuple[JsonObject | None, str]:
        try:
            args = parse_json(self.edited.value)
        except ArgumentsError as error:
            return None, str(error)
        if not isinstance(args, dict):
            return None, "arguments must be a JSON object"
        return args, self.question.check(args) or ""

    def _show_problem(self) -> None:
        _, problem = self._read_edited()
        self.problem.value = status_line("cw-warning", problem) if problem else ""

    def _show_confirmed(self) -> None:
        self.allow.disabled = not (self.confirm.value and self.is_open)

    def _open(self, box: ipywidgets.VBox, text: TextBox | None = None) -> None:
        """Opens a box, or closes it; the cursor goes into its text, so that typing is not taken for shortcuts."""
        if not self.is_open:
            return
        for back in (self.reason_back, self.edited_back):
            back.close()
        for each in (self.reason_box, self.edit_box, self.grants.widget):
            each.layout.display = "" if each is box and each.layout.display == "none" else "none"
        if box.layout.display == "" and text is not None:
            text.focus()

    def settle(self, words: str) -> None:
        """Nothing on the card can be pressed any more, and it says what became of it."""
        for control in (
            *(self.allow, self.allow_longer, self.deny, self.deny_with_reason, self.edit_arguments),
            *(self.check_reason, self.check_edited, self.reason, self.edited, self.confirm),
        ):
            control.disabled = True
        self.grants.disable()
        for back in (self.reason_back, self.edited_back):
            back.close()
        for box in (self.grants.widget, self.reason_box, self.edit_box, self.confirm):
            box.layout.display = "none"
        super().settle(words)
