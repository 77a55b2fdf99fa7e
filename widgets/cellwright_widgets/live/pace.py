"""The pace of a run, in the hand of the person who watches it: pause, step, continue, and where it stops by itself.

A run that goes too fast to be followed is paused beside its *Stop*: then one step is taken at a time, or it goes on to
the next breakpoint. The breakpoints are boxes to tick: before each turn of the model, after a call that failed, before
calls of a tool. What stands there is read from the run each time it is drawn, so several pages, and Python, agree. The
rule that must never break: what a page says is held against what there is; a name that no tool has is no breakpoint.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from cellwright.errors import UsageError
from cellwright.runs.pausing import Breakpoints, Pauses
from cellwright.runs.run import Run
from cellwright.text.visible_text import mark_hidden
from cellwright_widgets.cards.head import halt_words
from cellwright_widgets.drawing.control import MAX_PRESS, button, part, tick
from cellwright_widgets.drawing.node import Element, Node, element
from cellwright_widgets.drawing.press import Press

PACE = "pace"
"""Who answers its controls."""
MOST = 60
"""Tools that are offered as breakpoints; of more, `run.set_breakpoints` takes any."""


class Pace:
    """The pace of one run. Mutable: it knows whether the breakpoints are in sight."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._is_open = False

    @property
    def places(self) -> tuple[str, ...]:
        """Where it is paused, in words; also its sub-agents."""
        return tuple(halt_words(halt.as_data()) for halt in self._run.halts)

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools before whose calls it can stop: those that it may call, and those that have a breakpoint."""
        going = self._run.going()
        if going is None:
            return ()
        setup = going[0]
        return tuple(sorted({tool.name for tool in setup.open_tools()} | set(setup.pauses.breakpoints.tools)))

    def draw(self) -> Element:
        """The controls as things stand; none once the run has ended."""
        pauses = self._run.pauses
        if pauses is None or self._run.stop_reason is not None:
            return part(PACE, "cw-pace")
        return part(PACE, "cw-pace", *_buttons(pauses, self._is_open), *(self._boxes(pauses) if self._is_open else []))

    async def answer(self, press: Press) -> Element:
        """Does what was pressed, on the run's own event loop; a run that has ended meanwhile has no controls."""
        try:
            self._act(press)
        except UsageError:
            return part(PACE, "cw-pace")
        return self.draw()

    def _act(self, press: Press) -> None:
        run, name = self._run, press.facts.get("tool")
        breakpoints = run.pauses.breakpoints if run.pauses else Breakpoints()
        is_ticked = press.value is True
        match press.facts.get("act"):
            case "pause":
                run.pause()
            case "step":
                run.step()
            case "go_on":
                run.go_on()
            case "boxes":
                self._is_open = not self._is_open
            case "turns":
                run.set_breakpoints(replace(breakpoints, turns=is_ticked))
            case "errors":
                run.set_breakpoints(replace(breakpoints, errors=is_ticked))
            case "tool" if isinstance(name, str) and name in self.tools:
                others = set(breakpoints.tools) - {name}
                run.set_breakpoints(replace(breakpoints, tools=others | ({name} if is_ticked else set())))

    def _boxes(self, pauses: Pauses) -> Iterator[Node]:
        stops = pauses.breakpoints
        boxes = [
            _box("before each turn of the model", stops.turns, "turns"),
            _box("after a call that failed", stops.errors, "errors"),
        ]
        tools = [name for name in self.tools if len(name) < MAX_PRESS // 4]
        named = [_box(mark_hidden(name), name in stops.tools, "tool", name) for name in tools[:MOST]]
        rest = [element("span", "cw-fact", f"and {len(tools) - MOST} more")] if len(tools) > MOST else []
        label = element("span", "cw-fact", "before a call of")
        yield element("div", "cw-stops", element("span", "cw-fact", "Pause"), *boxes, label, *named, *rest)


def _buttons(pauses: Pauses, is_open: bool) -> Iterator[Node]:
    if pauses.halts or pauses.is_asked:
        step = "Step: take the run on by one turn or call"
        yield button("Step", "step", {"to": PACE, "act": "step"}, hint=step, is_off=not pauses.halts)
        words = "Continue" if pauses.halts else "Pausing…"
        hint = "Continue: to the end, or to the next breakpoint" if pauses.halts else "It pauses soon; press to go on"
        yield button(words, "pause", {"to": PACE, "act": "go_on"}, hint=hint)
    else:
        yield button("Pause", "pause", {"to": PACE, "act": "pause"}, hint="Pause before the next turn or call")
    stops = pauses.breakpoints
    count = len(stops.tools) + stops.turns + stops.errors
    words = f"Breakpoints ({count})" if count else "Breakpoints"
    hint = f"{words}: {'hide' if is_open else 'choose'} where the run stops by itself"
    yield button(words, "boxes", {"to": PACE, "act": "boxes"}, "cw-open" if is_open else "", hint=hint)


def _box(words: str, is_ticked: bool, act: str, tool: str = "") -> Node:
    press = {"to": PACE, "act": act, **({"tool": tool} if tool else {})}
    return element("span", "cw-stop-box", tick(words, f"{act} {tool}", press, is_ticked), words)
