"""Waiting for a person, who takes as long as it takes.

Whoever asks a person runs code that is not ours, and may not let go when the run is stopped. So it has a task of its
own. The rule that must never break: who stops waiting is not held back by who asks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from cellwright.execution import GRACE

Said = TypeVar("Said")


async def heard(asking: Coroutine[Any, Any, Said | KeyboardInterrupt]) -> Said:
    """What was said.

    Raises:
        KeyboardInterrupt: if that came in its place.
    """
    task = asyncio.create_task(asking)
    try:
        await asyncio.wait({task})
    except asyncio.CancelledError:
        task.cancel()
        await asyncio.wait({task}, timeout=GRACE)
        raise
    said = task.result()
    if isinstance(said, KeyboardInterrupt):
        raise said
    return said
