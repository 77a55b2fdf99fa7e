"""A text that a person typed, read back to them as the kernel has received it, before it counts.

Between a keyboard and a kernel a text can come late or not at all, and a click can overtake it. So the first click only
asks for the text; what arrived is shown, and a button that is made for exactly this text sends it. If more arrives, it
is shown again with a new button. The rule that must never break: what is sent is what stood above the button.
"""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets

from cellwright_widgets.drawing.node import Node, element, to_html
from cellwright_widgets.questions.grant_choice import Make


class ReadBack:
    """A place for one text that was received, with a button to send it and one, `back`, to go on typing."""

    def __init__(self, make: Make, back: ipywidgets.Button) -> None:
        self._make = make
        self.send: ipywidgets.Button | None = None
        """Sends what is shown; a new one for each text."""
        self.back = back
        self._shown = ipywidgets.HTML(layout={"margin": "0"})
        self._buttons = ipywidgets.HBox([back])
        self.widget = ipywidgets.VBox([self._shown, self._buttons], layout={"display": "none"})

    @property
    def is_open(self) -> bool:
        """Whether a text is shown."""
        return self.send is not None

    def show(self, received: Node, label: str, tone: str, act: Callable[[], None]) -> None:
        """Shows a text, and a new button that does `act` as long as this very text is shown."""
        self._free()
        self._shown.value = to_html(element("div", "cw cw-below cw-read-back", received))
        send = self._make(label, tone, lambda: act() if self.send is send else None)
        self.send = send
        self._buttons.children = (send, self.back)
        self.widget.layout.display = ""

    def doubt(self) -> None:
        """What is shown may not be the latest any more, so its button does nothing."""
        if self.send is not None:
            self.send.disabled, self.send = True, None

    def clear(self) -> None:
        """Nothing is shown but the way back, and the button of what was shown does nothing."""
        self._free()
        self._shown.value = ""

    def close(self) -> None:
        """Nothing is shown at all."""
        self.clear()
        self.widget.layout.display = "none"

    def _free(self) -> None:
        self.send = None
        old = [button for button in self._buttons.children if button is not self.back]
        self._buttons.children = (self.back,)
        for button in old:
            button.close()
