"""Stops a turn of the model when the time of the budget is over, or a result of its calls ends the run.

A turn is awaited in the run's own task, so that stopping the run reaches it at once; the alarm reaches it the same way,
by cancelling that task, and is told apart afterwards. Time can stand still meanwhile, while a person is asked, so the
alarm looks again when it rings. A model that keeps the cancellation to itself is cancelled again after each grace.
The rule that must never break: a run that the person stops counts as stopped, whatever else rings.
"""

from __future__ import annotations

import asyncio
from types import TracebackType

from cellwright.calls.execution import GRACE
from cellwright.runs.budget import BudgetSpent, Spending


class Alarm:
    """A context in which the current task may be until the time is over, or `ring` is called.

    Raises:
        BudgetSpent: when leaving it, if the time was over before the work in it.
        TimeoutError: the same, if it was rung.
    """

    def __init__(self, spending: Spending) -> None:
        self._spending = spending
        self._rings = 0
        self._task: asyncio.Task[object] | None = None
        self._next: asyncio.TimerHandle | None = None
        self._is_rung = False

    def __enter__(self) -> Alarm:
        self._task = asyncio.current_task()
        left = self._spending.seconds_left
        if left is not None:
            self._set(left)
        return self

    def ring(self) -> None:
        """Ends the work in it, if it goes on."""
        if self._task:
            self._is_rung = True
            self._cancel()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._next:
            self._next.cancel()
        task, self._task = self._task, None
        if not self._rings or task is None:
            return
        others = [task.uncancel() for _ in range(self._rings)][-1]
        if not others and isinstance(error, asyncio.CancelledError | Exception):
            if self._is_rung:
                raise TimeoutError("a result ends the run") from None
            raise BudgetSpent(f"{self._spending.time_over()} while the model was thinking") from None

    def _set(self, seconds: float) -> None:
        self._next = asyncio.get_running_loop().call_later(seconds, self._look)

    def _look(self) -> None:
        left = self._spending.seconds_left or 0.0
        if left > 0:
            self._set(left)
            return
        self._cancel()
        self._set(GRACE)

    def _cancel(self) -> None:
        self._rings += 1
        if self._task:
            self._task.cancel()
