"""A run that is stepped through, and forked where it could have gone another way.

A slider with the steps of the run shows it as it stood after each: what had happened, what the model had been sent,
which files had changed. Below it stands a form for what is to be otherwise from there on; the fork is shown live under
it, and both are held side by side when it is over. All is made of plain widgets, for a run that has ended, is paused
or goes on, and for the log of one that ran elsewhere. The rule that must never break: looking changes nothing; only
*Fork here* starts anything, and what the run has done is not done again by it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import ipywidgets
from msgspec.structs import replace

from cellwright.agent import Agent
from cellwright.definition import Definition
from cellwright.errors import LogError, SchemaError, UsageError
from cellwright.log.events import Event
from cellwright.log.history import History
from cellwright.log.requests import Shown
from cellwright.models.model import Model
from cellwright.models.naming import model as model_of
from cellwright.runs.company import Company
from cellwright.runs.desk import ScriptedDesk
from cellwright.runs.earlier import recorded
from cellwright.runs.run import Run
from cellwright.schema import Schema
from cellwright.sessions.recorded_run import RecordedRun
from cellwright.sessions.session import Session
from cellwright.waiting.threads import on_loop
from cellwright_widgets.cards.comparison_view import SideBySide
from cellwright_widgets.cards.item_view import draw_head
from cellwright_widgets.cards.record import record_html, record_text, story_of
from cellwright_widgets.chat.hosted_agent import HostedAgent
from cellwright_widgets.drawing.node import Node, element, to_html
from cellwright_widgets.drawing.style import AS_IT_IS, QUESTIONS, style
from cellwright_widgets.live.inputs import free
from cellwright_widgets.live.kernel_facts import kernel
from cellwright_widgets.live.live_view import LiveView
from cellwright_widgets.open_notebook.live_notebook import LiveDesk, bridge_of_kernel
from cellwright_widgets.travel.fork_form import ForkForm, Wish
from cellwright_widgets.travel.moment import Aspect, Moment, draw_moment, moments
from cellwright_widgets.travel.pace_bar import ROW, PaceBar
from cellwright_widgets.travel.steps import Steps

Subject = Run | RecordedRun | Session | Sequence[Event] | str | Path
ASPECTS = {"What happened": "happened", "What the model was sent": "sent", "Files changed": "files"}
BEAT = 0.5
"""Seconds after which a run that goes on is looked at again."""


class TimeTravel(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """Steps through a run: one of this kernel, of a session, the path of a log, or events.

    With an `agent` it can be forked at any step; `models` are those that may go on instead of the agent's own, by name
    or made already.

    Raises:
        UsageError: if the agent is none.
        LogError: if the log can't be read.
    """

    def __init__(self, subject: Subject, agent: Agent | None = None, models: Sequence[Model | str] = ()) -> None:
        if agent is not None and not isinstance(agent, Agent):
            raise UsageError(f"{agent!r:.80} is no agent; write TimeTravel(run, Agent(...))")
        self._subject = Session.load(subject) if isinstance(subject, str | Path) else subject
        self._agent, self._models = agent, tuple(models)
        self.forks: list[Run] = []
        """The forks that were started here, the newest last."""
        self._loop: asyncio.AbstractEventLoop | None = _running_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._events: tuple[Event, ...] | None = None
        self._moments: tuple[Moment, ...] = ()
        self._head, self._shown = _html(), _html()
        self.steps = Steps()
        self.steps.add_class("cw-steps-place")
        self.aspect = ipywidgets.ToggleButtons(options=list(ASPECTS), style={"button_width": "auto"})
        self._place = ipywidgets.HTML(layout={"margin": "0 8px", "flex": "0 0 130px"})
        back, on = self._arrow("◀", "The step before", -1), self._arrow("▶", "The step after", 1)
        first, last = self._arrow("|◀", "The first step", -(10**6)), self._arrow("▶|", "The last step", 10**6)
        row = ipywidgets.HBox([first, back, self.steps, on, last, self._place], layout=ROW)
        row.add_class("cw-steps-row")
        self._forking, self._live, self._beside = (ipywidgets.VBox() for _ in range(3))
        self._forking.add_class("cw-otherwise")
        self.form: ForkForm | None = None
        self._form_key: object = None
        goes_on = isinstance(self._subject, Run) and not self._subject.is_done
        self.pace = PaceBar(self._subject) if isinstance(self._subject, Run) and goes_on else None
        pace = [self.pace.widget] if self.pace else []
        parts = [self._head, *pace, row, self.aspect, self._shown, self._forking, self._live, self._beside]
        super().__init__(parts)
        self.add_class("cw-panel")
        self.add_class("cw-travel")
        self.renew()
        self.steps.observe(lambda _: self._show(), names="value")
        self.aspect.observe(lambda _: self._draw(), names="value")
        if goes_on:
            self._later(self._follow())

    @property
    def moment(self) -> Moment:
        """The run after the step that is looked at."""
        place: int = self.steps.value
        return self._moments[min(place, len(self._moments)) - 1]

    def renew(self) -> None:
        """Takes what has happened since; whoever looked at the last step looks at the last one that there is now."""
        events = _events(self._subject)
        if self.pace:
            self.pace.renew()
        if self._events is not None and len(events) == len(self._events):
            return
        was_last = self.steps.value >= len(self._moments)
        before, self._events, self._moments = len(self._moments), events, moments(events)
        self._head.value = SHEET + _drawn(draw_head("Time travel", story_of(events).head))
        self.steps.max = len(self._moments)
        if was_last and before != len(self._moments):
            self.steps.value = len(self._moments)
        self._show()

    def _show(self) -> None:
        step = self.moment.step
        words = f"step {step} of {len(self._moments)}" if step else "before the first step"
        self._place.value = _drawn(element("span", "cw-fact", words))
        self._draw()
        self._offer()

    def _draw(self) -> None:
        aspect: Aspect = next(each for each in get_args(Aspect) if each == ASPECTS[self.aspect.value])
        self._shown.value = to_html(draw_moment(self.moment, aspect))

    def _offer(self) -> None:
        """The form of this step; it stays while the same calls are there, so that nothing typed is lost."""
        if self._agent is None or not self.moment.step:
            words = "Give an agent to fork from here: TimeTravel(run, agent)." if self.moment.step else ""
            self._forking.children = [_html(element("p", "cw-missing", words))] if words else []
            return
        key = self.moment.step, self.moment.calls
        if self._form_key == key:
            return
        names = [each if isinstance(each, str) else each.name for each in (self._agent.model, *self._models)]
        calls, tools = self.moment.calls, [tool.name for tool in self._agent.registry if not tool.system]
        if self.form is not None:
            free(self.form.widget)
        self.form = ForkForm(calls, _schemas(self.moment.events), names, tools, self._fork)
        self._form_key = key
        self._forking.children = [_html(element("p", "cw-who", "From here on otherwise")), self.form.widget]

    def _fork(self, wish: Wish) -> None:
        """Starts the fork, on the event loop on which this was made."""
        agent = self._agent
        if agent is None:
            return
        place = ipywidgets.VBox()
        other = HostedAgent(agent, lambda run: _company(run, place))
        if wish.tools is not None:
            other.selection = replace(agent.selection, allow=wish.tools)
        chosen = self._models[wish.model - 1] if wish.model else agent.model
        other.model = model_of(chosen) if isinstance(chosen, str) else chosen
        step = self.moment.step

        def start() -> None:
            try:
                self._need_rest()
                run = other.fork(recorded_of(self._subject), step, wish.otherwise)
            except (UsageError, OSError) as error:  # nobody hears it who pressed in another thread
                self._refuse(str(error))
                return
            self.forks.append(run)
            self._live.children, self._beside.children = [place], []
            self._later(self._compare(run))

        loop = self._loop or _running_loop()
        if loop is None or loop.is_closed():
            raise UsageError("no event loop is running here, so nothing can be started; fork it by agent.fork(...)")
        on_loop(loop, start)

    def _need_rest(self) -> None:
        """A fork that begins takes the place of the last one, which may have a question there."""
        if self.forks and not self.forks[-1].is_done:
            raise UsageError(f"the fork {self.forks[-1].id} is going on below; stop it first, or await its end")

    def _refuse(self, words: str) -> None:
        if self.form is not None:
            self.form.say(words)

    async def _compare(self, fork: Run) -> None:
        """Holds the fork against the run once it is over."""
        await fork.wait()
        if self.forks[-1] is fork:
            self._beside.children = [_html(text=SideBySide(recorded_of(self._subject), fork).html())]

    async def _follow(self) -> None:
        """Looks again while the run goes on."""
        if isinstance(self._subject, Run):
            ended = asyncio.ensure_future(self._subject.wait())
            while not ended.done() and self.comm is not None:
                await asyncio.wait({ended}, timeout=BEAT)
                self.renew()

    def _later(self, work: Any) -> None:  # noqa: ANN401 (a coroutine of our own)
        loop = _running_loop()
        if loop is None:
            work.close()
            return
        task = loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _arrow(self, sign: str, hint: str, by: int) -> ipywidgets.Button:
        made = ipywidgets.Button(description=sign, tooltip=hint, layout={"width": "auto"})
        made.on_click(lambda _: self._go(by))
        return made

    def _go(self, by: int) -> None:
        self.steps.value = max(1, min(len(self._moments), self.steps.value + by))

    def __repr__(self) -> str:
        return record_text(self._events or ())

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:  # noqa: ANN401 (IPython's protocol)
        """The widgets, and beside them the record for readers who have no kernel."""
        fallback = {"text/plain": repr(self), "text/html": record_html(self._events or (), "Time travel")}
        return {**super()._repr_mimebundle_(**kwargs), **fallback}


SHEET = f"<style>{style(QUESTIONS, 'inspector.css', 'panel.css', 'travel.css')}</style>"


def _company(run: Run, place: ipywidgets.Box) -> Company:
    """A fork is shown in a box, and asks there; a button belongs to no running cell."""
    view = LiveView(run, "Fork")
    view.show_in(place)
    desk = LiveDesk(bridge_of_kernel, view.let_go) if kernel() is not None else ScriptedDesk()
    return Company(view.approver, (view,), lambda _: view.wait(run), view.shelf, desk)


def recorded_of(subject: Run | RecordedRun | Session | Sequence[Event]) -> RecordedRun:
    """The run as its events tell it so far."""
    if isinstance(subject, Run | RecordedRun | Session):
        return recorded(subject)
    return RecordedRun(subject)


def _events(subject: Run | RecordedRun | Session | Sequence[Event]) -> tuple[Event, ...]:
    match subject:
        case Session():
            return subject.last.events
        case Run() | RecordedRun():
            return subject.events
    return tuple(subject)


def _schemas(events: Sequence[Event]) -> dict[str, Schema]:
    """What the model was shown of arguments, by the name of each tool; nothing of what can't be read."""
    history = History()
    try:
        for event in events:
            history.add(event)
        shown: tuple[Definition, ...] = Shown().definitions(history.definitions_json)
        return {each.name: Schema(each.input_schema, each.name) for each in shown}
    except (LogError, SchemaError, KeyError, TypeError, AttributeError):  # a log of another program
        return {}


def _html(*nodes: Node, text: str = "") -> ipywidgets.HTML:
    return ipywidgets.HTML(text or (_drawn(*nodes) if nodes else ""), layout={"margin": "0"})


def _drawn(*nodes: Node) -> str:
    return to_html(element("div", f"cw cw-bare {AS_IT_IS}", *nodes))


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
