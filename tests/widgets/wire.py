"""What goes between a view and its page, in tests of views that stand in no page."""

import json
import queue
import zlib
from collections.abc import Sequence
from typing import Any

from cellwright_widgets.drawing.node import to_text
from cellwright_widgets.live.reopened import Reopened
from cellwright_widgets.live.shown import Shown


def opened(content: dict[str, Any], buffers: Sequence[bytes] | None) -> dict[str, Any]:
    """A message as its page reads it: with its items, packed or not (`static/parcel.js`)."""
    return {**content, "items": json.loads(zlib.decompress(buffers[0]))} if buffers else content


class Wire:
    """Keeps the messages of a view instead of sending them."""

    def send(self, content: dict[str, Any], buffers: Sequence[bytes] | None = None) -> None:
        self.__dict__.setdefault("said", queue.SimpleQueue()).put(opened(content, buffers))

    def hear(self, content: dict[str, Any]) -> dict[str, Any]:
        """What the view sends when a page says this."""
        self._handle_custom_msg(content, [])  # type: ignore[attr-defined]  # of ipywidgets, as it calls it itself
        said: dict[str, Any] = self.__dict__["said"].get(timeout=60)
        return said

    def answer(self, press: dict[str, Any]) -> str:
        """The text of what takes the place of the part in which this was pressed, or why there is none."""
        message = self.hear({"press": {**press, "id": f"press-{id(press)}"}})
        return to_text(message["node"]) if "node" in message else str(message)


class WiredShown(Wire, Shown):
    """A value that is shown to nobody."""


class WiredReopened(Wire, Reopened):
    """A run that is shown to nobody."""


def pressed(messages: object) -> dict[str, dict[str, Any]]:
    """What each control in messages sends, by its key; of the same key the first."""
    found: dict[str, dict[str, Any]] = {}
    if isinstance(messages, dict):
        if "data-press" in messages:
            found[messages["data-key"]] = json.loads(messages["data-press"])
        parts: Any = messages.values()
    else:
        parts = messages if isinstance(messages, list | tuple) else ()
    for part in parts:
        found = pressed(part) | found
    return found
