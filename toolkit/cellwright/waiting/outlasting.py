"""Waiting for the end of something that has to be waited for, however often the waiting is cancelled.

What a run has begun (commands, sub-agents, calls from code) must have ended when the run has. A cancelled task that
left at once would leave it behind; one that swallowed its cancelling would run on as if nothing had been asked. So the
cancelling is kept, and passed on after the end. The rule that must never break: when this returns or raises, it is
over.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable


async def outlast(is_over: Callable[[], bool], wait: Callable[[], Awaitable[object]]) -> None:
    """Waits, as often as it takes, until it is over.

    Raises:
        asyncio.CancelledError: after the end, if the waiting was cancelled meanwhile.
    """
    cancelled = False
    while not is_over():
        try:
            await wait()
        except asyncio.CancelledError:
            cancelled = True
    if cancelled:
        raise asyncio.CancelledError
