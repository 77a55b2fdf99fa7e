"""Who is around while a run goes on: whom it asks, who watches it, how its end is waited for.

A run asks the same of a terminal, a notebook and a test: somebody who approves, observers, a way to wait in which
clicks can arrive. A front end answers with one value, so an agent knows of none. The rule that must never break: a
company decides who is asked, and never what is allowed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from msgspec import Struct, field

from cellwright.log.events import Observer
from cellwright.person.approval import Approver
from cellwright.runs.desk import Desk, ScriptedDesk
from cellwright.runs.run import Run
from cellwright.views.shelf import Shelf


class Company(Struct, frozen=True):
    """Who is around while a run goes on: the seam to a front end."""

    approver: Approver
    """Who is asked, unless the agent was given an approver."""
    observers: Sequence[Observer] = ()
    """Who watches, beside the observers that the agent was given."""
    wait: Callable[[Run], Awaitable[None]] = Run.wait
    """How code that awaits the run waits for its end. It may return before the end, where waiting could never end."""
    shelf: Shelf = field(default_factory=Shelf)
    """What is kept for a front end that shows more than views hold."""
    desk: Desk = field(default_factory=ScriptedDesk)
    """The notebooks that are open before the person."""


class Waiting:
    """How code waits for the end of a run; knows whether some does."""

    def __init__(self, wait: Callable[[Run], Awaitable[None]]) -> None:
        self._wait = wait
        self._times = 0

    async def __call__(self, run: Run) -> None:
        """Waits."""
        self._times += 1
        try:
            await self._wait(run)
        finally:
            self._times -= 1

    def is_going_on(self) -> bool:
        """Whether code waits at this moment."""
        return self._times > 0
