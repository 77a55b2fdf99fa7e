"""Old encodings: what proves one is believed, what only suggests one is a guess, and every byte comes back."""

import pytest

from cellwright.files.text_encoding import ENCODINGS, Encoding, is_mostly_utf8, old_encoding, wide_encoding

from ..properties import for_any

RUSSIAN = "Привет, мир! Это обычный текст на русском языке.\nИмя;Возраст\nИван;42\n"
JAPANESE = "こんにちは世界。これは日本語のテキストです。\n名前,年齢\n太郎,42\n"
CHINESE = "你好，世界。这是一个中文文本文件。\n姓名,年龄\n张三,42\n"
GERMAN = "Die Größe der Straße übertrifft alles; schöne Grüße.\nName;Stückzahl\nMüller;3\n"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8_r"),
        (RUSSIAN, "cp866"),
        (JAPANESE, "cp932"),
        (JAPANESE, "euc_jp"),
        (CHINESE, "gb18030"),
        (GERMAN, "latin-1"),
        ("Şişli'de güneşli bir gün, çok güzel ığdır.\n", "cp1254"),
    ],
)
def test_a_text_of_some_length_proves_its_encoding(text, name):
    assert old_encoding(text.encode(name)) == Encoding(name, True)
    code = "".join(f"line_{n} = {n}\n" for n in range(5_000))
    assert old_encoding((code + text).encode(name)) == Encoding(name, True)


def test_letters_far_out_on_a_long_line_are_found():
    assert old_encoding(("x" * 50_000 + RUSSIAN).encode("cp1251")).name == "cp1251"
    assert old_encoding((CHINESE.replace("\n", "") * 500).encode("gb18030")) == Encoding("gb18030", True)


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"caf\xe9 one\n", "latin-1"),
        (b"\x93quoted\x94 \x96 5 \x80\n", "cp1252"),
        ("# комментарий\nx = 1\n".encode("cp1251"), "cp1251"),
        ("# 中文注释\nx = 1\n".encode("gb18030"), "gb18030"),
        ("# 日本語\nx = 1\n".encode("cp932"), "cp932"),
        (b"5 \xb0C \xa9\n", "latin-1"),
    ],
)
def test_a_few_bytes_give_a_guess(data, name):
    assert old_encoding(data) == Encoding(name, False)


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"# -*- coding: koi8-r -*-\n# \xd0\xd2\xc9\n", "koi8_r"),
        (b'<?xml version="1.0" encoding="ISO-8859-1"?><a>\xe9</a>', "latin-1"),
        (b"<meta charset=windows-1251>\xef\xf0\xe8", "cp1251"),
        (b'<meta http-equiv="x" content="text/html; charset=Shift_JIS">\x96\xbc', "shift_jis"),
    ],
)
def test_what_a_file_declares_is_believed_if_it_can_be_so(data, name):
    found = old_encoding(data)
    assert data.decode(found.name) == data.decode(name)
    assert found.is_sure


@pytest.mark.parametrize("declared", [b"no-such-thing", b"utf-8", b"iso2022_jp", b"utf-7", b"rot13", b"\xff"])
def test_a_declaration_that_cannot_be_true_or_is_not_safe_counts_for_nothing(declared):
    data = b"# coding: " + declared + b"\n# caf\xe9\n"
    found = old_encoding(data)
    assert (found.is_sure, data.decode(found.name).encode(found.name)) == (False, data)


def test_text_without_a_mark_in_utf_16_or_32_is_seen_by_its_zero_bytes():
    for name in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"):
        for text in ("name,größe\r\nx,1\r\n", RUSSIAN, CHINESE):
            assert wide_encoding(text.encode(name)) == name
    for data in (b"a\0b\0c\n", b"a\0b\0", b"\0" * 64, b"\x89PNG\r\n\0\0", b"a\0\n\0\x01\0", bytes(range(256)) * 9):
        assert wide_encoding(data) is None


def test_a_few_stray_bytes_make_no_old_text():
    assert is_mostly_utf8("grüße ".encode() + b"\xe9\n")
    assert is_mostly_utf8("größer und schöner\n".encode() * 3 + b"caf\xe9\n")
    assert not is_mostly_utf8(CHINESE.encode("gb18030"))
    assert not is_mostly_utf8(b"caf\xe9\n")


@for_any(text="text", order="order", data="bytes")
def test_every_byte_comes_back_and_a_piece_is_encoded_as_in_the_whole(text, order, data):
    name = order.choice(ENCODINGS)
    for whole in (text.encode(name, "ignore") + b"\xe4\n", data):
        found = old_encoding(whole).name
        decoded = whole.decode(found)
        at = order.randint(0, len(decoded))
        assert decoded[:at].encode(found) + decoded[at:].encode(found) == whole
