"""The controls of a chat panel: buttons that open a part, and those that stop, pause and step a run.

They are plain widgets, so that they work wherever those do. The rule that must never break: what can't be done now
can't be pressed, and the label says what a press does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import ipywidgets

from cellwright.runs.run import Run
from cellwright.text.visible_text import mark_hidden
from cellwright_widgets.live.inputs import Choice

Act = Callable[[Callable[[], None]], None]
"""Does something on the event loop of the runs, and shows what goes wrong."""


class RunControls:
    """Stop, pause or continue, one step: for the run that goes on. `widget` is what to show."""

    def __init__(self, act: Act, current: Callable[[], Run | None]) -> None:
        self._current = current
        self.stop = button("Stop", "Stop this run", lambda: self._do(Run.cancel), act, "danger")
        self.pause = button("Pause", "Wait before the next turn or call", self._pause_or_continue, act)
        self.step = button("Step", "Take one turn or call, then wait again", lambda: self._do(Run.step), act)
        self.widget = ipywidgets.HBox([self.stop, self.pause, self.step])
        self.widget.add_class("cw-chat-run")
        self.show()

    def show(self) -> None:
        """How things stand with the run now."""
        run = self._current()
        self.widget.layout.display = "none" if run is None else ""
        halted = run is not None and bool(run.halts)
        self.pause.description = "Continue" if halted else "Pause"
        self.pause.tooltip = "Let the run go on" if halted else "Wait before the next turn or call"
        self.step.disabled = not halted

    def _do(self, act: Callable[[Run], None]) -> None:
        run = self._current()
        if run is not None:
            act(run)

    def _pause_or_continue(self) -> None:
        self._do(lambda run: run.go_on() if run.halts else run.pause())
        self.show()


class Opener:
    """Buttons of which each opens one part below them, one at a time."""

    def __init__(self, act: Act) -> None:
        self._act = act
        self._parts: list[tuple[ipywidgets.Button, ipywidgets.VBox]] = []

    def add(self, text: str, hint: str, part: ipywidgets.VBox, opened: Callable[[], None]) -> ipywidgets.Button:
        """A button that opens the part, which is told, or shuts it."""
        made = button(text, hint, lambda: self._press(part, opened), self._act)
        self._parts.append((made, part))
        return made

    def close(self) -> None:
        """Shuts all."""
        for opener, part in self._parts:
            part.layout.display = "none"
            opener.remove_class("cw-opened")

    def _press(self, pressed: ipywidgets.VBox, opened: Callable[[], None]) -> None:
        was_open = pressed.layout.display != "none"
        self.close()
        for opener, part in self._parts:
            if part is pressed and not was_open:
                part.layout.display = ""
                opener.add_class("cw-opened")
                opened()


class ModelPicker:
    """The models that can be picked, the agent's own first. `name` is the one picked, empty for the agent's own."""

    def __init__(self, own: str, names: Sequence[str], act: Act, picked: Callable[[str], None]) -> None:
        self._names = ["", *dict.fromkeys(name for name in names if name != own)]
        self.choice = Choice([mark_hidden(each) for each in (own, *self._names[1:])], 0, "Model of the next run")
        self.choice.observe(lambda _: act(lambda: picked(self.name)), names="value")

    @property
    def name(self) -> str:
        """Its name, as `model` takes it."""
        return self._names[self.choice.value]


def button(text: str, hint: str, pressed: Callable[[], None], act: Act, tone: str = "") -> ipywidgets.Button:
    """A button whose press is acted on in the right place."""
    made = ipywidgets.Button(description=text, tooltip=hint, button_style=tone, layout={"width": "auto"})
    made.on_click(lambda _: act(pressed))
    return made
