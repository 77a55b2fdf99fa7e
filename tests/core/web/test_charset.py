import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cellwright.web.charset import read_text

WORD = "Bücher für Zoë"


@pytest.mark.parametrize(
    ("data", "said", "text", "encoding"),
    [
        (WORD.encode(), "", WORD, "utf-8"),
        (WORD.encode(), "UTF-8", WORD, "utf-8"),
        (WORD.encode("latin-1"), "iso-8859-1", WORD, "cp1252"),
        (WORD.encode("latin-1"), "", WORD, "cp1252"),
        (b"\x80 5", "latin1", "€ 5", "cp1252"),
        (b"\x80 5", "us-ascii", "€ 5", "cp1252"),
        (WORD.encode("latin-1"), "utf-8", "B\ufffdcher f\ufffdr Zo\ufffd", "utf-8"),
        (codecs.BOM_UTF8 + WORD.encode(), "latin-1", WORD, "utf-8"),
        (codecs.BOM_UTF16_LE + WORD.encode("utf-16-le"), "", WORD, "utf-16-le"),
        (codecs.BOM_UTF16_BE + WORD.encode("utf-16-be"), "utf-8", WORD, "utf-16-be"),
        (WORD.encode("utf-16-le"), "utf-16", WORD, "utf-16-le"),
        ("日本".encode("shift_jis"), "Shift_JIS", "日本", "shift_jis"),
        ("中文".encode("gb18030"), "gb2312", "中文", "gb18030"),
        ("привет".encode("koi8-r"), "koi8-r", "привет", "koi8-r"),
        (b'<meta charset="windows-1251">' + "да".encode("cp1251"), "", '<meta charset="windows-1251">да', "cp1251"),
        (b"<meta charset=utf-16>" + b"ab", "", "<meta charset=utf-16>ab", "utf-8"),
        (
            b'<?xml version="1.0" encoding="iso-8859-15"?>\xa4',
            "",
            '<?xml version="1.0" encoding="iso-8859-15"?>€',
            "iso8859-15",
        ),
        (b"", "utf-8", "", "utf-8"),
        (
            "\u65e5\u672c\u8a9e\u306e\u6587\u7ae0\u3067\u3059\u3002\u3053\u308c\u306f\u4f8b\u3067\u3059\u3002".encode(
                "cp932"
            ),
            "",
            "\u65e5\u672c\u8a9e\u306e\u6587\u7ae0\u3067\u3059\u3002\u3053\u308c\u306f\u4f8b\u3067\u3059\u3002",
            "cp932",
        ),
    ],
)
def test_a_text_is_read_by_its_mark_by_what_is_said_and_by_what_it_holds(data, said, text, encoding):
    assert read_text(data, said) == (text, encoding)


@pytest.mark.parametrize(
    "said",
    ["zlib", "rot13", "base64", "utf-7", "unicode_escape", "idna", "punycode", "undefined", "x\0y", "../x", "utf-32"],
)
def test_a_name_that_is_no_encoding_of_texts_counts_as_none(said):
    assert read_text(b"+ADw-script+AD4-", said) == ("+ADw-script+AD4-", "utf-8")


def test_a_letter_that_was_cut_at_the_end_is_one_sign():
    assert read_text("aé日".encode()[:-1]) == ("aé\ufffd", "utf-8")


@settings(max_examples=40)
@given(st.binary(max_size=200), st.sampled_from(["", "utf-8", "latin-1", "shift_jis", "gb18030", "big5", "utf-16"]))
def test_every_body_gives_a_text_that_encodes(data, said):
    text, _ = read_text(data, said)
    text.encode("utf-8", "strict")
