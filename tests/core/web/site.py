"""Small sites on loopback that answer byte for byte what a test says, and pages fetched from them."""

import asyncio
import gzip
import ssl
from collections.abc import Callable

import trustme

from cellwright.web.fetcher import Fetcher, Limits
from cellwright.web.reach import Reach
from cellwright.web.resolver import ScriptedResolver
from cellwright.web.url import read_url

HERE = ("127.0.0.1",)
QUICK = Limits(seconds=20.0, quiet_seconds=10.0, bytes=200_000)


def answer(body=b"", kind="text/html; charset=utf-8", status="200 OK", length=None, **headers) -> bytes:
    """An answer as it goes over the wire; `length` says another length than the body has."""
    body = body.encode() if isinstance(body, str) else body
    given = {"Content-Length": len(body) if length is None else length, **({"Content-Type": kind} if kind else {})}
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in given.items())]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def leading(location: str, status="302 Found") -> bytes:
    return answer(status=status, kind="", Location=location)


def packed(body: bytes, **facts) -> bytes:
    return answer(gzip.compress(body), Content_Encoding="gzip", **facts)


class Site:
    """Serves answers by path. A function in place of bytes is awaited with the writer. `requests` keeps what came."""

    def __init__(self, answers: dict[str, bytes | Callable], tls: ssl.SSLContext | None = None) -> None:
        self.answers = answers
        self.requests: list[str] = []
        self._tls = tls

    async def __aenter__(self) -> "Site":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._tls)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_) -> None:
        self._server.close()

    def url(self, path="/", host="127.0.0.1") -> str:
        return f"{'https' if self._tls else 'http'}://{host}:{self.port}{path}"

    async def _serve(self, reader, writer) -> None:
        try:
            request = (await reader.readuntil(b"\r\n\r\n")).decode()
            self.requests.append(request)
            found = self.answers.get(request.split()[1], answer("not here", status="404 Not Found"))
            if callable(found):
                await found(writer)
            else:
                writer.write(found.replace(b"PORT", str(self.port).encode()))
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the other side has heard enough
        finally:
            writer.close()


def fetcher(names=None, also=HERE, limits=QUICK, **facts) -> Fetcher:
    """A fetcher for which each of these names leads to such addresses, and which may ask this machine."""
    answers = {name: found if isinstance(found[0], list) else [found] for name, found in (names or {}).items()}
    return Fetcher(Reach(also), ScriptedResolver(answers), limits, **facts)


def fetched(answers, path="/", host="127.0.0.1", tls=None, tls_client=None, **facts):
    """What is at a path of a site with these answers, and the site."""

    async def go():
        async with Site(answers, tls) as site:
            return await fetcher(tls=tls_client, **facts).fetch(read_url(site.url(path, host))), site

    return asyncio.run(go())


def certified(*names: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """A server's side with a certificate for these names, and a client's side that trusts who signed it."""
    authority = trustme.CA()
    server, client = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context()
    authority.issue_cert(*names).configure_cert(server)
    authority.configure_trust(client)
    return server, client
