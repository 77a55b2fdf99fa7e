"""Which machines may be asked: those of the public web, and no others.

An address is public if no standard gives it another meaning. The list is ours and written out: that of Python's
`ipaddress` differs from version to version, and knows nothing of the addresses at which clouds tell secrets. The rule
that must never break: what is not known to be public is refused, also where it is wrapped in an address of another
kind.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator

from msgspec import Struct

from cellwright.errors import UsageError
from cellwright.web.url import Url

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

SPECIAL = {
    "168.63.129.16/32": "the metadata service of a cloud",
    "169.254.169.254/32": "the metadata service of a cloud",
    "100.100.100.200/32": "the metadata service of a cloud",
    "192.0.0.192/32": "the metadata service of a cloud",
    "fd00:ec2::254/128": "the metadata service of a cloud",
    "fd20:ce::254/128": "the metadata service of a cloud",
    "0.0.0.0/8": "this machine itself",
    "10.0.0.0/8": "a private network",
    "100.64.0.0/10": "the network of a provider (carrier-grade NAT)",
    "127.0.0.0/8": "this machine itself (loopback)",
    "169.254.0.0/16": "a link-local address",
    "172.16.0.0/12": "a private network",
    "192.0.0.0/24": "reserved for protocols",
    "192.0.2.0/24": "reserved for examples",
    "192.88.99.0/24": "a relay from IPv6",
    "192.168.0.0/16": "a private network",
    "198.18.0.0/15": "reserved for benchmarks",
    "198.51.100.0/24": "reserved for examples",
    "203.0.113.0/24": "reserved for examples",
    "224.0.0.0/4": "a multicast address",
    "240.0.0.0/4": "reserved",
    "::/128": "this machine itself",
    "::1/128": "this machine itself (loopback)",
    "fc00::/7": "a private network",
    "fe80::/10": "a link-local address",
    "fec0::/10": "a site-local address",
    "ff00::/8": "a multicast address",
    "2001::/23": "reserved for protocols (Teredo and others)",
    "2001:db8::/32": "reserved for examples",
    "2002::/16": "an IPv4 address wrapped for 6to4",
    "3fff::/20": "reserved for examples",
}
"""Networks with a meaning of their own, the nearer ones first."""
NETWORKS: tuple[tuple[Network, str], ...] = tuple((ipaddress.ip_network(net), why) for net, why in SPECIAL.items())
PUBLIC_V6 = ipaddress.IPv6Network("2000::/3")
"""All of IPv6 that is given out so far."""
WRAPPED = (ipaddress.IPv6Network("::ffff:0:0/96"), ipaddress.IPv6Network("::/96"))
"""IPv4 addresses spelled as IPv6; no name of the web has them."""
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
"""How a network without IPv4 reaches it; what counts is the address inside."""
INNER_NAMES = ("localhost", "local", "internal", "intranet", "lan", "home", "corp", "home.arpa", "onion", "alt")
"""Ends of names that are none of the public web."""
OLD_PORTS = 1024
"""Ports below are those of other services than the web, but for 80 and 443."""


class Reach(Struct, frozen=True):
    """Which machines may be asked. `Reach()` is the public web.

    `also` names addresses or networks that may be asked beside it, as `127.0.0.1` for a server of one's own. Only the
    program that makes the tool can say so; no argument of a call can.

    Raises:
        UsageError: if one of them is no address.
    """

    also: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        try:
            tuple(self._extra())
        except ValueError as error:
            raise UsageError(f"{error}; give addresses or networks, as Reach(('127.0.0.1', '10.1.0.0/16'))") from None

    def refusal(self, address: str) -> str:
        """Why an IP address may not be asked; nothing if it may."""
        try:
            found = ipaddress.ip_address(address.partition("%")[0])
        except ValueError:
            return f"{address!r} is no IP address"
        if any(found.version == network.version and found in network for network in self._extra()):
            return ""
        why = _meaning(found)
        return f"{found} is {why}, and only the public web is fetched" if why else ""

    def refusal_of(self, url: Url) -> str:
        """Why an address of the web may not be asked, as far as can be told before its name is looked up."""
        if url.is_number:
            return self.refusal(url.host) or self._port_refusal(url)
        name = url.host
        inner = "." not in name or any(name == end or name.endswith(f".{end}") for end in INNER_NAMES)
        if inner and not self.also:
            return f"{name} is a name of an inner network, and only the public web is fetched"
        return self._port_refusal(url)

    def _port_refusal(self, url: Url) -> str:
        if url.port in (80, 443) or url.port >= OLD_PORTS or self.also:
            return ""
        return f"port {url.port} is that of another service than the web; use 80, 443 or one from {OLD_PORTS}"

    def _extra(self) -> Iterator[Network]:
        return (ipaddress.ip_network(network) for network in self.also)


def _meaning(address: Address) -> str:
    """What an address is if it is not a public one; nothing if it is."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if address in NAT64:
            why = _meaning(inner)
            return f"{inner} behind NAT64, {why}" if why else ""
        if int(address) > 1 and any(address in network for network in WRAPPED):
            return f"the IPv4 address {inner} spelled as IPv6"
    for network, why in NETWORKS:
        if address.version == network.version and address in network:
            return why
    if isinstance(address, ipaddress.IPv6Address) and address not in PUBLIC_V6:
        return "no address of the public web"
    return ""
