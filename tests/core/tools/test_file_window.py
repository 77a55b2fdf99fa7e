"""A window is the same whether the file is read at once or streamed."""

import random

import pytest

from cellwright.errors import ToolError
from cellwright.files.milestones import Milestones
from cellwright.tools.file_window import Sizes, read_window

STREAMED = Sizes(at_once=0)


def test_streaming_agrees_with_a_plain_reading_at_every_chunk_border(tmp_path):
    chance = random.Random(7)
    for _ in range(200):
        data = "".join(chance.choices(["a", "bc", "é", "\n", "\r\n", "\r"], k=chance.randrange(1, 20))).encode()
        (tmp_path / "t").write_bytes(data)
        first, count = chance.randrange(1, 6), chance.randrange(1, 6)
        window = read_window(tmp_path / "t", first, count, Sizes(0, chunk=chance.randrange(1, 5)))
        lines = data.decode().split("\n")
        lines = lines[:-1] if data.endswith(b"\n") else lines
        assert [line.text for line in window.lines] == lines[first - 1 : first - 1 + count], data
        assert (window.total, window.crlf) == (len(lines), data.count(b"\r\n"))


def test_what_was_counted_of_a_huge_file_is_not_counted_again_and_changes_no_window(tmp_path):
    chance = random.Random(7)
    for _ in range(200):
        data = "".join(chance.choices(["a", "bc", "é", "\n", "\r\n", "\r"], k=chance.randrange(1, 20))).encode()
        (tmp_path / "t").write_bytes(data)
        wanted, milestones = chance.choices(range(1, 8), k=2), Milestones()
        huge = Sizes(0, 0, chunk=chance.randrange(1, 5))
        for first in [*wanted, *wanted]:
            assert read_window(tmp_path / "t", first, 2, huge, milestones) == read_window(
                tmp_path / "t", first, 2, huge
            )
        assert milestones.before(100, (tmp_path / "t").stat()).place == min(huge.chunk, len(data))


@pytest.mark.parametrize("data", [b"one\r\ntwo\nthree", b"\xef\xbb\xbfone\n", b"\n", b"a\n\n"])
def test_both_ways_give_the_same_window(tmp_path, data):
    (tmp_path / "t").write_bytes(data)
    assert read_window(tmp_path / "t", 1, 10, Sizes(0, chunk=3)) == read_window(tmp_path / "t", 1, 10)


def test_a_long_line_keeps_only_its_beginning_while_streaming(tmp_path):
    (tmp_path / "t").write_bytes(b"x" * 50_000 + b"\nend\n")
    line, end = read_window(tmp_path / "t", 1, 2, Sizes(0, chunk=1_000)).lines
    assert (len(line.text), line.length, end.text) == (10_000, 50_000, "end")


def test_a_streamed_file_with_zero_bytes_is_binary(tmp_path):
    (tmp_path / "t").write_bytes(b"text\n\0")
    with pytest.raises(ToolError, match="not text") as caught:
        read_window(tmp_path / "t", 1, 1, STREAMED)
    assert caught.value.code == "binary"


def test_a_streamed_file_in_an_old_encoding_is_read_as_latin_1(tmp_path):
    (tmp_path / "t").write_bytes("naïve\n".encode("latin-1"))
    window = read_window(tmp_path / "t", 1, 1, STREAMED)
    assert (window.encoding, window.is_guess, window.lines[0].text) == ("latin-1", True, "naïve")
    (tmp_path / "t").write_bytes("Привет, мир! Это обычный текст на русском языке.\n".encode("cp1251") * 2)
    window = read_window(tmp_path / "t", 1, 3, STREAMED)
    assert (window.encoding, window.lines[0].text) == ("cp1251", "Привет, мир! Это обычный текст на русском языке.")
    (tmp_path / "t").write_bytes("größer und ".encode() + b"\xff\n")
    assert read_window(tmp_path / "t", 1, 3, STREAMED).lines[0].text == "größer und \udcff"


def test_a_huge_file_is_read_no_further_than_the_window_needs(tmp_path):
    (tmp_path / "t").write_bytes(b"line\n" * 1_000)
    huge = Sizes(at_once=0, to_its_end=0, chunk=50)
    window = read_window(tmp_path / "t", 3, 2, huge)
    assert ([line.text for line in window.lines], window.total, window.version) == (["line", "line"], None, "")
    assert (window.newlines, window.final_newline) == (10, True)
    end = read_window(tmp_path / "t", 1_000, 5, huge)
    assert (len(end.lines), end.total, end.version) == (1, 1_000, "")


def test_a_gigabyte_gives_its_first_lines_without_being_read_through(tmp_path):
    with (tmp_path / "t").open("wb") as file:
        file.write(b"first\nsecond\n")
        file.truncate(10**9)  # takes no room; the zero bytes that follow would be seen as binary
    with pytest.raises(ToolError, match="not text"):
        read_window(tmp_path / "t", 1, 10)
    with (tmp_path / "t").open("r+b") as file:
        file.write(b"line of a table\n" * 70_000)
    window = read_window(tmp_path / "t", 2, 2)
    assert ([line.text for line in window.lines], window.total) == (["line of a table"] * 2, None)


def test_a_large_file_in_utf_16_is_read_whole_and_a_huge_one_refused(tmp_path):
    (tmp_path / "t").write_bytes(b"\xff\xfe" + "zeile é\r\n".encode("utf-16-le") * 1_200_000)
    window = read_window(tmp_path / "t", 1_200_000, 5)
    assert (window.total, window.encoding, window.lines[0].text) == (1_200_000, "utf-16-le", "zeile é\r")
    with (tmp_path / "t").open("r+b") as file:
        file.truncate(100_000_002)
    with pytest.raises(ToolError, match="Convert it to UTF-8") as caught:
        read_window(tmp_path / "t", 1, 1)
    assert caught.value.code == "too_large"


def test_a_file_too_large_to_read_at_once_gives_its_last_lines(tmp_path):
    with (tmp_path / "t").open("w") as file:
        file.writelines(f"{'row ' * 10}{n}\n" for n in range(500_000))
    window = read_window(tmp_path / "t", 499_999, 10)
    assert (window.total, [line.text[-6:] for line in window.lines]) == (500_000, ["499998", "499999"])
