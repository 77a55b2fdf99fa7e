"""What a press sets off, done where the runs are: on their event loop, one after another.

A press comes from whatever thread its message came on, and what its handler raises is shown nowhere. So a press is only
handed over here. The rule that must never break: it is done once, it holds up nobody, and what goes wrong is said.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from cellwright.errors import CellwrightError
from cellwright.waiting.threads import on_loop


class Errands:
    """For one event loop. `failed` is told what went wrong, and the class that shows how bad it is."""

    def __init__(self, loop: asyncio.AbstractEventLoop, failed: Callable[[str, str], None]) -> None:
        self._loop = loop
        self._failed = failed
        self._tasks: set[asyncio.Task[None]] = set()

    def do(self, act: Callable[[], None]) -> None:
        """Does it on the loop, from any thread: at once where this is its thread."""
        on_loop(self._loop, lambda: self._contained(act))

    def begin(self, act: Callable[[], Awaitable[None]]) -> None:
        """The same for what takes a while."""
        on_loop(self._loop, lambda: self.hold(self._awaited(act)))

    def hold(self, doing: Coroutine[Any, Any, None]) -> None:
        """Goes on with it in the background of the loop, which itself would forget it."""
        task = self._loop.create_task(doing)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _contained(self, act: Callable[[], None]) -> None:
        try:
            act()
        except Exception as error:
            self._tell(error)

    async def _awaited(self, act: Callable[[], Awaitable[None]]) -> None:
        try:
            await act()
        except Exception as error:
            self._tell(error)

    def _tell(self, error: Exception) -> None:
        if isinstance(error, CellwrightError):
            self._failed(str(error), "cw-warning")
        else:
            self._failed(f"This did not work: {type(error).__name__}: {error}", "cw-danger")
