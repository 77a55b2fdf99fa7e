"""How a provider is reached: at which address, and with which key.

A key comes from the environment, or is given. It is kept where nothing prints it: not in a `repr`, not in `vars()`,
not in an error. The rule that must never break: a key leaves this process in a request to its provider, and in no
other way.
"""

from __future__ import annotations

import ipaddress
import os
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from cellwright.errors import ModelError

VARIABLES = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY", "google": "GOOGLE_API_KEY"}
"""Where the keys of providers are looked for."""
ELSEWHERE = "CELLWRIGHT_API_KEY"
"""Where the key is looked for of a server that is named by its address, if it wants one."""
NO_KEY = "none"
"""What a server is sent that asks for no key; SDKs want something."""


class Key:
    """A key that nothing prints: whoever sends it asks for its text."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def text(self) -> str:
        """The key itself."""
        return self._text

    def __repr__(self) -> str:
        return "Key(...)"


class Access(Struct, frozen=True):
    """Where a model is, and what opens it."""

    provider: str
    model: str
    base_url: str | None
    """None for the provider's own."""
    key: Key

    @property
    def name(self) -> str:
        """What the model is called: by its provider, and by its host if that is another one's."""
        return f"{self.provider}:{self.model}" + (f"@{self.host}" if self.base_url else "")

    @property
    def secret(self) -> str:
        """The key itself, for the request."""
        return self.key.text()

    @property
    def variable(self) -> str:
        """The variable that holds the key; a provider's own is not sent to somebody else's server."""
        return (
            ELSEWHERE
            if self.base_url
            else VARIABLES.get(self.provider, f"{self.provider.upper().replace('-', '_')}_API_KEY")
        )

    @property
    def host(self) -> str:
        """Host and port of the address."""
        return urlsplit(self.base_url or "").netloc.rpartition("@")[2]

    @property
    def address(self) -> str:
        """The address, or whose it is."""
        return self.base_url or f"that of {self.provider}"

    @property
    def where(self) -> str:
        """How errors begin."""
        return f"{self.provider} at {self.host}" if self.base_url else self.provider

    @property
    def is_local(self) -> bool:
        """Whether the server is on this machine; then no proxy stands between."""
        host = urlsplit(self.base_url or "").hostname or ""
        try:
            return host == "localhost" or ipaddress.ip_address(host).is_loopback
        except ValueError:
            return False


def access_to(
    provider: str, model: str, base_url: str | None, api_key: str | None, *, needs_key: bool = True
) -> Access:
    """The access to a model, with the key that is given or that of the environment.

    Raises:
        ModelError: if there is no key, and the provider's own server needs one; or the address is none.
    """
    if base_url is not None and urlsplit(base_url).scheme not in ("http", "https"):
        raise ModelError(f"the address {base_url!r} is none of a server; write base_url='http://127.0.0.1:11434/v1'")
    access = Access(provider, model, base_url, Key(NO_KEY))
    found = (api_key or os.environ.get(access.variable, "")).strip()
    if needs_key and not found and not base_url:
        raise ModelError(f"no key for {provider}: set {access.variable}, or write model({access.name!r}, api_key=...)")
    return replace(access, key=Key(found)) if found else access
