"""A script's way into an event loop and out of it again: an interrupt stops what is awaited, and is then raised.

The system may give a signal to any thread. Python runs its handler in the main thread only, and that one may be
asleep, waiting for events; then nothing happens until the next event. An event loop that knows of the signal is woken
by it, so it is told here (source: `signal.set_wakeup_fd`, which `loop.add_signal_handler` uses). The rule that must
never break: where somebody else heeds interrupts, or ignores them, it stays so.

`asyncio.run` waits for every task that is left, also for one that refuses to end, and then the script never does. Here
such a task is left behind after a moment.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

Done = TypeVar("Done")


def run_until_interrupted(work: Coroutine[Any, Any, Done]) -> Done:
    """`asyncio.run`, woken by an interrupt whichever thread gets it.

    Raises:
        KeyboardInterrupt: after an interrupt, once the work has come to its end.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        return asyncio.run(_leaving(_heeding(work)))
    return asyncio.run(_leaving(work))


LAST_MOMENT = 2.0
"""Seconds that tasks get to end once the work is done."""


async def _leaving(work: Coroutine[Any, Any, Done]) -> Done:
    """The work, after which nothing is waited for that would not end."""
    try:
        return await work
    finally:
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left, timeout=LAST_MOMENT)
        for task in left:
            if not task.done():
                asyncio._unregister_task(task)  # what the manual names for it ("Extending")


async def _heeding(work: Coroutine[Any, Any, Done]) -> Done:
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    interrupts = []

    def interrupt() -> None:
        interrupts.append(signal.SIGINT)
        if task:
            task.cancel()

    with suppress(NotImplementedError):  # on Windows, where asyncio wakes by itself now and then
        loop.add_signal_handler(signal.SIGINT, interrupt)
    try:
        return await work
    except asyncio.CancelledError:
        if interrupts:
            raise KeyboardInterrupt from None
        raise
    finally:
        with suppress(NotImplementedError):
            loop.remove_signal_handler(signal.SIGINT)
