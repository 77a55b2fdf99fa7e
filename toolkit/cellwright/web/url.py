"""A web address, read so that it can mean one thing only.

Programs disagree about odd addresses: `http://2130706433/` is 127.0.0.1 for some, `http://good@evil/` looks like good
and goes to evil, a full-width dot is a dot for a resolver. What one program checks, another then reads differently. So
an odd spelling is not interpreted but refused, with the plain one to write. The rule that must never break: the host
that a person is shown is the host that is asked.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import unicodedata
from contextlib import suppress
from typing import Literal
from urllib.parse import quote

from msgspec import Struct

from cellwright.errors import ToolError

LONGEST = 4_000
"""Characters of an address; servers take no longer ones."""
PORTS = {"http": 80, "https": 443}
LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
NUMBER = re.compile(r"\d+|0[xX][0-9a-fA-F]*")
PATH_SAFE = "/%:@!$&'()*+,;=-._~"
QUERY_SAFE = PATH_SAFE + "?[]"


class Url(Struct, frozen=True):
    """An address that was read; `str(url)` is its one spelling, without a fragment."""

    scheme: Literal["http", "https"]
    host: str
    """A name in lower case ASCII, or a plain IP address without brackets."""
    port: int
    target: str
    """Path and query as they are sent."""

    @property
    def domain(self) -> str:
        """The host, and the port where it is not the usual one: what rules are held against."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def is_number(self) -> bool:
        """Whether the host is an IP address rather than a name."""
        return is_number(self.host)

    def __str__(self) -> str:
        return f"{self.scheme}://{self.domain}{self.target}"


def read_url(text: str) -> Url:
    """The address that a text spells.

    Raises:
        ToolError: `invalid_url`, saying what is odd and what to write.
    """
    _check_characters(text)
    found = re.fullmatch(r"([A-Za-z][A-Za-z0-9+.-]*):(.*)", text, re.S)
    scheme = found[1].lower() if found else ""
    if found is None or not text[len(scheme) :].startswith("://"):
        if scheme in ("http", "https") or not found or "." in scheme or re.match(r"\d", found[2]):
            raise _odd(text, "an address begins with https:// or http://, as in https://example.org/page")
        raise _odd(text, f"{scheme}: is not fetched, only https:// and http:// are")
    if scheme not in PORTS:
        raise _odd(text, f"{scheme}:// is not fetched, only https:// and http:// are")
    authority, target = _parted(text[len(scheme) + 3 :])
    if "@" in authority:
        raise _odd(text, "a user name or password before @ is never sent; leave out all from // to @")
    if "\\" in text.partition("?")[0]:
        raise _odd(text, r"a \ is read as / by some; write / or %5C")
    host, port = _host_and_port(authority, text)
    kind: Literal["http", "https"] = "https" if scheme == "https" else "http"
    return Url(kind, host, port or PORTS[scheme], target)


def is_number(host: str) -> bool:
    """Whether a host is an IP address rather than a name."""
    with suppress(ValueError):
        ipaddress.ip_address(host)
        return True
    return False


def spoken(host: str) -> str:
    """The name that a host in punycode (`xn--...`) is shown as elsewhere, and the alphabets in it; else nothing."""
    if "xn--" not in host:
        return ""
    try:
        shown = host.encode("ascii").decode("idna")
    except UnicodeError:
        return "it can't be shown in letters"
    alphabets = sorted({unicodedata.name(char, "?").split()[0].title() for char in shown if char.isalpha()})
    return f"elsewhere shown as {shown} ({', '.join(alphabets)} letters)"


def _odd(text: str, why: str) -> ToolError:
    return ToolError("invalid_url", f"{text[:200]!r} is no address to fetch: {why}")


def _check_characters(text: str) -> None:
    if len(text) > LONGEST:
        raise _odd(text[:80], f"it has {len(text):,} characters, and {LONGEST:,} are the most")
    for char in text:
        if char.isspace() or unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Zs", "Zl", "Zp"):
            blank = "a blank; write %20 for one in a path" if char == " " else "which is not seen; leave it out"
            raise _odd(text, f"it holds U+{ord(char):04X}, {blank}")


def _parted(rest: str) -> tuple[str, str]:
    """What stands before the path, and path and query as they are sent; a fragment is the reader's business."""
    end = next((at for at, char in enumerate(rest) if char in "/?#"), len(rest))
    path, asks, query = rest[end:].partition("#")[0].partition("?")
    sent = quote(path, safe=PATH_SAFE) or "/"
    return rest[:end], f"{sent}?{quote(query, safe=QUERY_SAFE)}" if asks else sent


def _host_and_port(authority: str, text: str) -> tuple[str, int | None]:
    if authority.startswith("["):
        host, closed, rest = authority[1:].partition("]")
        if not closed or (rest and not rest.startswith(":")):
            raise _odd(text, "an IPv6 address stands in brackets, as in https://[2001:db8::1]/")
        return _ipv6(host, text), _port(rest, text)
    host, colon, digits = authority.partition(":")
    return _name(host, text), _port(colon + digits, text)


def _port(given: str, text: str) -> int | None:
    if not given:
        return None
    if not re.fullmatch(r":[1-9][0-9]{0,4}", given, re.A) or int(given[1:]) > 65_535:
        raise _odd(text, f"{given!r} is no port; it is a number from 1 to 65535 without leading zeros")
    return int(given[1:])


def _ipv6(host: str, text: str) -> str:
    if "%" in host:
        raise _odd(text, "an address with a zone (%) is of this machine's own network")
    try:
        return str(ipaddress.IPv6Address(host))
    except ValueError:
        raise _odd(text, f"{host!r} is no IPv6 address") from None


def _name(host: str, text: str) -> str:
    if not host:
        raise _odd(text, "it names no host")
    if not host.isascii():
        raise _odd(text, _ascii_advice(host))
    if "%" in host:
        raise _odd(text, "a host is written without %; write its letters")
    if host.endswith("."):
        raise _odd(text, "write the host without the dot at its end")
    name = host.lower()
    labels = name.split(".")
    if NUMBER.fullmatch(labels[-1]):
        return _ipv4(name, text)
    wrong = next((label for label in labels if not LABEL.fullmatch(label)), None)
    if wrong is not None or len(name) > 253:
        raise _odd(text, f"{(wrong or name)[:80]!r} is no part of a host's name")
    return name


def _ipv4(host: str, text: str) -> str:
    try:
        return str(ipaddress.IPv4Address(host))
    except ValueError:
        pass
    meant = ""
    with suppress(OSError, ValueError):
        meant = f"; some read it as {socket.inet_ntoa(socket.inet_aton(host))}"
    raise _odd(text, f"{host!r} is an odd spelling of a number{meant}; write four plain numbers with dots")


def _ascii_advice(host: str) -> str:
    """What to write in place of letters that may look like others."""
    strange = next(char for char in host if not char.isascii())
    named = f"the host holds {strange!r} (U+{ord(strange):04X}, {unicodedata.name(strange, 'no name')})"
    with suppress(UnicodeError):
        return (
            f"{named}, and letters of other alphabets look alike; if you mean it, write {host.encode('idna').decode()}"
        )
    return f"{named}; write it in plain letters"
