"""An interrupt from the keyboard, in a script: it stops what is awaited, and is then raised.

The system may give a signal to any thread. Python runs its handler in the main thread only, and that one may be
asleep, waiting for events; then nothing happens until the next event. An event loop that knows of the signal is woken
by it, so it is told here (source: `signal.set_wakeup_fd`, which `loop.add_signal_handler` uses). The rule that must
never break: where somebody else heeds interrupts, or ignores them, it stays so.
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
        return asyncio.run(_heeding(work))
    return asyncio.run(work)


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
