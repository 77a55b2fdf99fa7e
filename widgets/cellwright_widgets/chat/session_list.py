"""The sessions that can be gone on from: opened to read, resumed, forked at a step, written into a file.

The rule that must never break: a session is read in a thread, however long it is, and opening it changes nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import ipywidgets
from msgspec import Struct

from cellwright.errors import UsageError
from cellwright.log.events import Event
from cellwright.sessions.recorded_run import RecordedRun
from cellwright.sessions.session import Session
from cellwright.sessions.session_folder import SessionFile, SessionFolder
from cellwright.text.quantity import quantity
from cellwright.text.visible_text import mark_hidden
from cellwright.waiting.threads import in_thread
from cellwright_widgets.chat.session_export import export_html, export_notebook
from cellwright_widgets.drawing.node import element, to_html
from cellwright_widgets.live.inputs import Choice, Listing
from cellwright_widgets.questions.card import HIDDEN

MOST_STEPS = 300
"""Steps that are offered to fork at, the last ones."""


class SessionUse(Struct, frozen=True):
    """What a list can ask of the panel that it stands in."""

    begin: Callable[[Callable[[], Awaitable[None]]], None]
    """Does something that takes a while, and shows what goes wrong."""
    open: Callable[[Session], None]
    resume: Callable[[Session], None]
    fork: Callable[[RecordedRun, int], Awaitable[None]]
    tell: Callable[[str], None]
    """Says what was done."""
    exports: Path
    """The folder for what is written."""


class SessionList:
    """`widget` is what to show; `refresh` reads the folder anew."""

    def __init__(self, folder: SessionFolder, use: SessionUse) -> None:
        self._folder, self._use = folder, use
        self._files: tuple[SessionFile, ...] = ()
        self._steps: list[tuple[RecordedRun, int]] = []
        self.list = Listing("Sessions, the newest first")
        self.note = ipywidgets.HTML(layout={"margin": "0"})
        self.open = self._button("Open", "read it here; nothing is changed", lambda s: use.open(s))
        self.resume = self._button("Resume", "go on from its end", lambda s: use.resume(s))
        self.fork = self._button("Fork at a step…", "choose where it goes another way", self._offer_steps)
        self.as_notebook = self._button("Export notebook", "write an .ipynb", partial(self._export, export_notebook))
        self.as_page = self._button("Export HTML", "write one page", partial(self._export, export_html))
        self.fork_here = ipywidgets.Button(description="Fork here", button_style="primary", layout={"width": "auto"})
        self.fork_here.on_click(lambda _: use.begin(self._fork))
        self._at = ipywidgets.HBox([self.fork_here], layout=HIDDEN)
        self._buttons = ipywidgets.HBox([self.open, self.resume, self.fork, self.as_notebook, self.as_page])
        self._buttons.layout = {"flex_flow": "row wrap"}
        self.widget = ipywidgets.VBox([self.list, self._buttons, self._at, self.note], layout=HIDDEN)
        self.widget.add_class("cw-chat-part")

    async def refresh(self) -> None:
        """Reads the folder."""
        self._files = await in_thread(self._folder.files)
        self.list.show([file.label for file in self._files])
        self._at.layout.display = "none"
        here = f"{quantity(len(self._files), 'session')} in {self._folder.path}"
        self.note.value = to_html(element("div", "cw cw-below", element("p", "cw-chat-note", mark_hidden(here))))

    def _button(self, text: str, hint: str, act: Callable[[Session], None]) -> ipywidgets.Button:
        made = ipywidgets.Button(description=text, tooltip=f"{text}: {hint}", layout={"width": "auto"})
        made.on_click(lambda _: self._use.begin(partial(self._with_session, act)))
        return made

    async def _with_session(self, act: Callable[[Session], None]) -> None:
        act(await in_thread(partial(Session.load, self._chosen().path)))

    def _chosen(self) -> SessionFile:
        place = self.list.value
        if place is None or place >= len(self._files):
            raise UsageError("no session is chosen; choose one in the list")
        return self._files[place]

    def _export(self, write: Callable[[Session, Path], Path], session: Session) -> None:
        self._use.tell(f"Written: {write(session, self._use.exports)}")

    def _offer_steps(self, session: Session) -> None:
        """The steps stand beside the button that forks."""
        found = [(run, step, label) for run in session.runs for step, label in _steps(run)][-MOST_STEPS:]
        if not found:
            raise UsageError(f"{session.path.name} has no step; resume it instead")
        self._steps = [(run, step) for run, step, _ in found]
        several = len(session.runs) > 1
        labels = [f"{mark_hidden(run.id)} · {label}" if several else label for run, _, label in found]
        old = self._at.children[:-1]
        self._at.children = (Choice(labels, len(labels) - 1, "The step at which it goes another way"), self.fork_here)
        for each in old:
            each.layout.close()
            each.close()
        self._at.layout.display = ""

    async def _fork(self) -> None:
        choice = self._at.children[0]
        if isinstance(choice, Choice):
            run, step = self._steps[choice.value]
            await self._use.fork(run, step)


def _steps(run: RecordedRun) -> list[tuple[int, str]]:
    """Each step with what the model did in it."""
    steps: list[tuple[int, str]] = []
    for event in run.events:
        if event.kind == "turn_started":
            steps.append((event.data["turn"], f"step {event.data['turn']}"))
        elif event.kind == "message" and steps:
            steps[-1] = steps[-1][0], f"step {steps[-1][0]}: {_brief(event)}"
    return steps


def _brief(event: Event) -> str:
    names = [str(call.get("name")) for call in event.data.get("calls") or [] if isinstance(call, dict)]
    words = ", ".join(names) or " ".join(str(event.data.get("text", "")).split())
    return mark_hidden(words[:60] + ("…" if len(words) > 60 else ""))
