"""Connections that can go to one place only: the addresses that were checked.

The library that speaks HTTP asks for a connection to a host by its name, once for each connection. What it gets goes
to an address from the list; the name is used for the certificate and for the `Host` header, and never looked up again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import httpcore2
from httpcore2 import AsyncNetworkBackend, AsyncNetworkStream

MOST = 4
"""Addresses of one name that are tried."""


class Pinned(AsyncNetworkBackend):
    """A network in which every name has the same few addresses. `inner` makes the connections."""

    def __init__(self, addresses: Sequence[str], inner: AsyncNetworkBackend | None = None) -> None:
        self._addresses = tuple(addresses[:MOST])
        self._inner = inner or httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> AsyncNetworkStream:
        """A connection to the first of the addresses that takes one."""
        failed: Exception = httpcore2.ConnectError(f"{host} has no address")
        for address in self._addresses:
            try:
                return await self._inner.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failed = error
        raise failed
