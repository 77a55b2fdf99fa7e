from pathlib import Path

import pytest

from cellwright.errors import ToolError
from cellwright.files.text_file import TextFile


def text_file(data):
    return TextFile.of(Path("/f.txt"), data)


def refusal(act, *args):
    with pytest.raises(ToolError) as caught:
        act(*args)
    return caught.value


@pytest.mark.parametrize(
    ("data", "encoding", "text"),
    [
        (b"one\r\ntwo\nthree\rfour", "utf-8", "one\r\ntwo\nthree\rfour"),
        ("\ufeffgrüße\r\n".encode(), "utf-8", "grüße\r\n"),
        (b"\xff\xfe" + "ä\n".encode("utf-16-le"), "utf-16-le", "ä\n"),
        (b"\xfe\xff" + "ä\n".encode("utf-16-be"), "utf-16-be", "ä\n"),
        (b"caf\xe9 one\n", "latin-1", "café one\n"),
        ("grüße ".encode() + b"\xe9\n", "utf-8", "grüße \udce9\n"),
        (b"", "utf-8", ""),
        (b"\xff\xfe\0\0" + "ä\n".encode("utf-32-le"), "utf-32-le", "ä\n"),
        (b"\0\0\xfe\xff" + "ä\n".encode("utf-32-be"), "utf-32-be", "ä\n"),
        ("name,ü\n".encode("utf-16-le"), "utf-16-le", "name,ü\n"),
        (
            "Привет, мир! Это обычный текст на русском языке.\n".encode("cp1251") * 2,
            "cp1251",
            "Привет, мир! Это обычный текст на русском языке.\n" * 2,
        ),
        ("名前と年齢と住所\n".encode("cp932") * 3 + b"\x1a", "cp932", "名前と年齢と住所\n" * 3 + "\x1a"),
        ("a\u2028b\x0cc".encode(), "utf-8", "a\u2028b\x0cc"),
    ],
)
def test_a_text_keeps_its_encoding_and_gives_every_byte_back(data, encoding, text):
    file = text_file(data)
    assert (file.encoding, file.text) == (encoding, text)
    assert file.encode(file.text) == file.data == data
    edited = file.encode(file.text + "new")
    assert edited.startswith(data)


def test_a_character_the_encoding_lacks_is_refused_by_name():
    latin = text_file(b"caf\xe9\n")
    assert latin.encode("ö") == b"\xf6"
    error = refusal(latin.encode, "→")
    assert (error.code, "U+2192" in error.message) == ("not_encodable", True)


def test_a_guess_says_that_it_is_one():
    assert [text_file(data).encoding_told for data in (b"caf\xe9\n", b"plain", "ä".encode())] == [
        "latin-1 (a guess)", "utf-8", "utf-8",
    ]  # fmt: skip
    russian = text_file("Привет, мир! Это обычный текст на русском языке.\n".encode("cp1251") * 2)
    assert (russian.encoding_told, russian.encode("ё")) == ("cp1251", b"\xb8")
    assert "stored as cp1251, which can't hold 'é'" in refusal(russian.encode, "é").message


def test_a_lone_surrogate_cannot_smuggle_a_stray_byte_into_a_good_file():
    file = text_file(b"plain\n")
    assert refusal(file.encode, "\udce9").code == "not_encodable"


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\0\0", b"text\0text", b"\xff\x01\x02\x03", b"\xff\xfea"])
def test_binary_data_is_refused(data):
    assert refusal(text_file, data).code == "binary"


def test_the_version_changes_with_every_byte_and_with_nothing_else():
    versions = [TextFile.of(Path(name), data).version for name, data in [("/a", b"x"), ("/b", b"x"), ("/a", b"y")]]
    assert versions[0] == versions[1] != versions[2]
