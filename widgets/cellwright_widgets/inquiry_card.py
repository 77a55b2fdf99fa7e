"""The card that puts a question of a tool to the person, made of plain ipywidgets, as the approval card is.

Of a question with one answer each choice is a button, which answers; of one with several they are ticked. Own words are
always taken. The rule that must never break: the answer is what stood beside the button that was pressed; words and
ticks, which can come late, count only as they were read back.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets

from cellwright.inquiry import Inquiry, NoReply, Reply, inquiry_text
from cellwright_widgets.brush import APPROVAL
from cellwright_widgets.inputs import TextBox, Tick
from cellwright_widgets.inquiry_view import draw_asked, draw_choice
from cellwright_widgets.kernel_facts import kernel
from cellwright_widgets.node import Node, element, to_html
from cellwright_widgets.read_back import ReadBack
from cellwright_widgets.style import style

HIDDEN = {"display": "none"}
TEXT_GRACE = 0.25
"""Seconds from the click that asks for a text to the reading of the text. What comes later is read back anew."""
ON_BUTTON = 48
"""Characters of a choice that stand on its button; a longer one stands whole beside it."""

Said = Reply | NoReply


class InquiryCard:
    """Puts one question. `answer` is called once, with what was said, in whatever thread the click came.

    `widget` is what to show; the buttons are attributes, so that a test or a lesson can press them by `click()`.
    """

    def __init__(self, inquiry: Inquiry, answer: Callable[[Said], None]) -> None:
        self.inquiry = inquiry
        self.said: Said | None = None
        self.closed = ""
        """Why it no longer waits, if it was closed without an answer."""
        self._answer = answer
        self._lock = threading.RLock()
        self._writes = False
        """Whether the box for own words was opened."""
        with self._lock:  # a click in another thread may come before the last button is made
            self._make(inquiry)

    def _make(self, inquiry: Inquiry) -> None:
        several = inquiry.multiple
        self.choices = [] if several else [self._choice_button(label) for label in inquiry.labels]
        self.ticks = [self._tick(label) for label in inquiry.labels] if several else []
        self.answer_chosen = self._button("Answer", "primary", lambda: self._later(self._read_back))
        self.own_words = self._button("Answer in own words", "", self._open_words)
        self.skip = self._button("No answer", "", lambda: self._say(NoReply("the person gave no answer", True)))
        self.words = TextBox(placeholder="The model reads these words.")
        self.words.observe(lambda _: self._guarded(self._words_came), names="value")
        self.check_words = self._button("Continue", "primary", lambda: self._later(self._read_back))
        self.words_box = ipywidgets.VBox([self.words, self.check_words], layout=HIDDEN)
        self.back = ReadBack(self._button, self._go_on)
        self.status = ipywidgets.HTML(layout={"margin": "0"})
        if not several:
            self.answer_chosen.layout.display = "none"
        self.widget = self._built()
        if not inquiry.choices:
            self._open_words()

    @property
    def is_open(self) -> bool:
        """Whether it still waits for an answer."""
        return self.said is None and not self.closed

    def close(self, reason: str) -> None:
        """Makes the card inert; it says why. Nothing happens if it was answered or closed before."""
        with self._lock:
            if not self.is_open:
                return
            self.closed = f"No longer waiting: {reason}."
        self._settle(self.closed)

    def discard(self) -> None:
        """Takes the card off every page and frees its widgets."""
        self.close("the question is over")
        discard(self.widget)

    def fallback_html(self) -> str:
        """What a saved page shows in place of the card."""
        return to_html(element("p", "cw-remark", repr(self)))

    def __repr__(self) -> str:
        first = inquiry_text(self.inquiry).partition("\n")[0]
        return f"{first} {self.closed or ('You answered.' if self.said else 'This card is no longer active.')}"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:  # noqa: ANN401 - IPython's protocol
        return self.widget._repr_mimebundle_(**kwargs)

    def _built(self) -> ipywidgets.VBox:
        title = element("p", "cw-ask-title", "The model asks you")
        asked = element("div", "cw cw-question", title, *draw_asked(self.inquiry, APPROVAL))
        heading = ipywidgets.HTML(f"<style>{style()}</style>{to_html(asked)}")
        heading.layout = {"margin": "0", "max_height": "480px", "overflow": "auto"}
        controls = self.ticks or self.choices
        rows = [self._row(control, *choice) for control, choice in zip(controls, self.inquiry.choices, strict=True)]
        buttons = ipywidgets.HBox([self.answer_chosen, self.own_words, self.skip], layout={"flex_flow": "row wrap"})
        below = ipywidgets.VBox(
            [*rows, buttons, self.words_box, self.back.widget, self.status], layout={"margin": "0 12px 10px 12px"}
        )
        card = _Card(self, [heading, below])
        card.add_class("cw-ask")
        return card

    def _row(self, control: ipywidgets.Widget, label: str, meaning: str) -> ipywidgets.HBox:
        """A choice: what is pressed or ticked, and beside it what does not stand on it."""
        whole = isinstance(control, ipywidgets.Button) and len(label) <= ON_BUTTON
        beside = [element("span", "cw-choice-meaning", APPROVAL.mark(meaning))] if whole else None
        words = (beside if meaning else []) if whole else draw_choice(label, meaning, APPROVAL)
        html = _html("cw cw-below cw-choice", *(words or []))
        html.layout = {"flex": "1 1 240px", "margin": "0"}
        row = ipywidgets.HBox([control, html], layout={"flex_flow": "row wrap", "align_items": "center"})
        row.add_class("cw-choice-row")
        return row

    def _choice_button(self, label: str) -> ipywidgets.Button:
        short = label if len(label) <= ON_BUTTON else label[: ON_BUTTON - 1] + "…"
        return self._button(APPROVAL.mark(short), "primary", lambda: self._say(Reply((label,))))

    def _tick(self, label: str) -> Tick:
        tick = Tick(description="", indent=False, layout={"width": "auto"}, tooltip=APPROVAL.mark(label))
        tick.observe(lambda _: self._guarded(self._words_came), names="value")
        return tick

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

    def _say(self, said: Said) -> None:
        with self._lock:
            if not self.is_open:
                return
            self.said = said
        self._settle("You gave no answer." if isinstance(said, NoReply) else "You answered.")
        self._answer(said)

    def _later(self, act: Callable[[], None]) -> None:
        """Acts when what was typed or ticked last is sure to be here: it may come a moment after the click."""
        if kernel() is None:
            act()
            return
        timer = threading.Timer(TEXT_GRACE, self._guarded, [act])
        timer.daemon = True
        timer.start()

    def _received(self) -> Reply:
        chosen = tuple(label for label, tick in zip(self.inquiry.labels, self.ticks, strict=False) if tick.value)
        return Reply(chosen, self.words.value.strip() if self._writes else "")

    def _read_back(self) -> None:
        if not self.is_open:
            return
        reply = self._received()
        if not self.inquiry.fits(reply):
            self.status.value = _line("cw-warning", "Nothing is chosen and nothing written yet.")
            return
        self.status.value, self.words_box.layout.display = "", "none"
        said = [*(f"✓ {label}" for label in reply.chosen), *([reply.text] if reply.text else [])]
        rows: list[Node] = [element("div", "cw-value", APPROVAL.mark(text)) for text in said]
        shown = element("div", "cw-grant-title", "The model will read:", *rows)
        self.back.show(shown, "Send this answer", "primary", lambda: self._say(reply))

    def _words_came(self) -> None:
        """What comes after it was read back is read back in its place."""
        if self.back.is_open:
            self._read_back()

    def _open_words(self) -> None:
        if not self.is_open:
            return
        self._writes = True
        self._go_on()

    def _go_on(self) -> None:
        """Takes back what was read back; the cursor goes into the text, so that typing is not taken for shortcuts."""
        self.back.close()
        if self._writes and self.is_open:
            self.words_box.layout.display = ""
            self.words.focus()

    def _settle(self, words: str) -> None:
        """Nothing on the card can be pressed any more, and it says what became of it."""
        controls: Sequence[ipywidgets.Widget] = (*self.choices, *self.ticks, self.answer_chosen, self.own_words)
        for control in (*controls, self.skip, self.words, self.check_words):
            control.disabled = True
        self.back.close()
        self.words_box.layout.display = "none"
        self.status.value = _line("cw-verdict", words)


def discard(widget: ipywidgets.Widget) -> None:
    """Frees a widget and all that are in it."""
    for child in getattr(widget, "children", ()):
        discard(child)
    for part in (getattr(widget, name, None) for name in ("layout", "style")):
        if part is not None:
            part.close()
    widget.close()


class _Card(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """A box with a fallback for pages without widgets: what was asked, and that it is over."""

    def __init__(self, card: InquiryCard, children: list[ipywidgets.Widget]) -> None:
        self._card = card
        super().__init__(children)

    def __repr__(self) -> str:
        return repr(self._card)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:  # noqa: ANN401 - IPython's protocol
        data = super()._repr_mimebundle_(**kwargs)
        return {**data, "text/plain": repr(self._card), "text/html": self._card.fallback_html()}


def _html(cls: str, *nodes: Node) -> ipywidgets.HTML:
    return ipywidgets.HTML(to_html(element("div", cls, *nodes)), layout={"margin": "0"})


def _line(cls: str, words: str) -> str:
    return to_html(element("div", "cw cw-below", element("span", cls, words)))
