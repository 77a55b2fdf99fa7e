import pytest

from cellwright.errors import ToolError
from cellwright.web.url import Url, is_number, read_url, spoken


@pytest.mark.parametrize(
    ("text", "host", "port", "target", "spelled"),
    [
        ("https://example.org", "example.org", 443, "/", "https://example.org/"),
        ("HTTP://EXAMPLE.org/", "example.org", 80, "/", "http://example.org/"),
        ("https://example.org:443/a", "example.org", 443, "/a", "https://example.org/a"),
        ("https://example.org:8443?q", "example.org", 8443, "/?q", "https://example.org:8443/?q"),
        ("https://example.org/a?b=c&d=%20#part", "example.org", 443, "/a?b=c&d=%20", None),
        ("https://example.org/ä?q=é", "example.org", 443, "/%C3%A4?q=%C3%A9", None),
        ('https://example.org/"<x>?a="|\\', "example.org", 443, "/%22%3Cx%3E?a=%22%7C%5C", None),
        ("https://example.org/a@b:c", "example.org", 443, "/a@b:c", None),
        ("https://93.184.216.34/", "93.184.216.34", 443, "/", None),
        ("http://[2001:DB8:0::1]:8080/x", "2001:db8::1", 8080, "/x", "http://[2001:db8::1]:8080/x"),
        ("https://xn--bcher-kva.example/", "xn--bcher-kva.example", 443, "/", None),
        ("https://my_host.a-b.example/", "my_host.a-b.example", 443, "/", None),
    ],
)
def test_an_address_is_read_into_its_parts(text, host, port, target, spelled):
    url = read_url(text)
    assert (url.host, url.port, url.target) == (host, port, target)
    assert spelled is None or str(url) == spelled
    assert read_url(str(url)) == url


ODD = [
    ("", "begins with https://"),
    ("example.org/x", "begins with https://"),
    ("example.org:8080/x", "begins with https://"),
    ("localhost:8888", "begins with https://"),
    ("//example.org/x", "begins with https://"),
    ("http:example.org", "begins with https://"),
    ("https:/example.org", "begins with https://"),
    ("file:///etc/passwd", "file:// is not fetched"),
    ("ftp://example.org/", "ftp:// is not fetched"),
    ("gopher://example.org/_x", "gopher:// is not fetched"),
    ("data:text/html,<p>", "data: is not fetched"),
    ("javascript:alert(1)", "javascript: is not fetched"),
    ("view-source:https://example.org", "view-source: is not fetched"),
    ("https://", "names no host"),
    ("https:///path", "names no host"),
    ("https://good.example@evil.example/", "user name or password"),
    ("https://user:pw@example.org/", "user name or password"),
    ("https://example.org\\@evil.example/", "user name or password"),
    ("https://example.org\\evil", r"a \ is read as /"),
    ("https://example.org/\r\nHost: evil", "U+000D"),
    ("https://example.org/\nX: y", "U+000A"),
    ("https://exa\tmple.org/", "U+0009"),
    (" https://example.org/", "U+0020"),
    ("https://example.org/a b", "write %20"),
    ("https://example.org/\u202e", "U+202E"),
    ("https://example.org\u200b/", "U+200B"),
    ("https://example.org/\x00", "U+0000"),
    ("http://2130706433/", "some read it as 127.0.0.1"),
    ("http://0x7f000001/", "some read it as 127.0.0.1"),
    ("http://0x7f.1/", "some read it as 127.0.0.1"),
    ("http://127.1/", "some read it as 127.0.0.1"),
    ("http://0177.0.0.1/", "odd spelling"),
    ("http://127.0.0.01/", "odd spelling"),
    ("http://127.0.0.1.5/", "odd spelling"),
    ("http://999.1.1.1/", "odd spelling"),
    ("http://1.2.3.0x4/", "odd spelling"),
    ("http://127.0.0.1./", "without the dot at its end"),
    ("http://localhost./", "without the dot at its end"),
    ("http://example.org../", "without the dot at its end"),
    ("http://example..org/", "no part of a host's name"),
    ("http://.example.org/", "no part of a host's name"),
    ("http://-a.example.org/", "no part of a host's name"),
    ("http://a*b.example/", "no part of a host's name"),
    ("http://" + "a" * 64 + ".example/", "no part of a host's name"),
    ("http://" + "a." * 130 + "example/", "no part of a host's name"),
    ("http://%31%32%37.0.0.1/", "without %"),
    ("http://exam%70le.org/", "without %"),
    ("http://\uff11\uff12\uff17.0.0.1/", "write 127.0.0.1"),
    ("http://\u2460\u2461\u2466.0.0.1/", "CIRCLED DIGIT ONE"),
    ("http://127\u30020\u30020\u30021/", "IDEOGRAPHIC FULL STOP"),
    ("https://\u0430pple.com/", "write xn--pple-43d.com"),
    ("https://ex\u0000.org/", "U+0000"),
    ("https://gith\u1d1cb.com/", "LATIN LETTER SMALL CAPITAL U"),
    ("http://[::1/", "stands in brackets"),
    ("http://[::1]x/", "stands in brackets"),
    ("http://[fe80::1%25eth0]/", "zone"),
    ("http://[1::2::3]/", "no IPv6 address"),
    ("http://[v1.x]/", "no IPv6 address"),
    ("http://[127.0.0.1]/", "no IPv6 address"),
    ("http://::1/", "names no host"),
    ("http://example.org:/", "no port"),
    ("http://example.org:0/", "no port"),
    ("http://example.org:080/", "no port"),
    ("http://example.org:65536/", "no port"),
    ("http://example.org:8\u0660/", "no port"),
    ("http://example.org:+80/", "no port"),
    ("http://example.org:80:80/", "no port"),
    ("https://example.org/" + "a" * 5_000, "4,000 are the most"),
]


@pytest.mark.parametrize(("text", "words"), ODD, ids=lambda value: ascii(value)[:40])
def test_an_odd_address_is_refused_with_what_to_write(text, words):
    with pytest.raises(ToolError) as caught:
        read_url(text)
    assert (caught.value.code, words in caught.value.message) == ("invalid_url", True), caught.value.message
    assert len(caught.value.message) < 700


def test_the_domain_names_a_port_only_where_it_is_not_the_usual_one():
    domains = [read_url(f"{scheme}://a.example:{port}/").domain for scheme in ("http", "https") for port in (80, 443)]
    assert domains == ["a.example", "a.example:443", "a.example:80", "a.example"]
    assert read_url("http://[::1]:81/").domain == "[::1]:81"


def test_a_number_is_told_from_a_name():
    assert (is_number("10.0.0.1"), is_number("::1"), is_number("a.example")) == (True, True, False)
    assert Url("http", "10.0.0.1", 80, "/").is_number


def test_a_host_in_punycode_is_shown_in_letters_with_their_alphabets():
    assert spoken("xn--pple-43d.com") == "elsewhere shown as \u0430pple.com (Cyrillic, Latin letters)"
    assert spoken("example.org") == ""
    assert spoken("xn--0.example") == "it can't be shown in letters"
