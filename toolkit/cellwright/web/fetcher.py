"""One page fetched: looked up, checked, connected to what was checked, read as far as the limits go.

Each hop of a redirect begins anew: its address is read, its name looked up, its machine checked. A redirect is only
followed on the same host, since a yes to one site is no yes to another; where it leads is told instead. Proxies named
in the environment are not used, for a proxy looks names up itself, and nobody could check what it then connects to.
The rule that must never break: no request carries a cookie, a credential or the address of another page.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urljoin
from urllib.request import getproxies_environment

from msgspec import Struct, field

from cellwright.errors import ToolError
from cellwright.views.view import Text
from cellwright.web.body import Body, read_body
from cellwright.web.reach import Reach
from cellwright.web.resolver import Resolver, SystemResolver
from cellwright.web.url import Url, read_url

if TYPE_CHECKING:  # of the extra `web`; imported once something is fetched
    import httpcore2

HEADERS = (
    (b"User-Agent", b"Mozilla/5.0 (compatible; cellwright; fetches pages that its user asks for)"),
    (b"Accept", b"text/html,application/xhtml+xml,application/json;q=0.9,text/*;q=0.9,*/*;q=0.5"),
    (b"Accept-Encoding", b"gzip, deflate"),
    (b"Connection", b"close"),
)
"""All that a request carries beside its address. Of the ways of packing, those that can be unpacked within a limit."""
MOVED = frozenset((301, 302, 303, 307, 308))


class Limits(Struct, frozen=True):
    """How much one page may take."""

    seconds: float = 30.0
    """From the first look-up to the last byte, redirects included."""
    quiet_seconds: float = 15.0
    """Without a byte, and for a connection."""
    bytes: int = 5_000_000
    """Of the body, packed and unpacked."""
    hops: int = 5
    """Redirects."""


class Fetched(Struct, frozen=True):
    """What came of an address."""

    url: Url
    """The last one, after redirects."""
    status: int
    media_type: str
    """Such as `text/html`, in lower case; empty if the server says none."""
    charset: str
    """As the server says it."""
    body: Body
    hops: tuple[Url, ...] = ()
    """The addresses before the last one."""

    @property
    def phrase(self) -> str:
        """The status in words. They are ours: those of a server could say anything."""
        try:
            return f"{self.status} {HTTPStatus(self.status).phrase}"
        except ValueError:
            return str(self.status)


class Fetcher(Struct, frozen=True):
    """Fetches pages. Who makes it says which machines it may ask, and how names and connections are come by."""

    reach: Reach = field(default_factory=Reach)
    resolver: Resolver = field(default_factory=SystemResolver)
    limits: Limits = field(default_factory=Limits)
    network: httpcore2.AsyncNetworkBackend | None = None
    """What makes connections to the addresses that were checked; None for real ones."""
    tls: ssl.SSLContext | None = None
    """Which certificates are trusted; None for those that the system trusts."""

    async def fetch(self, url: Url) -> Fetched:
        """What is at an address.

        Raises:
            ToolError: `address_refused`, `redirected`, `redirect_refused`, `too_many_redirects`, `not_resolved`,
                `connection_failed`, `tls_failed`, `broken_response`, `unsupported_encoding`, `timeout`.
        """
        try:
            async with asyncio.timeout(self.limits.seconds):
                return await self._followed(url)
        except TimeoutError:
            message = f"{url} was not there within {self.limits.seconds:g} seconds; nothing of it is kept"
            raise ToolError("timeout", message, Text(message)) from None

    async def _followed(self, url: Url) -> Fetched:
        hops: list[Url] = []
        while True:
            async with self._answer(url) as response:
                location = _header(response, "location")
                if response.status not in MOVED or not location:
                    return await self._read(url, response, tuple(hops))
            if len(hops) >= self.limits.hops:
                raise ToolError(
                    "too_many_redirects", f"{url} is the end of {len(hops)} redirects, and leads on; gave up"
                )
            hops.append(url)
            url = self._next(url, location)

    def _next(self, url: Url, location: str) -> Url:
        """Where a redirect leads, if it may be followed."""
        try:
            target = read_url(urljoin(str(url), location))
        except (ToolError, ValueError) as error:
            raise ToolError("redirect_refused", f"{url} leads to an address that is none: {error}") from None
        refused = self.reach.refusal_of(target)
        if refused:
            raise ToolError("redirect_refused", f"{url} leads to {target}: {refused}")
        if url.scheme == "https" and target.scheme == "http":
            raise ToolError(
                "redirect_refused", f"{url} leads to {target}, which is not encrypted; fetch that one if you want to"
            )
        if target.domain != url.domain:
            raise ToolError(
                "redirected",
                f"{url} leads to another site: {target}. Nothing was fetched from there; call web_fetch with that "
                "address if you want it, and it is judged by itself",
            )
        return target

    async def checked_addresses(self, url: Url) -> tuple[str, ...]:
        """The addresses of a host, looked up once, if all of them may be asked.

        Raises:
            ToolError: `address_refused`, or what the resolver raises.
        """
        refused = self.reach.refusal_of(url)
        if refused:
            raise ToolError("address_refused", f"{url} is not fetched: {refused}")
        try:
            found = (url.host,) if url.is_number else tuple(await self.resolver.addresses(url.host))
        except ToolError as error:
            raise ToolError(error.code, error.message + _about_proxies()) from None
        for address in found:
            refused = self.reach.refusal(address)
            if refused:
                raise ToolError("address_refused", f"{url} is not fetched: {url.host} leads to {refused}")
        return found

    @asynccontextmanager
    async def _answer(self, url: Url) -> AsyncIterator[httpcore2.Response]:
        """The answer of the host, its body yet to be read."""
        import httpcore2

        from cellwright.web.pinned import Pinned

        network = Pinned(await self.checked_addresses(url), self.network)
        host, quiet = url.domain, self.limits.quiet_seconds
        asked = httpcore2.URL(scheme=url.scheme, host=url.host, port=url.port, target=url.target)
        times = {"connect": quiet, "read": quiet, "write": quiet, "pool": quiet}
        try:
            async with (
                httpcore2.AsyncConnectionPool(self.tls, network_backend=network, retries=0) as pool,
                pool.stream(
                    "GET", asked, headers=[(b"Host", host.encode()), *HEADERS], extensions={"timeout": times}
                ) as response,
            ):
                yield response
        except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.TimeoutException) as error:
            raise _failure(url, error) from None

    async def _read(self, url: Url, response: httpcore2.Response, hops: tuple[Url, ...]) -> Fetched:
        import httpcore2

        packed = _header(response, "content-encoding")
        broken = (httpcore2.NetworkError, httpcore2.ProtocolError)
        async with aclosing(response.aiter_stream()) as chunks:
            body = await read_body(chunks, packed, self.limits.bytes, broken)
        kind, _, rest = _header(response, "content-type").partition(";")
        charset = next((part.partition("=")[2] for part in rest.split(";") if "charset" in part.lower()), "")
        return Fetched(url, response.status, kind.strip().lower(), charset.strip().strip("\"'"), body, hops)


def _about_proxies() -> str:
    """What a person must know who reaches the web through a proxy alone."""
    is_set = any(name in getproxies_environment() for name in ("http", "https", "all"))
    return "; a proxy is set in the environment, and web_fetch uses none" if is_set else ""


def _header(response: httpcore2.Response, name: str) -> str:
    """The first header of a name; none is an empty text."""
    found = next((value for key, value in response.headers if key.lower() == name.encode()), b"")
    return found.decode("utf-8", "replace")


def _failure(url: Url, error: Exception) -> ToolError:
    """What went wrong on the way, for the model."""
    import httpcore2

    said = str(error) or type(error).__name__
    if isinstance(error.__cause__, ssl.SSLError) or "SSL" in said:
        return ToolError("tls_failed", f"{url.host} has no certificate that is trusted here ({said}); nothing was sent")
    match error:
        case httpcore2.ConnectError() | httpcore2.ConnectTimeout():
            return ToolError("connection_failed", f"no connection to {url.domain} ({said}){_about_proxies()}")
        case httpcore2.TimeoutException():
            message = f"{url} sent nothing for too long ({said}); nothing of it is kept"
            return ToolError("timeout", message, Text(message))
    return ToolError("broken_response", f"{url.domain} did not answer in HTTP, or broke off ({said})")
