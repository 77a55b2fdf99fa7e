"""One conversation of a person with an agent: what they say begins a run, or steers the one that goes on.

Each run goes on from the one before. What the person sets beside it (model, tools) holds from the next run on. The rule
that must never break: what was said and not heard, because the run ended first, comes back to who said it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

import cellwright
from cellwright.context.context_window import known_window
from cellwright.errors import UsageError
from cellwright.models.model import Model
from cellwright.models.naming import model
from cellwright.runs.company import Company
from cellwright.runs.earlier import Earlier
from cellwright.runs.run import Run
from cellwright.selection import Selection
from cellwright.sessions.recorded_run import RecordedRun
from cellwright.sessions.session import Session
from cellwright.sessions.session_folder import SessionFolder
from cellwright.waiting.threads import in_thread
from cellwright_widgets.chat.hosted_agent import HostedAgent


class Chat:
    """The conversation. `host` is the company of each; `narrowed` takes tools away."""

    def __init__(
        self,
        agent: cellwright.Agent,
        host: Callable[[Run], Company],
        narrowed: Callable[[Selection], Selection],
        folder: SessionFolder | None,
    ) -> None:
        self.agent = agent
        self.folder = folder
        self.run: Run | None = None
        """The run that was started last."""
        self.after: Earlier | None = None
        """What the next run goes on from."""
        self.model_name = ""
        """The model of the next run; empty for the agent's own."""
        self.window = agent.window
        """How much the model of the last run can be sent."""
        self._host, self._narrowed = host, narrowed
        self._models: dict[str, Model] = {}
        self._turn = asyncio.Lock()

    @property
    def is_going(self) -> bool:
        """Whether a run goes on, and would hear what is said."""
        run = self.run
        return run is not None and run.going() is not None and run.stop_reason is None and not run.is_done

    async def say(self, text: str) -> Run:
        """Steers the run that goes on, or starts the next one.

        Raises:
            CellwrightError: if no run can be started: then nothing was said.
        """
        async with self._turn:
            if self.run is not None and self.is_going:
                self.run.steer(text)
                return self.run
            hosted = await self._hosted(self.after)
            return self._begun(partial(hosted.start, text, after=self.after))

    async def fork(self, run: RecordedRun, step: int) -> Run:
        """Starts a run that is a recorded one up to a step, where the model is asked anew.

        Raises:
            CellwrightError: if a run goes on, or there is no such step.
        """
        async with self._turn:
            self.need_rest()
            hosted = await self._hosted(run)
            return self._begun(partial(hosted.fork, run, step))

    def go_on_from(self, session: Session | None) -> None:
        """The next run goes on from a session; from nothing, without one.

        Raises:
            UsageError: if a run goes on or begins here, or goes on in the session.
        """
        self.need_rest()
        if self._turn.locked():
            raise UsageError("a run is just beginning here; stop it once it goes on, or await its end")
        if session is not None and session.is_going_on:
            raise UsageError(f"a run is writing {session.path.name} at this moment; await its end, or open it to read")
        self.run, self.after = None, session

    def need_rest(self) -> None:
        """Raises UsageError if a run goes on."""
        if self.is_going and self.run is not None:
            raise UsageError(f"{self.run.id} is going on here; stop it first, or await its end")

    def pick(self, name: str) -> None:
        """The next run asks the model of this name; a script begins anew."""
        self.model_name = name
        self._models.pop(name, None)

    async def _hosted(self, after: Earlier | None) -> HostedAgent:
        """The agent for the next run. Making a model may load packages, so it is done in a thread."""
        if self.run is not None:
            await self.run.wait()
        hosted = HostedAgent(self.agent, self._adopt, self._file(after))
        hosted.selection = self._narrowed(self.agent.selection)
        name = self.model_name
        if name:
            if name not in self._models:
                self._models[name] = await in_thread(partial(model, name))
            hosted.model, hosted.price, hosted.window = self._models[name], None, known_window(name)
        self.window = hosted.window
        return hosted

    def _file(self, after: Earlier | None) -> Path | None:
        """Where a conversation that begins is written; one that goes on has its file."""
        return self.folder.new_file() if self.folder is not None and after is None else None

    def _begun(self, begin: Callable[[], Run]) -> Run:
        before = self.run, self.after
        try:
            return begin()
        except BaseException:
            self.run, self.after = before
            raise

    def _adopt(self, run: Run) -> Company:
        """A run that begins here, also by `run.fork` in a cell, is the one to go on from."""
        self.run = self.after = self.agent.last_run = run
        return self._host(run)
