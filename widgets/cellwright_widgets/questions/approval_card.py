"""The card that asks a person, made of plain ipywidgets: it works wherever those do.

A click arrives late, twice, from another thread, or on a card that an earlier kernel left on the page. So a card
decides once: the first decision counts, later ones are ignored, and a closed card decides nothing. The rule that must
never break: an answer is given by a person's click on this very card, while its call is waiting; a text that they typed
counts only as it was read back to them.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence

import ipywidgets

from cellwright.person.approval import Allow, Answer, Deny
from cellwright.person.question import Question, empty_arguments
from cellwright_widgets.drawing.brush import APPROVAL
from cellwright_widgets.drawing.node import element, to_html
from cellwright_widgets.live.inputs import TextBox, Tick
from cellwright_widgets.questions.card import HIDDEN, OPENED, OPENS, Card
from cellwright_widgets.questions.edit_box import EditBox
from cellwright_widgets.questions.grant_choice import GrantChoice
from cellwright_widgets.questions.operation_choice import OperationChoice
from cellwright_widgets.questions.question_view import draw_question, question_line, verdict
from cellwright_widgets.questions.read_back import ReadBack
from cellwright_widgets.questions.turn_choice import TurnChoice

ASIDE = "cw-aside"
"""The class of buttons that are out of sight: while arguments are changed, none is there for those that were shown."""


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
        self.allow_longer = self.button("Allow…", "", lambda: self._toggle(self.allow_longer))
        self.allow_these = self.button("", "", lambda: self._toggle(self.allow_these))
        self.allow_some = self.button("Allow some…", "", lambda: self._toggle(self.allow_some))
        self.deny = self.button("Deny", "", lambda: self._decide(Deny()))
        self.deny_with_reason = self.button("Deny with reason", "", lambda: self._toggle(self.deny_with_reason))
        self.edit_arguments = self.button("Edit arguments", "", lambda: self._toggle(self.edit_arguments))
        self.check_reason = self.button("Continue", "primary", lambda: self.later(self._read_reason_back))
        self.reason = TextBox(placeholder="The model reads this reason.")
        self.reason.observe(lambda _: self.guarded(self._reason_came), names="value")
        reason_buttons = ipywidgets.HBox([self.check_reason, self.back_button("Back", self.back)])
        self.reason_box = ipywidgets.VBox([self.reason, reason_buttons], layout=HIDDEN)
        self.reason_back = ReadBack(self.button, self.button("Change it", "", self._reason_again))
        self.grants = GrantChoice(question, self.button, self.back_button("Back", self.back), self._decide)
        self.grants.widget.layout.display = "none"
        self.edit = EditBox(self, question, self.back, self._decide)
        self.choice = OperationChoice(self, question, self.back, self._decide)
        self.turn = TurnChoice(question, self.button, self.back_button("Back", self.back), self._decide)
        self.waiting = ipywidgets.HTML(layout={"margin": "0 2px"})
        self.confirm = Tick(description="Allow it although it is empty", indent=False, layout=HIDDEN)
        self.confirm.observe(lambda _: self.guarded(self._show_confirmed), names="value")
        self.allow_these.layout.display = "none"
        self._allowing = (self.allow, self.allow_longer, self.allow_these, self.allow_some)
        for opener, _, _ in self._parts():
            opener.add_class(OPENS)
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

    def tell_waiting(self, waiting: Sequence[Question]) -> None:
        """Says which calls of the turn wait behind this one, and offers to allow them together."""
        with self.lock:
            if self.is_open and self.turn.tell(waiting):
                said = element("div", "cw cw-below", element("p", "cw-why", self.turn.remark))
                self.waiting.value = to_html(said) if self.turn.remark else ""
                self.allow_these.description = self.allow_these.tooltip = self.turn.title
                self.allow_these.layout.display = "" if self.turn.listed else "none"

    def back(self) -> None:
        """Closes what was opened on the card beside its question."""
        for back in (self.reason_back, self.turn):
            back.close()
        for opener, box, _ in self._parts():
            box.layout.display = "none"
            opener.remove_class(OPENED)
        for button in self._allowing:
            button.remove_class(ASIDE)

    def _parts(self) -> tuple[tuple[ipywidgets.Button, ipywidgets.VBox, Callable[[], None]], ...]:
        """What can be opened: the button that does it, the part, and what is done then."""
        return (
            (self.allow_longer, self.grants.widget, lambda: None),
            (self.allow_these, self.turn.widget, self.turn.show),
            (self.allow_some, self.choice.widget, self.choice.show),
            (self.deny_with_reason, self.reason_box, self.reason.focus),
            (self.edit_arguments, self.edit.widget, self.edit.form.focus),
        )

    def _built(self) -> ipywidgets.VBox:
        longer = [self.allow_longer] if self.question.offers and not empty_arguments(self.question) else []
        some = [self.allow_some] if self.question.only else []
        buttons = ipywidgets.HBox(
            [self.allow, *some, *longer, self.allow_these, self.deny, self.deny_with_reason, self.edit_arguments],
            layout={"flex_flow": "row wrap"},
        )
        buttons.add_class("cw-answers")
        opened = (
            self.choice.widget,
            self.grants.widget,
            self.turn.widget,
            self.reason_box,
            self.reason_back.widget,
            self.edit.widget,
        )
        return self.box(to_html(draw_question(self.question)), "560px", (self.waiting, self.confirm, buttons, *opened))

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

    def _reason_came(self) -> None:
        """A text that comes after it was read back is read back in its place."""
        if self.reason_back.is_open:
            self._read_reason_back()

    def _reason_again(self) -> None:
        """Back from the text that was read back to the box where it is written."""
        if self.is_open:
            self.reason_back.close()
            self.reason_box.layout.display = ""
            self.reason.focus()

    def _show_confirmed(self) -> None:
        self.allow.disabled = not (self.confirm.value and self.is_open)

    def _toggle(self, pressed: ipywidgets.Button) -> None:
        """Opens a part of the card, or closes it; the cursor goes into its text."""
        if not self.is_open:
            return
        was_open = OPENED in pressed._dom_classes
        self.back()
        if was_open:
            return
        for opener, box, begin in self._parts():
            if opener is pressed:
                box.layout.display = ""
                opener.add_class(OPENED)
                begin()
        if pressed in (self.edit_arguments, self.allow_some):
            for button in self._allowing:
                button.add_class(ASIDE)

    def settle(self, words: str) -> None:
        """Nothing on the card can be pressed any more, and it says what became of it."""
        self.back()
        for control in (
            *(self.allow, self.allow_some, self.allow_longer, self.allow_these, self.deny, self.deny_with_reason),
            *(self.edit_arguments, self.check_reason, self.reason, self.confirm),
        ):
            control.disabled = True
        self.grants.disable()
        self.edit.disable()
        self.choice.disable()
        self.confirm.layout.display = "none"
        self.waiting.value = ""
        super().settle(words)
