import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.errors import UsageError
from cellwright.web.reach import Reach
from cellwright.web.url import read_url

PUBLIC = ["8.8.8.8", "93.184.216.34", "172.15.255.255", "172.32.0.1", "100.63.0.1", "169.253.0.1", "192.0.1.1"]
PUBLIC += ["2606:4700::1111", "2a00:1450:4001::1", "64:ff9b::8.8.8.8"]
INNER = {
    "127.0.0.1": "loopback",
    "127.255.255.254": "loopback",
    "0.0.0.0": "this machine",
    "10.0.0.1": "private",
    "172.16.0.1": "private",
    "172.31.255.255": "private",
    "192.168.1.1": "private",
    "100.64.0.1": "carrier-grade NAT",
    "100.100.100.200": "metadata service",
    "169.254.0.1": "link-local",
    "169.254.169.254": "metadata service",
    "168.63.129.16": "metadata service",
    "192.0.0.192": "metadata service",
    "224.0.0.1": "multicast",
    "239.255.255.255": "multicast",
    "255.255.255.255": "reserved",
    "240.0.0.1": "reserved",
    "198.18.0.1": "benchmarks",
    "192.0.2.1": "examples",
    "198.51.100.1": "examples",
    "203.0.113.1": "examples",
    "192.88.99.1": "relay",
    "::": "this machine",
    "::1": "loopback",
    "::ffff:127.0.0.1": "127.0.0.1 spelled as IPv6",
    "::ffff:8.8.8.8": "8.8.8.8 spelled as IPv6",
    "::127.0.0.1": "127.0.0.1 spelled as IPv6",
    "64:ff9b::10.0.0.1": "10.0.0.1 behind NAT64, a private network",
    "64:ff9b::a9fe:a9fe": "169.254.169.254 behind NAT64",
    "64:ff9b:1::8.8.8.8": "no address of the public web",
    "2002:7f00:1::": "6to4",
    "2002:808:808::": "6to4",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2": "Teredo",
    "2001:db8::1": "examples",
    "3fff::1": "examples",
    "fc00::1": "private",
    "fd00:ec2::254": "metadata service",
    "fd20:ce::254": "metadata service",
    "fe80::1": "link-local",
    "fe80::1%eth0": "link-local",
    "fec0::1": "site-local",
    "ff02::1": "multicast",
    "100::1": "no address of the public web",
    "5f00::1": "no address of the public web",
    "4000::1": "no address of the public web",
}


@pytest.mark.parametrize("address", PUBLIC)
def test_an_address_of_the_public_web_may_be_asked(address):
    assert Reach().refusal(address) == ""


@pytest.mark.parametrize(("address", "words"), INNER.items())
def test_any_other_address_is_refused_with_its_meaning(address, words):
    assert words in Reach().refusal(address)


@given(st.ip_addresses())
def test_nothing_is_allowed_that_python_knows_to_be_inner(address):
    """Python's list is another and shorter one; ours may refuse more, and never less."""
    bad = address.is_private or address.is_loopback or address.is_link_local or address.is_multicast
    if (bad or address.is_reserved or address.is_unspecified) and address not in ipaddress.ip_network("64:ff9b::/96"):
        assert Reach().refusal(str(address))


@given(st.ip_addresses(v=4))
def test_an_address_behind_nat64_is_judged_by_itself(address):
    inner = f"64:ff9b::{address}"
    assert bool(Reach().refusal(inner)) == bool(Reach().refusal(str(address)))


@pytest.mark.parametrize("text", ["", "localhost", "1.2.3", "2130706433", "0x7f.1", "127.0.0.1 ", "::g"])
def test_what_is_no_address_is_refused(text):
    assert "is no IP address" in Reach().refusal(text)


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost/",
        "http://LOCALHOST/",
        "http://intranet/",
        "http://a.localhost/",
        "http://printer.local/",
        "http://metadata.google.internal/",
        "http://nas.lan/",
        "http://router.home.arpa/",
        "http://10.0.0.1/",
        "http://example.org:25/",
        "https://example.org:22/",
    ],
)
def test_a_name_or_port_of_an_inner_network_is_refused_without_a_look_up(url):
    assert Reach().refusal_of(read_url(url))


def test_a_name_that_only_looks_inner_is_looked_up():
    urls = ("https://local.example.org/", "https://localhost.example.org/", "https://example.org:8080/")
    assert [Reach().refusal_of(read_url(url)) for url in urls] == ["", "", ""]


def test_the_program_can_let_machines_of_its_own_be_asked():
    reach = Reach(("127.0.0.1", "10.1.0.0/16", "::1"))
    assert [bool(reach.refusal(a)) for a in ("127.0.0.1", "127.0.0.2", "10.1.2.3", "10.2.0.1", "::1")] == [
        *(False, True, False, True, False)
    ]
    assert reach.refusal_of(read_url("http://localhost:8888/")) == ""
    assert Reach(("127.0.0.1",)).refusal("::ffff:127.0.0.1")


def test_a_reach_over_what_is_no_network_is_refused():
    with pytest.raises(UsageError, match="give addresses or networks"):
        Reach(("localhost",))
