"""One lane for calls that come at any time: what may overlap does, the rest goes alone, in the order of arrival.

Each that enters waits until all before it are on their way; one that may overlap then joins those that may, one that
must run alone waits until they have ended and holds up all that come after it. So two questions never stand before
the person at once. The rule that must never break: nobody overtakes, and whoever gives up waiting holds nobody up.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Callable


class Lane:
    """Used as `async with lane.turn(may_overlap):`; at most `room` go on at once."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._waiting: deque[tuple[asyncio.Future[None], Callable[[], bool]]] = deque()
        self._running = 0
        self._is_alone = False

    @contextlib.asynccontextmanager
    async def turn(self, may_overlap: Callable[[], bool]) -> AsyncIterator[None]:
        """Holds a place in the lane. `may_overlap` is asked when the turn could come, and not before."""
        place = asyncio.get_running_loop().create_future()
        entry = place, may_overlap
        self._waiting.append(entry)
        self._admit()
        try:
            await place
        except asyncio.CancelledError:
            if entry in self._waiting:
                self._waiting.remove(entry)
                self._admit()
            else:
                self._leave()
            raise
        try:
            yield
        finally:
            self._leave()

    def _admit(self) -> None:
        while self._waiting and not self._is_alone and self._running < self._room:
            place, may_overlap = self._waiting[0]
            if not may_overlap():
                if self._running:
                    return
                self._is_alone = True
            self._waiting.popleft()
            self._running += 1
            if not place.done():
                place.set_result(None)

    def _leave(self) -> None:
        self._running -= 1
        self._is_alone = False
        self._admit()
