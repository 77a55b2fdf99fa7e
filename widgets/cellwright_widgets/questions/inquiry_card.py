"""The card that puts a question of a tool to the person, made of plain ipywidgets, as the approval card is.

Of a question with one answer each choice is a button, which answers; of one with several they are ticked. Own words are
always taken. The rule that must never break: the answer is what stood beside the button that was pressed; words and
ticks, which can come late, count only as they were read back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import ipywidgets

from cellwright.views.inquiry import Inquiry, NoReply, Reply, inquiry_text
from cellwright_widgets.drawing.brush import APPROVAL
from cellwright_widgets.drawing.inquiry_view import draw_asked, draw_choice
from cellwright_widgets.drawing.node import Node, element, to_html
from cellwright_widgets.live.inputs import TextBox, Tick
from cellwright_widgets.questions.card import HIDDEN, OPENED, OPENS, Card, status_line
from cellwright_widgets.questions.read_back import ReadBack

ON_BUTTON = 48
"""Characters of a choice that stand on its button; a longer one stands whole beside it."""

Said = Reply | NoReply


class InquiryCard(Card):
    """Puts one question. `answer` is called once, with what was said, in whatever thread the click came.

    `widget` is what to show; the buttons are attributes, so that a test or a lesson can press them by `click()`.
    """

    def __init__(self, inquiry: Inquiry, answer: Callable[[Said], None]) -> None:
        super().__init__()
        self.inquiry = inquiry
        self.said: Said | None = None
        self._answer = answer
        self._writes = False
        """Whether the box for own words is open; what is in it counts only then."""
        with self.lock:
            self._make(inquiry)

    def _make(self, inquiry: Inquiry) -> None:
        several = inquiry.multiple
        self.choices = [] if several else [self._choice_button(label) for label in inquiry.labels]
        self.ticks = [self._tick(label) for label in inquiry.labels] if several else []
        self.answer_chosen = self.button("Answer", "primary", lambda: self.later(self._read_back))
        self.own_words = self.button("Answer in own words", "", self._toggle_words)
        self.own_words.add_class(OPENS)
        self.skip = self.button("No answer", "", lambda: self._say(NoReply("the person gave no answer", True)))
        self.words = TextBox(placeholder="The model reads these words.")
        self.words.observe(lambda _: self.guarded(self._words_came), names="value")
        self.check_words = self.button("Continue", "primary", lambda: self.later(self._read_back))
        self.leave_words = self.back_button("Back", self._toggle_words)
        below = ipywidgets.HBox([self.check_words, self.leave_words])
        self.words_box = ipywidgets.VBox([self.words, below], layout=HIDDEN)
        self.back = ReadBack(self.button, self.button("Change it", "", self._go_on))
        if not several:
            self.answer_chosen.layout.display = "none"
        self.widget = self._built()
        if not inquiry.choices:
            self.own_words.layout.display = self.leave_words.layout.display = "none"
            self._writes = True
            self._go_on()

    @property
    def is_open(self) -> bool:
        """Whether it still waits for an answer."""
        return self.said is None and not self.closed

    @property
    def line(self) -> str:
        """The question and what became of it, for readers who see no widgets."""
        first = inquiry_text(self.inquiry).partition("\n")[0]
        return f"{first} {self.closed or ('You answered.' if self.said else 'This card is no longer active.')}"

    def _built(self) -> ipywidgets.VBox:
        title = element("p", "cw-ask-title", "The model asks you")
        asked = element("div", "cw cw-question", title, *draw_asked(self.inquiry, APPROVAL))
        controls = self.ticks or self.choices
        rows = [self._row(control, *choice) for control, choice in zip(controls, self.inquiry.choices, strict=True)]
        buttons = ipywidgets.HBox([self.answer_chosen, self.own_words, self.skip])
        buttons.layout = {"flex_flow": "row wrap", "margin": "8px 0 0 0"}
        return self.box(to_html(asked), "480px", (*rows, buttons, self.words_box, self.back.widget))

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
        return self.button(APPROVAL.mark(short), "primary", lambda: self._say(Reply((label,))))

    def _tick(self, label: str) -> Tick:
        tick = Tick(description="", indent=False, layout={"width": "auto"}, tooltip=APPROVAL.mark(label))
        tick.observe(lambda _: self.guarded(self._words_came), names="value")
        return tick

    def _say(self, said: Said) -> None:
        with self.lock:
            if not self.is_open:
                return
            self.said = said
        self.settle("You gave no answer." if isinstance(said, NoReply) else "You answered.")
        self._answer(said)

    def _received(self) -> Reply:
        chosen = tuple(label for label, tick in zip(self.inquiry.labels, self.ticks, strict=False) if tick.value)
        return Reply(chosen, self.words.value.strip() if self._writes else "")

    def _read_back(self) -> None:
        if not self.is_open:
            return
        reply = self._received()
        if not self.inquiry.fits(reply):
            self.status.value = status_line("cw-warning", "Nothing is chosen and nothing written yet.")
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

    def _toggle_words(self) -> None:
        """Opens the box for own words; or closes it, and the answer is among the choices again."""
        if not self.is_open:
            return
        self._writes = not self._writes
        if self._writes:
            self.own_words.add_class(OPENED)
        else:
            self.own_words.remove_class(OPENED)
            self.words_box.layout.display = "none"
        self._go_on()

    def _go_on(self) -> None:
        """Takes back what was read back; the cursor goes into the text, so that typing is not taken for shortcuts."""
        self.back.close()
        if self._writes and self.is_open:
            self.words_box.layout.display = ""
            self.words.focus()

    def settle(self, words: str) -> None:
        """Nothing on the card can be pressed any more, and it says what became of it."""
        controls: Sequence[ipywidgets.Widget] = (*self.choices, *self.ticks, self.answer_chosen, self.own_words)
        for control in (*controls, self.skip, self.words, self.check_words):
            control.disabled = True
        self.back.close()
        self.words_box.layout.display = "none"
        super().settle(words)


def _html(cls: str, *nodes: Node) -> ipywidgets.HTML:
    return ipywidgets.HTML(to_html(element("div", cls, *nodes)), layout={"margin": "0"})
