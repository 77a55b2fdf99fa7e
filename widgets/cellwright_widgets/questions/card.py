"""What every card has that asks a person something: it is answered once, can be closed, and goes without a trace.

A click arrives late, twice, from another thread, or on a card that an earlier kernel left on the page. So there is one
lock, a handler never raises, and what was typed is waited for. The rule that must never break: a card that is closed or
answered does nothing any more.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets

from cellwright_widgets.drawing.node import element, to_html
from cellwright_widgets.drawing.style import AS_IT_IS, card_style
from cellwright_widgets.live.inputs import free
from cellwright_widgets.live.kernel_facts import kernel

HIDDEN = {"display": "none"}
OPENS = "cw-opens"
"""The class of a button that opens a part of the card, and closes it."""
OPENED = "cw-opened"
"""The class of the one whose part is open."""
TEXT_GRACE = 0.25
"""Seconds from the click that asks for a text to the reading of the text. What comes later is read back anew."""


class Card:
    """A card. One of a kind makes its controls and says what it is about and what settles it."""

    widget: ipywidgets.VBox
    """What to show."""

    def __init__(self) -> None:
        self.closed = ""
        """Why it no longer waits, if it was closed without an answer."""
        self.status = ipywidgets.HTML(layout={"margin": "0"})
        self.lock = threading.RLock()
        """Held while it is made and while a handler acts: a click in another thread may come before the last button."""

    @property
    def is_open(self) -> bool:
        """Whether it still waits for an answer."""
        return not self.closed

    @property
    def line(self) -> str:
        """The question and what became of it, for readers who see no widgets."""
        return self.closed

    def settle(self, words: str) -> None:
        """Nothing on the card can be pressed any more, and it says what became of it."""
        self.status.value = status_line("cw-verdict", words)

    def close(self, reason: str) -> None:
        """Makes the card inert; it says why. Nothing happens if it was answered or closed before."""
        with self.lock:
            if not self.is_open:
                return
            self.closed = f"No longer waiting: {reason}."
        self.settle(self.closed)

    def discard(self) -> None:
        """Takes the card off every page and frees its widgets."""
        self.close("the question is over")
        free(self.widget)

    def fallback_html(self) -> str:
        """What a saved page shows in place of the card."""
        return to_html(element("p", f"cw-remark {AS_IT_IS}", self.line))

    def button(self, text: str, tone: str, pressed: Callable[[], None]) -> ipywidgets.Button:
        """A button of the card."""
        made = ipywidgets.Button(description=text, tooltip=text, button_style=tone, layout={"width": "auto"})
        made.on_click(lambda _: self.guarded(pressed))
        return made

    def back_button(self, text: str, back: Callable[[], None]) -> ipywidgets.Button:
        """A button that closes what was opened on the card; a page does the same at Escape."""
        made = self.button(text, "", back)
        made.tooltip = f"{text} (Escape)"
        made.add_class("cw-back")
        return made

    def guarded(self, act: Callable[[], None]) -> None:
        """What a handler raises is shown nowhere, so it is caught here and shown on the card."""
        with self.lock:
            self._contained(act)

    def _contained(self, act: Callable[[], None]) -> None:
        try:
            act()
        except Exception as error:
            self.status.value = status_line("cw-danger", f"This did not work: {type(error).__name__}: {error}")

    def aside(self, act: Callable[[], None]) -> None:
        """Acts a moment later in a thread, where it may take a while: it holds up neither the kernel nor a click."""
        if kernel() is None:
            self._contained(act)
            return
        timer = threading.Timer(TEXT_GRACE, self._contained, [act])
        timer.daemon = True
        timer.start()

    def later(self, act: Callable[[], None]) -> None:
        """Acts when the text that was typed last is sure to be here: it may come a moment after the click."""
        if kernel() is None:
            act()
            return
        timer = threading.Timer(TEXT_GRACE, self.guarded, [act])
        timer.daemon = True
        timer.start()

    def box(self, drawn: str, height: str, below: Sequence[ipywidgets.Widget]) -> ipywidgets.VBox:
        """The card as a whole: what was drawn, and its controls below."""
        heading = ipywidgets.HTML(f"<style>{card_style()}</style>{drawn}")
        heading.layout = {"margin": "0", "max_height": height, "overflow": "auto"}
        controls = ipywidgets.VBox([*below, self.status], layout={"margin": "4px 12px 10px 12px"})
        whole = _Box(self, [heading, controls])
        whole.add_class("cw-ask")
        return whole

    def __repr__(self) -> str:
        return self.line

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:  # noqa: ANN401 - IPython's protocol
        return self.widget._repr_mimebundle_(**kwargs)


class _Box(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """A box with a fallback for pages without widgets: what was asked, and that it is over."""

    def __init__(self, card: Card, children: list[ipywidgets.Widget]) -> None:
        self._card = card
        super().__init__(children)

    def __repr__(self) -> str:
        return repr(self._card)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:  # noqa: ANN401 - IPython's protocol
        data = super()._repr_mimebundle_(**kwargs)
        return {**data, "text/plain": repr(self._card), "text/html": self._card.fallback_html()}


def status_line(cls: str, words: str) -> str:
    """A line under the controls of a card."""
    return to_html(element("div", "cw cw-below", element("span", cls, words)))
