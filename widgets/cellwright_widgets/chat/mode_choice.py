"""The choice of a mode, and the door to mode bypass, which takes two sentences.

The rule that must never break: choosing bypass changes nothing until both sentences were typed word for word; the
choice then falls back to the mode that holds.
"""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets

from cellwright.permission.bypass import FIRST, SECOND, BypassConsent
from cellwright.permission.decision import MODES, Mode
from cellwright_widgets.drawing.node import Element, element, to_html
from cellwright_widgets.live.inputs import Choice, TextBox
from cellwright_widgets.questions.card import HIDDEN

MEANINGS: dict[Mode, str] = {
    "default": "ask before changes",
    "plan": "plan: read only",
    "accept_edits": "accept edits",
    "dont_ask": "don't ask: deny",
    "bypass": "bypass…",
}
Switch = Callable[[Mode, BypassConsent | None], None]


class ModeChoice:
    """`choice` stands with the other controls, `door` is shown where mode bypass is entered. `act` contains what a
    handler does, `switch` makes the change."""

    def __init__(self, mode: Mode, act: Callable[[Callable[[], None]], None], switch: Switch) -> None:
        self._act, self._switch = act, switch
        self.choice = Choice([MEANINGS[each] for each in MODES], MODES.index(mode), "Mode: how much runs unasked")
        self.choice.observe(lambda _: act(self._chosen), names="value")
        self.mode = mode
        """The mode that holds."""
        sentences = (FIRST, SECOND)
        self.texts = [TextBox(placeholder=each, rows=1, named=f"Type: {each}", as_typed=True) for each in sentences]
        self.enter = ipywidgets.Button(description="Enter mode bypass", button_style="danger", layout={"width": "auto"})
        self.leave = ipywidgets.Button(description="Stay", layout={"width": "auto"})
        self.enter.on_click(lambda _: act(self._enter))
        self.leave.on_click(lambda _: act(lambda: self.show(self.mode)))
        buttons = ipywidgets.HBox([self.enter, self.leave])
        self.door = ipywidgets.VBox([ipywidgets.HTML(to_html(_warning())), *self.texts, buttons], layout=HIDDEN)
        self.door.add_class("cw-chat-part")

    def show(self, mode: Mode) -> None:
        """This mode holds now; the door is shut, and what was typed there is gone."""
        self.mode = mode
        self.door.layout.display = "none"
        for text in self.texts:
            text.value = ""
        self.choice.value = MODES.index(mode)

    def _chosen(self) -> None:
        mode = MODES[self.choice.value]
        if mode == self.mode:
            self.door.layout.display = "none"
        elif mode == "bypass":
            self.door.layout.display = ""
        else:
            self._switch(mode, None)
            self.show(mode)

    def _enter(self) -> None:
        first, second = (text.value.strip() for text in self.texts)
        self._switch("bypass", BypassConsent(first, second))
        self.show("bypass")


def _warning() -> Element:
    return element(
        "div",
        "cw cw-below",
        element("p", "cw-danger", "Mode bypass asks nothing: all runs that no guard and no deny rule stops."),
        element("p", "cw-why", f"To enter it, type both sentences: “{FIRST}” and “{SECOND}”."),
    )
