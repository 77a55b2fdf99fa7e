"""A blocking function in a thread of its own, awaited.

Not `asyncio.to_thread`: its pool is small and shared with the rest of the process, and a function that never ends
would keep the interpreter from exiting. Here each call has its own daemon thread, with the context variables of the
caller. The rule that must never break: whatever the function raises reaches the one who awaits, and nobody else.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from typing import Any


async def in_thread(
    function: Callable[[], Any], started: Callable[[threading.Thread], None] = lambda thread: None
) -> Any:  # noqa: ANN401 (what the function returns)
    """The function's value; `started` is told the thread. Cancelling stops the waiting, not the function."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[tuple[Any, BaseException | None]] = loop.create_future()
    context = contextvars.copy_context()

    def settle(ending: tuple[Any, BaseException | None]) -> None:
        if not future.done():  # an exception travels as a value: a future refuses StopIteration
            future.set_result(ending)

    def work() -> None:
        ending: tuple[Any, BaseException | None]
        try:
            ending = context.run(function), None
        except BaseException as error:
            ending = None, error
        try:
            loop.call_soon_threadsafe(settle, ending)
        except RuntimeError:
            return  # the loop is closed: nobody waits any more

    thread = threading.Thread(target=work, name="cellwright", daemon=True)
    started(thread)
    thread.start()
    value, error = await future
    if error is not None:
        raise error
    return value
