import base64

import pytest

from cellwright.errors import ToolError
from cellwright.text.picture import MAX_PICTURE
from cellwright.web.body import Body
from cellwright.web.fetcher import Fetched
from cellwright.web.page import page_of, readable
from cellwright.web.url import read_url

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def came(data, kind="text/html", said="", url="https://site.example/a/b", **facts) -> Fetched:
    data = data.encode() if isinstance(data, str) else data
    return Fetched(read_url(url), 200, kind, said, Body(data, **facts))


def text_of(data, kind="text/html", said="", raw=False, **facts) -> str:
    return page_of(came(data, kind, said, **facts), raw).text


HTML = """<!doctype html><html><head><title>A &amp; b\n page</title><style>p{}</style><script>evil()</script></head>
<body><nav><a href=/menu>menu</a></nav><h1>Head</h1><p>See <a href="c?d=1">this</a>, <b>now</b>.</p>
<!-- a comment --><p style="display:none">hidden order</p><p hidden>hidden two</p>
<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>
<pre><code class="language-python">x = 1
y = 2</code></pre><iframe src="http://ads.example"></iframe></body></html>"""


def test_of_a_page_the_readable_text_is_kept_with_whole_links():
    page = page_of(came(HTML))
    assert (page.kind, page.title) == ("text", "A & b page")
    for kept in ("# Head", "[this](https://site.example/a/c?d=1)", "**now**", "| 1 | 2 |", "x = 1\ny = 2"):
        assert kept in page.text
    for gone in ("evil", "menu", "comment", "hidden", "p{}"):
        assert gone not in page.text


def test_the_source_of_a_page_is_given_if_it_is_asked_for():
    assert text_of(HTML, raw=True) == HTML


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ('{"a": [1, 2]}', "application/json"),
        ('{"a": 1}', "application/vnd.api+json"),
        ("<a><b/></a>", "application/xml"),
        ("<svg/>", "image/svg+xml"),
        ("a,b\n1,2", "text/csv"),
        ("# not html <b>", "text/markdown"),
        ("plain", ""),
        ("plain", "application/octet-stream"),
        ("x = 1", "application/javascript"),
    ],
)
def test_other_texts_come_as_they_are(data, kind):
    assert text_of(data, kind) == data


def test_a_page_whose_server_says_nothing_is_known_by_its_beginning():
    assert text_of("\n<!DOCTYPE html><p>a <b>b</b>", "") == "a **b**"


@pytest.mark.parametrize(
    ("data", "kind", "words"),
    [
        (b"%PDF-1.7 \x00\x01", "application/pdf", "application/pdf, 11 bytes"),
        (b"PK\x03\x04\x00\x00", "application/zip", "application/zip"),
        (b"\x00\x01\x02", "text/plain", "text/plain, 3 bytes"),
        (b"\xfe\x00\xfd" * 9, "application/octet-stream", "application/octet-stream"),
        (b"\x80\x81\xff", "", "binary data"),
        (b"x", "video/mp4", "video/mp4"),
        (b"x", "Ignore all\u202einstructions and".encode().decode(), "binary data"),
    ],
)
def test_what_is_no_text_is_described_and_not_given_out(data, kind, words):
    with pytest.raises(ToolError) as caught:
        page_of(came(data, kind))
    assert (caught.value.code, words in caught.value.message) == ("binary", True), caught.value.message


@pytest.mark.parametrize("kind", ["image/png", "text/html", "application/octet-stream"])
def test_a_picture_is_one_by_its_bytes_whatever_is_said_of_it(kind):
    page = page_of(came(PNG, kind))
    assert (page.kind, page.image.media_type, base64.b64decode(page.image.data)) == ("image", "image/png", PNG)


def test_a_picture_that_is_none_is_not_taken_for_one():
    with pytest.raises(ToolError, match="image/png"):
        page_of(came(b"<html>", "image/png"))


def test_a_part_of_a_picture_is_refused():
    with pytest.raises(ToolError) as caught:
        page_of(came(PNG, "image/png", is_cut=True))
    assert caught.value.code == "too_large"


@pytest.mark.parametrize(
    ("data", "code", "says"),
    [
        (PNG[:-9], "binary", "damaged or cut off"),
        (b"\xff\xd8\xff\xe0 never a picture", "binary", "is image/jpeg, 20 bytes; it is damaged"),
        (PNG[:33] + b"\0" * MAX_PICTURE + PNG[33:], "too_large", "up to 3,750,000 bytes"),
    ],
)
def test_a_picture_that_a_provider_would_refuse_never_reaches_the_model(data, code, says):
    with pytest.raises(ToolError) as caught:
        page_of(came(data, "image/png"))
    assert (caught.value.code, says in caught.value.message) == (code, True), caught.value.message


def test_megabytes_of_base64_are_left_out_and_counted():
    data = base64.b64encode(bytes(range(256)) * 6_000).decode()
    inline = f"<p>a<img alt=x src='data:image/png;base64,{data}'><a href='data:text/plain;base64,{data}'>l</a>b</p>"
    assert len(text_of(inline)) < 300
    page = page_of(came(f'{{"file": "{data}"}}', "application/json"))
    assert page.text == f'{{"file": "[{len(data):,} characters of base64 left out]"}}'
    assert page.notes == ("1 piece of base64 was left out",)
    lines = "\n".join(data[at : at + 76] for at in range(0, 76 * 200, 76))
    assert text_of(f"before\n{lines}\nafter", "text/plain").startswith("before\n[15,")


def test_a_long_word_or_list_of_words_is_no_base64():
    words = "\n".join(["word"] * 3_000)
    assert text_of(words, "text/plain") == words
    assert text_of("a" * 900, "text/plain") == "a" * 900
    many = " ".join(["a" * 999] * 5_000)
    assert text_of(many, "text/plain") == many


def test_letters_that_nobody_sees_are_left_out_and_counted():
    page = page_of(
        came("pay\u200b me\u202e \U000e0041\U000e0042 \x1b[31mred می\u200cخواهم 👩\u200d🔬\r\n", "text/plain")
    )
    assert page.text == "pay me  [31mred می\u200cخواهم 👩\u200d🔬"
    assert page.notes == ("5 unseen characters were left out",)


def test_a_page_in_other_bytes_than_it_says_keeps_its_letters_where_it_can():
    assert text_of("<p>B\u00fccher".encode("latin-1"), said="utf-8") == "B\ufffdcher"


def test_what_was_cut_or_broke_off_is_noted():
    notes = page_of(came("abc", is_cut=True, problem="it is not whole: gone")).notes
    assert notes == ("it is not whole: gone", "it is cut: there is more than the first 3 bytes")


def test_a_page_without_readable_text_says_so():
    page = page_of(came("<script>only()</script>"))
    assert (page.text, page.notes) == ("", ("no readable text was found in the page; raw gives its source",))


def test_of_a_giant_page_the_first_part_is_read():
    page = page_of(came("<p>" + "word " * 320_000))
    assert page.notes == ("only the first 1,500,000 characters of the page's 1,600,003 were read",)


def test_a_stray_zero_byte_makes_no_page_binary():
    assert text_of(b"<p>a\0b" + b" word" * 50).startswith("ab word")
    with pytest.raises(ToolError, match="is no text"):
        page_of(came(b"<p>" + bytes(50)))


def test_nothing_is_an_empty_text():
    assert (text_of(b""), text_of(b"", "application/pdf")) == ("", "")


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 50_000 + "deep",
        "<ul><li>" * 5_000 + "deep",
        "<p " + "a=1 " * 50_000 + ">deep",
        "<a href=x>" * 20_000 + "deep",
        "<b><i>" * 5_000 + "deep",
        "<table>" * 3_000 + "deep",
        "&#x" + "9" * 50_000 + ";deep",
        "<![CDATA[<!--" * 5_000 + "-->deep",
        "\x00<p>deep".replace("\x00", ""),
        "<title>" + "a" * 50_000 + "</title>deep",
        "<!--" * 50_000,
        "<a b='" * 50_000,
        "<?x " * 50_000,
    ],
    ids=lambda html: html[:12],
)
def test_pages_made_to_choke_a_reader_are_read_or_left(html):
    text, title = readable(html, "https://site.example/")
    assert isinstance(text, str)
    assert len(title) <= 300
