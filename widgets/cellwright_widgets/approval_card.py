"""The card that asks a person, made of plain ipywidgets: it works wherever those do.

A click arrives late, twice, from another thread, or on a card that an earlier kernel left on the page. So a card
decides once: the first decision counts, later ones are ignored, and a closed card decides nothing. The rule that must
never break: an answer is given by a person's click on this very card, while its call is waiting; a text that they typed
counts only as it was read back to them.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import ipywidgets

from cellwright.approval import Allow, Answer, Deny, Edit, Question
from cellwright.arguments import ArgumentsError, parse_json
from cellwright.messages import JsonObject
from cellwright.views import pretty
from cellwright_widgets.brush import APPROVAL
from cellwright_widgets.code_view import code_rows
from cellwright_widgets.grant_choice import GrantChoice
from cellwright_widgets.inputs import TextBox, Tick
from cellwright_widgets.kernel_facts import kernel
from cellwright_widgets.node import element, to_html
from cellwright_widgets.question_view import draw_question, empty_arguments, question_line, verdict
from cellwright_widgets.read_back import ReadBack
from cellwright_widgets.style import style

HIDDEN = {"display": "none"}
TEXT_GRACE = 0.25
"""Seconds from the click that asks for a text to the reading of the text. What comes later is read back anew."""


class ApprovalCard:
    """Asks one question. `answer` is called once, with the decision, in whatever thread the click came.

    `widget` is what to show; the buttons are attributes, so that a test or a lesson can press them by `click()`.
    """

    def __init__(self, question: Question, answer: Callable[[Answer], None]) -> None:
        self.id = uuid.uuid4().hex
        """Unique, also across kernels."""
        self.question = question
        self.decision: Answer | None = None
        self.closed = ""
        """Why it no longer waits, if it was closed without a decision."""
        self._answer = answer
        self._lock = threading.RLock()
        with self._lock:  # a click in another thread may come before the last button is made
            self._make(question)

    def _make(self, question: Question) -> None:
        tone = "danger" if question.destructive else "primary"
        self.allow = self._button("Allow once", tone, self._decide_allow)
        self.deny = self._button("Deny", "", lambda: self._decide(Deny()))
        self.deny_with_reason = self._button("Deny with reason", "", lambda: self._open(self.reason_box, self.reason))
        self.edit_arguments = self._button("Edit arguments", "", lambda: self._open(self.edit_box, self.edited))
        self.allow_longer = self._button("Allow for longer", "", lambda: self._open(self.grants.widget))
        self.check_reason = self._button("Continue", "primary", lambda: self._later(self._read_reason_back))
        self.check_edited = self._button("Check", "primary", lambda: self._later(self._read_edited_back))
        self.reason = TextBox(placeholder="The model reads this reason.")
        self.edited = TextBox(pretty(question.args), rows=8)
        self.reason.observe(lambda _: self._guarded(self._reason_came), names="value")
        self.edited.observe(lambda _: self._guarded(self._edited_came), names="value")
        self.grants = GrantChoice(question, self._button, self._decide)
        self.reason_back = ReadBack(self._button, lambda: self._open(self.reason_box, self.reason))
        self.edited_back = ReadBack(self._button, lambda: self._open(self.edit_box, self.edited))
        self.confirm = Tick(description="Allow it although it is empty", indent=False, layout=HIDDEN)
        self.confirm.observe(lambda _: self._guarded(self._show_confirmed), names="value")
        self.problem = ipywidgets.HTML(layout={"margin": "0"})
        self.status = ipywidgets.HTML(layout={"margin": "0"})
        self.reason_box = ipywidgets.VBox([self.reason, self.check_reason], layout=HIDDEN)
        self.edit_box = ipywidgets.VBox([self.edited, self.check_edited, self.problem], layout=HIDDEN)
        self.grants.widget.layout.display = "none"
        self.widget = self._built()
        if empty_arguments(question):
            self.allow.disabled, self.confirm.layout.display = True, ""

    def discard(self) -> None:
        """Takes the card off every page and frees its widgets."""
        self.close("the question is over")
        for widget in _all_widgets(self.widget):
            widget.close()

    @property
    def is_open(self) -> bool:
        """Whether it still waits for a decision."""
        return self.decision is None and not self.closed

    def close(self, reason: str) -> None:
        """Makes the card inert; it says why. Nothing happens if it was decided or closed before."""
        with self._lock:
            if not self.is_open:
                return
            self.closed = f"No longer waiting: {reason}."
        self._settle(self.closed)

    def fallback_html(self) -> str:
        """What a saved page shows in place of the card."""
        return to_html(element("p", "cw-remark", question_line(self.question, self.decision, self.closed)))

    def __repr__(self) -> str:
        return question_line(self.question, self.decision, self.closed)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:  # noqa: ANN401 - IPython's protocol
        return self.widget._repr_mimebundle_(**kwargs)

    def _built(self) -> ipywidgets.VBox:
        heading = ipywidgets.HTML(f"<style>{style()}</style>{to_html(draw_question(self.question))}")
        heading.layout = {"margin": "0", "max_height": "560px", "overflow": "auto"}
        longer = [self.allow_longer] if self.question.offers and not empty_arguments(self.question) else []
        buttons = ipywidgets.HBox(
            [self.allow, *longer, self.deny, self.deny_with_reason, self.edit_arguments],
            layout={"flex_flow": "row wrap"},
        )
        backs = (self.reason_back.widget, self.edited_back.widget)
        below = ipywidgets.VBox(
            [self.confirm, buttons, self.grants.widget, self.reason_box, self.edit_box, *backs, self.status],
            layout={"margin": "4px 12px 10px 12px"},
        )
        card = _Card(self, [heading, below])
        card.add_class("cw-ask")
        return card

    def _button(self, text: str, tone: str, pressed: Callable[[], None]) -> ipywidgets.Button:
        button = ipywidgets.Button(description=text, tooltip=text, button_style=tone, layout={"width": "auto"})
        button.on_click(lambda _: self._guarded(pressed))
        return button

    def _guarded(self, act: Callable[[], None]) -> None:
        """What a handler raises is shown nowhere, so it is caught here and shown on the card."""
        try:
            with self._lock:
                act()
        except Exception as error:
            self.status.value = _line("cw-danger", f"This did not work: {type(error).__name__}: {error}")

    def _decide(self, answer: Answer) -> None:
        with self._lock:
            if not self.is_open:
                return
            self.decision = answer
        self._settle(verdict(answer))
        self._answer(answer)

    def _decide_allow(self) -> None:
        if self.confirm.value or not empty_arguments(self.question):
            self._decide(Allow())

    def _later(self, act: Callable[[], None]) -> None:
        """Acts when the text that was typed last is sure to be here: it may come a moment after the click."""
        if kernel() is None:
            act()
            return
        timer = threading.Timer(TEXT_GRACE, self._guarded, [act])
        timer.daemon = True
        timer.start()

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
        self.problem.value = _line("cw-warning", problem) if problem else ""

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

    def _settle(self, words: str) -> None:
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
        self.status.value = _line("cw-verdict", words)


def _all_widgets(widget: ipywidgets.Widget) -> Iterator[ipywidgets.Widget]:
    for child in getattr(widget, "children", ()):
        yield from _all_widgets(child)
    yield from (part for name in ("layout", "style") if (part := getattr(widget, name, None)) is not None)
    yield widget


class _Card(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """A box with a fallback for pages without widgets: which tool was asked about, and that it is over."""

    def __init__(self, card: ApprovalCard, children: list[ipywidgets.Widget]) -> None:
        self._card = card
        super().__init__(children)

    def __repr__(self) -> str:
        return repr(self._card)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:  # noqa: ANN401 - IPython's protocol
        data = super()._repr_mimebundle_(**kwargs)
        return {**data, "text/plain": repr(self._card), "text/html": self._card.fallback_html()}


def _line(cls: str, words: str) -> str:
    return to_html(element("div", "cw cw-below", element("span", cls, words)))
