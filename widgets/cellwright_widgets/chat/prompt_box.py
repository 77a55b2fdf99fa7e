"""The box in which a person writes to an agent: Enter sends, Shift+Enter begins a new line.

A text box of ipywidgets knows no Enter, and may still be on its way when a button is pressed. So this one is its own
widget: the whole text comes in one message with a number of its own, is answered, and only then leaves the page
(`static/prompt.js`). What is typed and not sent yet is kept here, for a page that is loaded again. The rule that must
never break: no text is taken twice, and none is gone that was not taken.
"""

from __future__ import annotations

import uuid
from collections import OrderedDict
from collections.abc import Callable

import anywidget
import traitlets

from cellwright_widgets.drawing.style import STATIC

SCRIPTS = ("keys.js", "document.js", "prompt.js")
LONGEST = 1_000_000
"""Characters of one message, at most."""
REMEMBERED = 100
"""Messages whose ids are known: one that comes again is not taken again."""


class PromptBox(anywidget.AnyWidget):
    """The box. `said` gets each text once, in whatever thread it came, with the id by which it is answered."""

    _esm = "\n".join((STATIC / name).read_text("utf-8") for name in SCRIPTS)
    name = traitlets.Unicode("").tag(sync=True)
    """Unique on a page, for what labels it."""
    going = traitlets.Bool(False).tag(sync=True)
    """Whether a run goes on, so that what is sent steers it."""
    draft = traitlets.Unicode("").tag(sync=True)
    """What is written and not sent."""
    n = traitlets.Int(0).tag(sync=True)
    """Above zero once a page has shown it: a page that is loaded then puts it back where it was."""
    shown = traitlets.Unicode("").tag(sync=True)
    """The model id of the panel that is displayed."""
    cell = traitlets.Unicode("").tag(sync=True)
    """The id of the cell below which a page that is loaded again puts the panel; empty while it must not."""
    ended = traitlets.Bool(False).tag(sync=True)
    """Never; a panel has no record that takes its place."""

    def __init__(self, said: Callable[[str, str], None]) -> None:
        super().__init__(name=uuid.uuid4().hex[:8])
        self.was_seen = False
        """Whether a page has shown it: there is somebody to ask."""
        self._said = said
        self._known: OrderedDict[str, str] = OrderedDict()
        self.on_msg(self._on_message)

    def take(self, message_id: str, text: str) -> None:
        """Says that a text was taken; it leaves the page."""
        self._known[message_id] = text
        if self.draft == text:
            self.draft = ""
        self.send({"taken": message_id, "text": text})

    def refuse(self, message_id: str) -> None:
        """Says that a text was not taken; it stays on the page."""
        self._known.pop(message_id, None)
        self.send({"kept": message_id})

    def give_back(self, text: str) -> None:
        """Puts a text back that came to nothing, before what is written there now."""
        self.draft = f"{text}\n\n{self.draft}" if self.draft.strip() else text

    def _on_message(self, _: object, content: object, __: object) -> None:
        """What a page says. It may be anything, and a handler must not raise: its errors are shown nowhere."""
        if not isinstance(content, dict):
            return
        if content.get("shown") is True:
            self.was_seen, self.n = True, self.n + 1
        text, message_id = content.get("say"), content.get("id")
        if not isinstance(text, str) or not isinstance(message_id, str) or not text.strip() or len(text) > LONGEST:
            return
        if message_id in self._known:
            if self._known[message_id]:  # its answer was lost
                self.take(message_id, text)
            return
        self._known[message_id] = ""
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        self._said(text, message_id)
