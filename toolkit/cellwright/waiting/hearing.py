"""Waiting for a person, who takes as long as it takes.

Whoever asks a person runs code that is not ours: it may raise what it likes, and may not let go when the run is
stopped. So it has a task of its own, and what it raises is told as a value. The rule that must never break: who stops
waiting is not held back by who asks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from msgspec import Struct

from cellwright.calls.execution import GRACE

Asked = TypeVar("Asked")


class Unheard(Struct, frozen=True):
    """Nothing was said: asking ended with this error; a `CancelledError` if whoever asks gave it up."""

    error: BaseException


async def heard(ask: Callable[[Asked], Awaitable[object]], about: Asked) -> object:
    """What was said, whatever it is, or `Unheard`.

    Raises:
        KeyboardInterrupt: if that came in its place.
    """
    task = asyncio.create_task(_heard(ask, about))
    try:
        await asyncio.wait({task})
    except asyncio.CancelledError:
        task.cancel()
        await asyncio.wait({task}, timeout=GRACE)
        raise
    said = task.result()
    if isinstance(said, Unheard) and isinstance(said.error, KeyboardInterrupt):
        raise said.error
    return said


async def _heard(ask: Callable[[Asked], Awaitable[object]], about: Asked) -> object:
    """An interrupt, too, is a value here: one that escaped a task would end the event loop."""
    try:
        return await ask(about)
    except (Exception, asyncio.CancelledError, KeyboardInterrupt, SystemExit) as error:
        return Unheard(error)
