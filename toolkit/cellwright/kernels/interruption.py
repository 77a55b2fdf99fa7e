"""Ending code that runs on the main thread, where nothing can take the processor from it.

While such code computes, the event loop stands still: no deadline of the loop passes and no button is heard. What
does reach it is the interrupt of the keyboard, SIGINT: from the person, and from a thread that watches the clock. Code
that computes gets a KeyboardInterrupt; code that awaits is cancelled, since there the exception would strike whoever
runs just then, and end the kernel. Neither can be forced: what swallows its interrupt goes on, and gets another.

The rule that must never break: a KeyboardInterrupt is raised only inside the code that it is meant for.
"""

from __future__ import annotations

import _thread
import asyncio
import contextvars
import signal
import threading
from collections.abc import Callable, Coroutine, Generator
from functools import partial
from types import FrameType
from typing import Any

AGAIN = 1.0
"""Seconds between two interrupts of code that is over its time."""


class Steps:
    """A coroutine that knows whether it computes at this moment, or awaits."""

    def __init__(self, coroutine: Coroutine[Any, Any, object]) -> None:
        self._coroutine = coroutine
        self.is_computing = False

    def __await__(self) -> Generator[Any, Any, object]:
        step: Callable[[], Any] = partial(self._coroutine.send, None)
        while True:
            self.is_computing = True
            try:
                waited_for = step()
            except StopIteration as end:
                return end.value
            finally:
                self.is_computing = False
            try:
                step = partial(self._coroutine.send, (yield waited_for))
            except BaseException as error:
                step = partial(self._coroutine.throw, error)


class Interruption:
    """Runs a coroutine as a task; interrupts it when its time is over, or when the person wants its end."""

    def __init__(
        self, coroutine: Coroutine[Any, Any, object], seconds: float, context: contextvars.Context | None = None
    ) -> None:
        self.by_person = False
        """The person has interrupted the kernel."""
        self.by_clock = 0
        """How often it was interrupted because its time was over."""
        self._steps = Steps(coroutine)
        self._seconds = seconds
        self._loop = asyncio.get_running_loop()
        self._over = threading.Event()
        self._sending = threading.Lock()
        self._is_clock = False
        self._before: Any = signal.SIG_DFL
        self.task = self._loop.create_task(self._run(), context=context)
        """Its value is that of the coroutine, or the KeyboardInterrupt that came out of it."""

    def begin(self) -> None:
        """Takes the interrupt over and starts the clock. Only on the main thread, and before the task's first step."""
        self._before = signal.signal(signal.SIGINT, self._interrupted)
        threading.Thread(target=self._watch, name="cellwright-clock", daemon=True).start()

    def end(self) -> None:
        """Stops the clock and gives the interrupt back."""
        with self._sending:
            self._over.set()
        if signal.getsignal(signal.SIGINT) == self._interrupted:
            signal.signal(signal.SIGINT, self._before)

    async def _run(self) -> object:
        try:
            return await self._steps
        except KeyboardInterrupt as interrupt:  # in the event loop it would end the kernel
            return interrupt

    def _watch(self) -> None:
        pause = self._seconds
        while not self._over.wait(pause):
            with self._sending:
                if self._over.is_set():
                    return
                self.by_clock += 1
                self._is_clock = True
                _interrupt_main_thread()
            pause = AGAIN

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        by_clock, self._is_clock = self._is_clock, False
        if not by_clock:
            self.by_person = True
            if callable(self._before) and self._before is not signal.default_int_handler:
                self._before(number, frame)  # whoever waits for the run learns of it, too
        if self._steps.is_computing:
            raise KeyboardInterrupt
        self._loop.call_soon_threadsafe(self.task.cancel)


def _interrupt_main_thread() -> None:
    """As the keyboard would. Where signals can be sent to a thread, the main one wakes up even from a sleep."""
    main = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and main is not None:
        signal.pthread_kill(main, signal.SIGINT)
    else:
        _thread.interrupt_main()
