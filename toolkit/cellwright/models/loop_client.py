"""One client of a provider for each event loop, which ends with it.

Connections are worth keeping from turn to turn, and belong to the event loop that opened them: in a notebook that is
one for ever, in a script each run has its own. A generator that is left half read is closed by the event loop when it
ends, and that is how a client learns of it. The rule that must never break: no connection is used on another loop, and
none outlives its own.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable
from functools import lru_cache
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

C = TypeVar("C")


class LoopClient(Generic[C]):
    """Makes the client of an event loop when it is first asked for."""

    def __init__(self, make: Callable[[], C], close: Callable[[C], Awaitable[None]]) -> None:
        self._make = make
        self._close = close
        self._held: WeakKeyDictionary[asyncio.AbstractEventLoop, tuple[C, AsyncGenerator[C, None]]] = (
            WeakKeyDictionary()
        )

    async def get(self) -> C:
        """The client of the running event loop."""
        loop = asyncio.get_running_loop()
        if loop not in self._held:
            life = self._life()
            self._held[loop] = (await anext(life), life)
        return self._held[loop][0]

    async def _life(self) -> AsyncGenerator[C, None]:
        client = self._make()
        try:
            yield client
        finally:
            await self._close(client)


@lru_cache(maxsize=1)
def trusted() -> ssl.SSLContext:
    """The certificates by which a server is known; reading them takes longer than all else of a new client."""
    import httpx2

    return httpx2.create_ssl_context()
