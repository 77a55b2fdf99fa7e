"""A server that keeps kernels: a Jupyter server, a Kernel Gateway or an Enterprise Gateway, by its address.

Heavy work belongs on a machine that is made for it, so the person who sets an agent up can name such a server; its
kernels then take the place of those installed here. The model neither chooses the server nor sees the token. What is
asked of the server blocks, and stands in a thread; only who needs to know its kernels before it has told them waits.

Chosen: a few requests of our own, instead of jupyter-server's gateway client, which is one for the whole process,
connects while the event loop stands still, and waits for messages by asking without a pause. The rule that must never
break: the token goes to that one server, by its header alone: in no address, no message, and after no redirect.
"""

from __future__ import annotations

import http.client
import json
import os
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

from cellwright.errors import ToolError, UsageError
from cellwright.kernels.kernel_outputs import UNREADABLE
from cellwright.messages import JsonObject, clean_text

TOKENS = ("KG_AUTH_TOKEN", "JUPYTER_TOKEN")
"""The variables that may hold its token; the first that is set."""
TIMEOUT = 5.0
"""Seconds that the server has for an answer, or for the next part of one."""
KNOWN_FOR = 30.0
"""Seconds after which the list of its kernels is asked for anew."""
FAILED_FOR = 3.0
"""Seconds for which it isn't asked again after it could not be."""
MAX_BYTES = 10_000_000
"""Of an answer."""


class Gateway:
    """One server, for kernels of any number of runs.

    Raises:
        UsageError: if the address can't be one.
    """

    def __init__(self, address: str, token: str = "") -> None:
        parts = _parts(address)
        if parts is None:
            raise UsageError(
                f"{_bare(address)!r} is no address of a Jupyter server; write it as http://host:8888, and put the "
                f"token into the variable {TOKENS[0]}"
            )
        given = urllib.parse.parse_qs(parts.query).get("token", [""])[0]
        self.address = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"
        """Without the token, for people to read."""
        self.token = token or given or next((os.environ[name] for name in TOKENS if os.environ.get(name)), "")
        if not self.token.isprintable() or not self.token.isascii():
            raise UsageError(f"the token for {self.address} holds characters that no token has; copy it once more")
        self._opener = direct_opener()
        self._asking = threading.Lock()
        self._known: dict[str, str] | ToolError = {}
        self._known_until = 0.0

    @property
    def headers(self) -> dict[str, str]:
        """What shows the server who asks."""
        return {"Authorization": f"token {self.token}"} if self.token else {}

    @property
    def socket_address(self) -> str:
        """The address for conversations."""
        return "ws" + self.address.removeprefix("http")

    def kernels(self) -> dict[str, str]:
        """The kernels that are installed there: the language of each, by name. Blocks only where none are known yet:
        a list that is too old is the answer once more, while a new one is asked for.

        Raises:
            ToolError: `gateway_failed`, `gateway_error`.
        """
        known = self._known
        if not known or isinstance(known, ToolError):
            known = self._learnt()
        elif time.monotonic() >= self._known_until and not self._asking.locked():
            self.look_ahead()
        if isinstance(known, ToolError):
            raise ToolError(known.code, known.message)
        return known

    def look_ahead(self) -> None:
        """Asks for its kernels in a thread, so that whoever needs them soon doesn't have to wait."""
        threading.Thread(target=self._learnt, name="cellwright-gateway", daemon=True).start()

    def ask(self, method: str, path: str, body: JsonObject | None = None, timeout: float = TIMEOUT) -> Any:  # noqa: ANN401 (JSON is what it is)
        """What the server answers; None where it answers nothing. Blocks.

        Raises:
            ToolError: `gateway_failed`, `gateway_error` where it answers with one, `not_found` where that is 404.
        """
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.address}/{path}", data, self.headers, method=method)  # noqa: S310 (http or https, by __init__)
        request.add_header("Content-Type", "application/json")
        try:
            with self._opener.open(request, timeout=timeout) as answer:
                told = answer.read(MAX_BYTES)
            return json.loads(told) if told.strip() else None
        except urllib.error.HTTPError as error:
            with error:
                raise self._refusal(error) from None
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", error)
            raise ToolError(
                "gateway_failed", f"{self.address} can't be reached: {reason or type(error).__name__}"
            ) from None
        except (ValueError, RecursionError):
            raise self._stranger(f"its answer to {path} is no JSON") from None

    def _learnt(self) -> dict[str, str] | ToolError:
        """What there is to know now: asked for, unless that was done a moment ago."""
        with self._asking:
            if time.monotonic() >= self._known_until:
                try:
                    self._known, holds = self._listed(), KNOWN_FOR
                except ToolError as error:
                    self._known, holds = error, FAILED_FOR
                self._known_until = time.monotonic() + holds
            return self._known

    def _listed(self) -> dict[str, str]:
        try:
            told = self.ask("GET", "api/kernelspecs")
            specs = told["kernelspecs"]
            return {name: str(specs[name]["spec"].get("language", "")) for name in sorted(specs)}
        except UNREADABLE:
            raise self._stranger("it has no list of kernels") from None
        except ToolError as error:
            raise self._stranger("it knows of no kernels") if error.code == "not_found" else error from None

    def _stranger(self, why: str) -> ToolError:
        return ToolError("gateway_failed", f"{self.address} does not speak as a Jupyter server: {why}")

    def _refusal(self, error: urllib.error.HTTPError) -> ToolError:
        status, said = error.code, _said(error)
        if status in (401, 403):
            has = "is refused" if self.token else "is missing"
            what = f"the token {has} ({status}{said}); the person sets it as {' or '.join(TOKENS)}"
            return ToolError("gateway_failed", f"{self.address} does not let this agent in: {what}")
        if status in (301, 302, 303, 307, 308):
            where = _bare(str(error.headers.get("Location", "")))[:200]
            return self._stranger(f"it leads on to {where!r}, which is not followed; name the real address")
        code = "not_found" if status == 404 else "gateway_error"
        return ToolError(code, f"{self.address} answers with an error ({status}{said})")


def direct_opener() -> urllib.request.OpenerDirector:
    """Asks a server itself: no proxy hears its token, and no other server that it leads to."""
    return urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirects())


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Another server could ask for the token."""

    def redirect_request(self, *_: object) -> None:
        """None: what is asked for stays the error that it is."""


def _parts(address: str) -> urllib.parse.SplitResult | None:
    """An address taken apart; None if it can't be that of a server."""
    try:
        parts = urllib.parse.urlsplit(address.strip())
        is_server = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        return None
    return parts if is_server and parts.username is None and not parts.fragment else None


def _bare(address: str) -> str:
    """An address without what could be secret in it."""
    address = address.strip().partition("?")[0].partition("#")[0]
    scheme, mark, rest = address.partition("://")
    return f"{scheme}{mark}{rest.rpartition('@')[2]}"


def _said(error: urllib.error.HTTPError) -> str:
    """What the server says of its error, if it says it as Jupyter does."""
    try:
        told = json.loads(error.read(MAX_BYTES))
        said = str(told.get("message") or told.get("reason") or "")
    except (OSError, http.client.HTTPException, *UNREADABLE):
        return ""
    return f": {' '.join(clean_text(said).split())[:300]}" if said else ""
