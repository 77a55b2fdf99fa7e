"""Stops a turn of the model when the time of the budget is over.

A turn is awaited in the run's own task, so that stopping the run reaches it at once; the alarm reaches it the same way,
by cancelling that task, and is told apart afterwards. Time can stand still meanwhile, while a person is asked, so the
alarm looks again when it rings. A model that keeps the cancellation to itself is cancelled again after each grace.
The rule that must never break: a run that the person stops counts as stopped, whatever else rings.
"""

from __future__ import annotations

import asyncio
from types import TracebackType

from cellwright.budget import BudgetSpent, Spending
from cellwright.execution import GRACE


class Alarm:
    """A context in which the current task may be until the time is over.

    Raises:
        BudgetSpent: when leaving it, if the time was over before the work in it.
    """

    def __init__(self, spending: Spending) -> None:
        self._spending = spending
        self._rings = 0
        self._task: asyncio.Task[object] | None = None
        self._next: asyncio.TimerHandle | None = None

    def __enter__(self) -> None:
        self._task = asyncio.current_task()
        left = self._spending.seconds_left
        if left is not None:
            self._set(left)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._next:
            self._next.cancel()
        others = self._task.cancelling() if self._task else 0
        for _ in range(self._rings if self._task else 0):
            others = self._task.uncancel() if self._task else 0
        if self._rings and not others and isinstance(error, asyncio.CancelledError | Exception):
            raise BudgetSpent(f"{self._spending.time_over()} while the model was thinking") from None

    def _set(self, seconds: float) -> None:
        self._next = asyncio.get_running_loop().call_later(seconds, self._ring)

    def _ring(self) -> None:
        left = self._spending.seconds_left or 0.0
        if left > 0:
            self._set(left)
            return
        self._rings += 1
        if self._task:
            self._task.cancel()
        self._set(GRACE)
