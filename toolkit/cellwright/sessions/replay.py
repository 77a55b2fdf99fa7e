"""A run shown again: the same events to the same views, without a model, a key or a tool.

Whoever watches a run is told its events, and knows nothing else of it. So who is told them again sees the run again,
at the pace at which it went, faster, or all at once. The rule that must never break: a replay tells what the log holds,
byte for byte, and does nothing.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Sequence

from cellwright.errors import UsageError
from cellwright.log.events import Event, Observer

LONGEST = 5.0
"""Seconds that a replay waits between two events at most; a person thought, or a night passed."""


async def replay(events: Iterable[Event], observers: Sequence[Observer], speed: float = math.inf) -> None:
    """Tells the events to the observers; `speed=1` at the pace of the run, 2 twice as fast, by default at once.

    Raises:
        UsageError: if the speed is no number above 0.
    """
    if not speed > 0:
        raise UsageError(f"speed={speed!r} is no pace; give a number above 0, such as 2 for twice as fast")
    before: float | None = None
    for event in events:
        pause = min(LONGEST, max(0.0, event.time - (event.time if before is None else before)) / speed)
        if pause:
            await asyncio.sleep(pause)
        before = event.time
        for observer in observers:
            observer.on_event(event)
