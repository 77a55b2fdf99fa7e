"""A switch for each tool: which of them the model is shown, and may call.

The rule that must never break: a switch can only take a tool away that the agent has, and give it back; it never gives
one that the agent's own selection leaves out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import ipywidgets
from msgspec.structs import replace

from cellwright.selection import Selection
from cellwright.text.visible_text import mark_hidden
from cellwright.tool import Tool
from cellwright_widgets.drawing.node import element, to_html
from cellwright_widgets.live.inputs import Tick
from cellwright_widgets.questions.card import HIDDEN

MOST = 200
"""Tools that have a switch."""
ABOUT = 160
"""Characters of a description."""


class ToolSwitches:
    """`widget` is what to show. `act` contains what a handler does, `switched` is told after each change."""

    def __init__(self, act: Callable[[Callable[[], None]], None], switched: Callable[[], None]) -> None:
        self._act, self._switched = act, switched
        self.off: frozenset[str] = frozenset()
        """The names of those that are switched off."""
        self.ticks: dict[str, Tick] = {}
        self._more = ipywidgets.HTML(layout={"margin": "0"})
        self._rows = ipywidgets.VBox()
        self.widget = ipywidgets.VBox([self._rows, self._more], layout=HIDDEN)
        self.widget.add_class("cw-chat-part")
        self.widget.add_class("cw-tools")

    def show(self, tools: Sequence[Tool]) -> None:
        """These tools have a switch now. The control-plane ones have none: they are there in every run."""
        tools = [tool for tool in tools if not tool.system]
        shown = tools[:MOST]
        if [tool.name for tool in shown] == list(self.ticks):
            return
        old = self._rows.children
        self.ticks = {tool.name: self._tick(tool) for tool in shown}
        self._rows.children = list(self.ticks.values())
        for tick in old:
            tick.layout.close()
            tick.close()
        rest = f"{len(tools) - MOST:,} more tools have no switch here; Agent(..., selection=...) chooses among all"
        self._more.value = to_html(element("p", "cw-missing", rest)) if len(tools) > MOST else ""

    def narrowed(self, selection: Selection) -> Selection:
        """The selection without those that are off."""
        return replace(selection, deny=frozenset(selection.deny) | self.off) if self.off else selection

    @property
    def title(self) -> str:
        """How many are on."""
        on = sum(name not in self.off for name in self.ticks)
        return f"Tools {on}/{len(self.ticks)}"

    def _tick(self, tool: Tool) -> Tick:
        about = " ".join(tool.definition.description.split())
        words = mark_hidden(f"{tool.name}: {about[:ABOUT]}{'…' if len(about) > ABOUT else ''}")
        tick = Tick(value=tool.name not in self.off, description=words, indent=False, tooltip=words)
        tick.layout = {"width": "auto"}
        tick.observe(lambda _: self._act(lambda: self._flip(tool.name)), names="value")
        return tick

    def _flip(self, name: str) -> None:
        self.off = self.off - {name} if self.ticks[name].value else self.off | {name}
        self._switched()
