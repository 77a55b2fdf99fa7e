"""A run while it goes on, in the hands of the person: its conditions, its pauses, from any thread.

What is changed here holds for what has not begun yet. The rule that must never break: the run's own event loop makes
the change, so that none comes in the midst of a call's judgement.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from msgspec.structs import replace

from cellwright.calls.conditions import Change, Conditions
from cellwright.calls.passage import Setup
from cellwright.errors import UsageError
from cellwright.permission.bypass import BypassConsent
from cellwright.permission.decision import Mode
from cellwright.permission.policy import Policy
from cellwright.runs.pausing import Breakpoints, Halt, Pauses
from cellwright.selection import Selection
from cellwright.waiting.threads import on_loop

Going = tuple[Setup, asyncio.Task[None]]
"""The surroundings of a run, and the task in which it goes on."""


class Steerable:
    """A run that can be paused, taken on step by step, and put under other conditions."""

    id: str

    def going(self) -> Going | None:
        """The run as it goes on; None if it has not begun."""
        raise NotImplementedError

    def set_mode(self, mode: Mode, consent: BypassConsent | None = None) -> None:
        """Switches the mode, from any thread; the next call that is judged is judged by it.

        Raises:
            UsageError: if there is no such mode, `bypass` comes without consent, or the run has ended.
        """
        Policy(mode, consent=consent)
        self._become(lambda now: replace(now, policy=replace(now.policy, mode=mode, consent=consent)))

    def set_max_parallel(self, max_parallel: int) -> None:
        """Sets how many calls run at once at most, from any thread; it holds from the next batch of calls on.

        Raises:
            UsageError: if it is no number from 1, or the run has ended.
        """
        Conditions(Policy(), max_parallel=max_parallel)
        self._become(lambda now: replace(now, max_parallel=max_parallel))

    def set_selection(self, selection: Selection) -> None:
        """Says which tools are shown and may be called, from any thread; it holds for the next turn and call.

        Raises:
            UsageError: if it is no selection, or the run has ended.
        """
        if not isinstance(selection, Selection):
            raise UsageError(f"{selection!r:.80} is no selection; write Selection(deny={{'run_command'}})")
        self._become(lambda now: replace(now, selection=selection))

    @property
    def halts(self) -> tuple[Halt, ...]:
        """The places at which the run waits to be taken on; none while it goes on by itself."""
        return self.pauses.halts if self.pauses else ()

    @property
    def pauses(self) -> Pauses | None:
        """Its pauses and breakpoints as they are now, for whoever shows them; None before it has begun."""
        going = self.going()
        return going[0].pauses if going else None

    def pause(self) -> None:
        """Waits before the next turn or call, from any thread; what has begun goes on to its end.

        Raises:
            UsageError: if the run has ended.
        """
        self._act(lambda setup: setup.pauses.pause())

    def step(self) -> None:
        """Takes a paused run on by one turn or call, from any thread; one that is not paused is paused.

        Raises:
            UsageError: if the run has ended.
        """
        self._act(lambda setup: setup.pauses.step())

    def go_on(self) -> None:
        """Lets a paused run go on to its end, or to the next breakpoint, from any thread.

        Raises:
            UsageError: if the run has ended.
        """
        self._act(lambda setup: setup.pauses.go_on())

    def set_breakpoints(self, breakpoints: Breakpoints) -> None:
        """Says where the run stops by itself, from any thread; they take the place of those there were.

        Raises:
            UsageError: if the run has ended.
        """
        self._act(lambda setup: setattr(setup.pauses, "breakpoints", breakpoints))

    def _become(self, change: Change) -> None:
        self._act(lambda setup: setup.standing.become(change(setup.standing.now), setup.log))

    def _act(self, act: Callable[[Setup], None]) -> None:
        going = self.going()
        if going is None or going[1].done():
            raise UsageError(f"{self.id} is not going on, so nothing holds for it; change the agent's own setting")
        setup, task = going

        def on_its_loop() -> None:
            if not task.done():
                act(setup)

        on_loop(task.get_loop(), on_its_loop)
