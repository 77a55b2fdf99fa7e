"""Plots of tools, kept from being drawn by somebody else meanwhile.

The kernel draws the open figures of pyplot at the end of each cell, and after each message of a widget, too. While a
tool works in a thread, the messages of a page come at any time, and a figure that two draw at once comes out blank. For
the time of a run a gate stands before that drawing: it stays shut for messages as long as a tool works, and never for
the end of a cell. The rule that must never break: a figure that is open is shown in the end, by the next cell if by
nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from IPython.core.getipython import get_ipython

from cellwright.waiting.threads import are_working

DRAWS = ("matplotlib_inline.backend_inline", "flush_figures")
"""Where the function is that the inline backend has called after each execution, and its name."""


class PlotGate:
    """Stands before the drawing of open figures, between `begin` and `end`."""

    def __init__(self) -> None:
        self._shell: Any = get_ipython()
        self._draw: Callable[[], object] | None = None

    def begin(self) -> None:
        """Takes its place, also if the backend comes later: a tool may be the first that plots."""
        if self._shell is not None:
            self._shell.events.register("pre_execute", self._stand)
            self._stand()

    def end(self) -> None:
        """Leaves its place."""
        if self._shell is None:
            return
        events = self._shell.events
        if self._stand in events.callbacks["pre_execute"]:
            events.unregister("pre_execute", self._stand)
        if self._draw is not None and self._pass in events.callbacks["post_execute"]:
            events.unregister("post_execute", self._pass)
            events.register("post_execute", self._draw)

    def _stand(self) -> None:
        for callback in self._shell.events.callbacks["post_execute"]:
            if (getattr(callback, "__module__", ""), getattr(callback, "__name__", "")) == DRAWS:
                self._draw = callback
                self._shell.events.unregister("post_execute", callback)
                self._shell.events.register("post_execute", self._pass)
                return

    def _pass(self) -> None:
        if self._draw is not None and not (are_working() and self._is_after_message()):
            self._draw()

    def _is_after_message(self) -> bool:
        parent = self._shell.get_parent() or {}
        return bool(parent.get("header", {}).get("msg_type") == "comm_msg")
