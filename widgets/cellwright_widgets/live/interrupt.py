"""The stop button of the toolbar, made to work while a run is going.

ipykernel turns an interrupt of an awaiting cell into a cancellation only when its event loop happens to wake, and
ignores one while no cell runs. For the time of a run a handler of our own does neither. While another cell of the
person runs, the interrupt is that cell's, so the handler steps aside; not for code without a number, which an agent
runs here: it hears of its interrupt and hands it on. It is given back at the end, whatever happens.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable
from typing import Any

from IPython.core.getipython import get_ipython

AFTER_CELL = 0.1
"""Seconds after a cell's end until the kernel has put back its own handler."""


class InterruptWatch:
    """Calls `stop` on the event loop when the kernel is interrupted, between `begin` and `end`."""

    def __init__(self, stop: Callable[[], None]) -> None:
        self._stop = stop
        self._loop = asyncio.get_running_loop()
        self._before: Any = None
        self._armed = False
        self._ended = False
        self._shell: Any = get_ipython()

    def begin(self) -> None:
        """Watches from the end of the running cell on."""
        if self._shell is not None:
            self._shell.events.register("pre_run_cell", self._cell_begins)
            self._shell.events.register("post_run_cell", self._cell_ended)

    def arm(self) -> None:
        """Watches now: the running cell waits for the run. Signals can be had in the main thread only."""
        if self._armed or self._ended or threading.current_thread() is not threading.main_thread():
            return
        before = signal.signal(signal.SIGINT, self._handle)
        if before != self._handle:  # a tool that ran code here has put it back itself
            self._before = before
        self._armed = True

    def disarm(self) -> None:
        """Gives the interrupt back."""
        if not self._armed:
            return
        self._armed = False
        if signal.getsignal(signal.SIGINT) == self._handle:
            signal.signal(signal.SIGINT, self._before)

    def end(self) -> None:
        """Stops watching for good."""
        self._ended = True
        self.disarm()
        if self._shell is not None:
            for event, callback in (("pre_run_cell", self._cell_begins), ("post_run_cell", self._cell_ended)):
                if callback in self._shell.events.callbacks[event]:
                    self._shell.events.unregister(event, callback)

    def _handle(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop)

    def _cell_begins(self, info: Any) -> None:  # noqa: ANN401 (IPython is untyped here)
        if info.store_history:
            self.disarm()

    def _cell_ended(self, result: Any) -> None:  # noqa: ANN401 (as above)
        if result.info.store_history:
            self._loop.call_later(AFTER_CELL, self._arm_again)

    def _arm_again(self) -> None:
        self._armed = False  # the kernel has put its own handler back at the end of the cell
        self.arm()
