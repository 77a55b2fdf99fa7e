"""Pause, step, continue and breakpoints of a run as plain widgets, for where no live transcript stands.

The rule that must never break: what is shown is read from the run each time, and a run that has ended has no controls.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import ipywidgets
from msgspec.structs import replace

from cellwright.errors import UsageError
from cellwright.runs.pausing import Breakpoints
from cellwright.runs.run import Run
from cellwright.text.visible_text import mark_hidden
from cellwright_widgets.drawing.node import element, to_html
from cellwright_widgets.drawing.style import AS_IT_IS
from cellwright_widgets.live.inputs import Tick
from cellwright_widgets.live.pace import MOST, Pace

ROW = {"flex_flow": "row wrap", "align_items": "center"}


class PaceBar:
    """The controls of one run that goes on."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pace = Pace(run)
        self._where = ipywidgets.HTML(layout={"margin": "0 8px", "flex": "1 1 200px"})
        self._pause = self._button("Pause", "Pause before the next turn or call", run.pause)
        self._step = self._button("Step", "Take the run on by one turn or call", run.step)
        self._go_on = self._button("Continue", "To the end, or to the next breakpoint", run.go_on)
        stops = self._stops
        self._turns = self._tick("before each turn of the model", stops.turns)
        self._errors = self._tick("after a call that failed", stops.errors)
        self._tools = {name: self._tick(mark_hidden(name), name in stops.tools) for name in self._pace.tools[:MOST]}
        label, tools = ipywidgets.Label("Pause:"), ipywidgets.Label("before a call of:")
        boxes = [label, self._turns, self._errors, tools, *self._tools.values()]
        buttons = [self._pause, self._step, self._go_on, self._where]
        self.widget = ipywidgets.VBox([ipywidgets.HBox(buttons, layout=ROW), ipywidgets.HBox(boxes, layout=ROW)])
        self.widget.add_class("cw-pace-bar")
        self.renew()

    @property
    def _stops(self) -> Breakpoints:
        return self._run.pauses.breakpoints if self._run.pauses else Breakpoints()

    def renew(self) -> None:
        """Shows how things stand now."""
        pauses, is_over = self._run.pauses, self._run.is_done
        is_held = pauses is not None and (pauses.is_asked or bool(pauses.halts))
        self._pause.disabled = is_over or is_held
        self._step.disabled = is_over or not self._run.halts
        self._go_on.disabled = is_over or not is_held
        self.widget.layout.display = "none" if is_over else ""
        places = self._pace.places
        words = f"paused {', '.join(places[:3])}" if places else "pausing…" if is_held else "going on"
        tone = "cw-run-asking" if places else "cw-run-running"
        drawn = element("div", f"cw cw-bare {AS_IT_IS}", element("span", f"cw-state {tone}", mark_hidden(words)))
        self._where.value = to_html(drawn)

    def _button(self, words: str, hint: str, act: Callable[[], None]) -> ipywidgets.Button:
        made = ipywidgets.Button(description=words, tooltip=hint, layout={"width": "auto"})
        made.on_click(lambda _: self._pressed(act))
        return made

    def _tick(self, words: str, is_ticked: bool) -> Tick:
        made = Tick(value=is_ticked, description=words, indent=False, layout={"width": "auto"})
        made.observe(lambda _: self._pressed(self._set), names="value")
        return made

    def _set(self) -> None:
        tools = {name for name, tick in self._tools.items() if tick.value}
        others = set(self._stops.tools) - set(self._tools)
        stops = replace(self._stops, turns=self._turns.value, errors=self._errors.value, tools=tools | others)
        self._run.set_breakpoints(stops)

    def _pressed(self, act: Callable[[], None]) -> None:
        """A run may have ended before the click came; then there is nothing to do."""
        with suppress(UsageError):
            act()
        self.renew()
