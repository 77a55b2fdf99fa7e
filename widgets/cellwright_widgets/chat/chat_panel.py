"""A conversation with an agent in one place: a box to write in, the runs as they happen, and all that can be set.

It is a widget like any other, so it stands below a cell, beside the notebook, or alone on a page that Voila serves. All
that it knows is in the kernel: a page that is loaded again finds it as it was. Presses come from threads of all kinds
and are handed to the event loop of the runs, where each is done at once. The rule that must never break: what a press
raises is said in the panel, and the panel goes on.
"""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import ipywidgets

import cellwright
from cellwright.errors import UsageError
from cellwright.log.events import Event
from cellwright.permission.bypass import BypassConsent
from cellwright.permission.decision import Mode
from cellwright.runs.company import Company
from cellwright.runs.desk import ScriptedDesk
from cellwright.runs.run import Run
from cellwright.sessions.recorded_run import RecordedRun
from cellwright.sessions.session import Session
from cellwright.sessions.session_folder import SESSIONS, SessionFolder
from cellwright.text.visible_text import mark_hidden
from cellwright_widgets.chat.agent_mode import switch_mode
from cellwright_widgets.chat.budget_bar import draw_budget, window_used
from cellwright_widgets.chat.chat import Chat
from cellwright_widgets.chat.chat_controls import ModelPicker, Opener, RunControls, button
from cellwright_widgets.chat.chat_log import ChatLog
from cellwright_widgets.chat.errands import Errands
from cellwright_widgets.chat.mode_choice import ModeChoice
from cellwright_widgets.chat.prompt_box import PromptBox
from cellwright_widgets.chat.session_list import SessionList, SessionUse
from cellwright_widgets.chat.tool_switches import ToolSwitches
from cellwright_widgets.drawing.node import element, to_html
from cellwright_widgets.drawing.style import style
from cellwright_widgets.live.interrupt import InterruptWatch
from cellwright_widgets.live.kernel_facts import cell_id, kernel
from cellwright_widgets.live.live_box import LiveBox
from cellwright_widgets.live.plot_gate import PlotGate
from cellwright_widgets.open_notebook.live_notebook import LiveDesk, bridge_of_kernel

BEAT = 0.5
"""Seconds between two looks at the budget while a run goes on."""
_panels: weakref.WeakKeyDictionary[ChatPanel, None] = weakref.WeakKeyDictionary()
"""Those that were made in this kernel, the newest last."""


class ChatPanel(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """A chat with an agent: `ChatPanel(agent)` as the last line of a cell.

    `models` are names, as `model` takes them, that can be picked beside the agent's own model. Conversations are
    written into the folder `sessions`, from which they can be gone on from; None for none.

    Raises:
        UsageError: if `agent` is none, or no event loop is running.
    """

    def __init__(
        self, agent: cellwright.Agent, *, models: Sequence[str] = (), sessions: str | Path | None = SESSIONS
    ) -> None:
        if not isinstance(agent, cellwright.Agent):
            raise UsageError(f"{agent!r:.80} is no Agent; write ChatPanel(Agent(model, tools=...))")
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            raise UsageError("no event loop is running; make the panel in a notebook, where one is") from None
        self.agent, self._loop = agent, loop
        errands = self._errands = Errands(loop, self._tell)
        folder = SessionFolder(agent.cwd / sessions) if sessions is not None else None
        self.tools = ToolSwitches(errands.do, self._tools_switched)
        self.chat = Chat(agent, self._company, self.tools.narrowed, folder)
        self.history = ChatLog()
        self.prompt = PromptBox(lambda text, name: errands.begin(partial(self._say, text, name)))
        self.mode = ModeChoice(agent.policy.mode, errands.do, self._switch)
        self.model = ModelPicker(agent.model.name, models, errands.do, self._pick)
        self.run_controls = RunControls(errands.do, self._current)
        self.sessions = SessionList(folder, self._use(agent.cwd)) if folder is not None else None
        self._cell: str | None = None
        self._beat: asyncio.TimerHandle | None = None
        super().__init__(self._built())
        self.add_class("cw-panel")
        self.add_class("cw-chat")
        self.prompt.shown = self.model_id
        _panels[self] = None

    def _built(self) -> list[ipywidgets.Widget]:
        self._status, self._budget = (ipywidgets.HTML(layout={"margin": "0"}) for _ in range(2))
        errands = self._errands
        self._opener = Opener(errands.do)
        self.tools.show(list(self.agent.registry.selected(self.agent.selection)))
        self.tools_button = self._opener.add(
            self.tools.title, "Which tools the agent has", self.tools.widget, lambda: None
        )
        parts, shown = [self.mode.door, self.tools.widget], [self.tools_button]
        if self.sessions is not None:
            refresh = partial(self._errands.begin, self.sessions.refresh)
            hint = "Earlier conversations: open, resume, fork, export"
            shown.append(self._opener.add("Sessions", hint, self.sessions.widget, refresh))
            parts.append(self.sessions.widget)
        self.new_chat = button("New chat", "Begin a new conversation", partial(self._begin_anew, None), errands.do)
        self.back = button("Back to the chat", "Show the conversation again", self._go_back, errands.do, "primary")
        self.back.layout.display = "none"
        head = ipywidgets.HBox([self.mode.choice, self.model.choice, *shown, self.new_chat, self.back])
        head.add_class("cw-chat-head")
        foot = ipywidgets.HBox([self.run_controls.widget, self._budget])
        foot.add_class("cw-chat-foot")
        sheet = ipywidgets.HTML(f"<style>{style('panel.css', 'chat.css')}</style>", layout={"display": "none"})
        return [sheet, head, *parts, self.history, self._status, self.prompt, foot]

    def _use(self, exports: Path) -> SessionUse:
        return SessionUse(self._errands.begin, self._open, self._begin_anew, self._fork, self._tell, exports)

    def say(self, text: str) -> None:
        """Says something to the agent, as if it were written in the panel; from any thread."""
        self._errands.begin(partial(self._say, text, ""))

    def set_mode(self, mode: Mode, consent: BypassConsent | None = None) -> None:
        """Puts the agent, and the run that goes on, under a mode.

        Raises:
            UsageError: if there is no such mode, or `bypass` comes without consent.
        """
        self._switch(mode, consent)

    def beside(self) -> None:
        """Shows the panel in a view beside the notebook.

        Raises:
            UsageError: if the package for that is not installed.
        """
        try:
            from sidecar import Sidecar
        except ImportError:
            raise UsageError(
                "a view beside the notebook needs the package sidecar; run: pip install 'cellwright[sidecar]', load "
                "the page again, and restart the kernel"
            ) from None
        from IPython.display import display

        view = Sidecar(title="Cellwright", anchor="split-right")
        with view:
            display(self)

    def on_event(self, event: Event) -> None:
        """An observer of its runs."""
        self._errands.do(partial(self._heard, event))

    def _heard(self, event: Event) -> None:
        if event.kind == "conditions" and event.data.get("mode") not in (self.agent.policy.mode, "bypass"):
            self.set_mode(event.data["mode"])  # a tool that was approved switched it
        if event.kind in ("paused", "continued"):
            self._loop.call_soon(self.run_controls.show)
        if self._beat is None:
            self._beat = self._loop.call_later(BEAT, self._look)

    def _company(self, run: Run) -> Company:
        """The panel, for a run that begins in it."""
        box = LiveBox(run, run.id, lambda: self.prompt.was_seen)
        box.on_question.append(self._go_back)
        self.history.begin(run, box)
        desk = LiveDesk(bridge_of_kernel, lambda: None) if self._cell else ScriptedDesk()
        self._opener.close()
        self._errands.hold(self._watch(run))
        return Company(box.approver, (box.transcript, self), Run.wait, box.shelf, desk)

    async def _watch(self, run: Run) -> None:
        """From the beginning of a run to its end."""
        interrupts = InterruptWatch(run.cancel) if kernel() is not None else None
        if interrupts is not None:
            interrupts.begin()
            interrupts.arm()
        plots = PlotGate()
        plots.begin()
        self.prompt.cell = self._cell or ""
        self._show_going(True)
        await run.wait()
        plots.end()
        if interrupts is not None:
            interrupts.end()
        if not self.chat.is_going:  # the next one may be, or a new conversation stands here
            self.prompt.cell = ""
            self._show_going(False)
            self._look()
        left = "\n\n".join(run.unheard)
        if left:
            self.prompt.give_back(left)
            self._tell(
                "The run ended before the model could read what you said last; it is back in the box.", "warning"
            )

    def _show_going(self, going: bool) -> None:
        self.prompt.going = going
        self.run_controls.show()

    async def _say(self, text: str, name: str) -> None:
        try:
            was_going = self.chat.is_going
            await self.chat.say(text.strip())
        except BaseException:
            self.prompt.refuse(name)
            raise
        self.prompt.take(name, text)
        self._tell("Told the run: the model reads it before its next turn." if was_going else "")

    async def _fork(self, run: RecordedRun, step: int) -> None:
        made = await self.chat.fork(run, step)
        self.history.leave_only(made)
        self._tell(f"{made.id} goes another way from step {step} of {run.id}; nothing before it was done again.")

    def _begin_anew(self, session: Session | None) -> None:
        self.chat.go_on_from(session)
        self.history.begin_anew(session)
        self._opener.close()
        self._show_back()
        resumed = f"Going on from {session.path.name}: what you write next is its next run." if session else ""
        self._tell(resumed or "A new conversation.")

    def _open(self, session: Session) -> None:
        self.history.show_session(session)
        self._opener.close()
        self._show_back()
        self._tell("")

    def _go_back(self) -> None:
        if self.history.is_elsewhere:
            self.history.show_conversation()
            self._show_back()

    def _show_back(self) -> None:
        self.back.layout.display = "" if self.history.is_elsewhere else "none"

    def _switch(self, mode: Mode, consent: BypassConsent | None) -> None:
        """For the agent, and so in each of its panels."""
        switch_mode(self.agent, mode, consent)
        for panel in panels_of(self.agent):
            panel._take_mode(mode, consent)
        self._tell(f"Mode {mode} holds from the next call on.")

    def _take_mode(self, mode: Mode, consent: BypassConsent | None) -> None:
        run = self._current()
        if run is not None and run is not self.agent.last_run:
            run.set_mode(mode, consent)
        self.mode.show(mode)

    def _pick(self, name: str) -> None:
        self.chat.pick(name)
        self._tell(f"The next run asks {name or self.agent.model.name}.")

    def _tools_switched(self) -> None:
        self.tools_button.description = self.tools.title
        run = self._current()
        if run is not None:
            run.set_selection(self.tools.narrowed(self.agent.selection))

    def _current(self) -> Run | None:
        return self.chat.run if self.chat.is_going else None

    def _look(self) -> None:
        """Draws how much is used, and looks again while a run goes on."""
        if self._beat is not None:
            self._beat.cancel()
        self._beat = None
        run = self.chat.run
        if run is not None:
            self._budget.value = to_html(draw_budget(run.spending, window_used(run.events), self.chat.window))
        if self.chat.is_going:
            self._beat = self._loop.call_later(BEAT, self._look)

    def _tell(self, words: str, tone: str = "cw-chat-note") -> None:
        said = element("p", tone, mark_hidden(words), attrs={"role": "status"})
        self._status.value = to_html(element("div", "cw cw-below", said)) if words else ""

    def __repr__(self) -> str:
        return f"<ChatPanel of {self.agent.model.name}: {self.chat.run or 'nothing said yet'}>"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:  # noqa: ANN401 - IPython's protocol
        """The panel, and beside it what is read where there are no widgets."""
        self._cell = cell_id() or self._cell
        gone = element("p", "cw-remark", "This was a chat panel. It ended with its kernel; run the cell again.")
        fallback = {"text/plain": repr(self), "text/html": to_html(gone)}
        return {**super()._repr_mimebundle_(**kwargs), **fallback}


def panel_of(agent: cellwright.Agent) -> ChatPanel | None:
    """The newest panel of this agent, since a cell that is run again leaves the older ones off the page; None if there
    is none."""
    return next(reversed(panels_of(agent)), None)


def panels_of(agent: cellwright.Agent) -> list[ChatPanel]:
    """The panels of this agent, the newest last."""
    return [panel for panel in _panels if panel.agent is agent]
