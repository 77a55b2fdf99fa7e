"""`read_file`: bounded, numbered, exact, and clear about what is not text."""

import hashlib
import os
import threading

import pytest

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.tools.read_file import read_file
from cellwright.views.view import Code


def read(folder, **args):
    assert read_file.input_schema.problems(args) == ()
    return read_file.execute(args, Env(cwd=folder.resolve()))


def refusal(folder, **args):
    with pytest.raises(ToolError) as caught:
        read(folder, **args)
    return caught.value


def test_a_small_file_is_shown_with_numbers_and_given_exactly(tmp_path):
    (tmp_path / "a.py").write_bytes(b"x = 1\n\ty\n")
    output = read(tmp_path, path="a.py")
    assert output.content == "a.py: lines 1 to 2 of 2\n     1\tx = 1\n     2\t\ty"
    assert output.value["text"] == "x = 1\n\ty\n"
    assert output.view == Code("x = 1\n\ty", "python")


def test_a_long_file_gives_a_bounded_beginning_and_says_how_to_go_on(tmp_path):
    (tmp_path / "big.txt").write_text("".join(f"line {n}\n" for n in range(1, 200_001)))
    content = read(tmp_path, path="big.txt").content
    assert len(content) <= 50_000
    assert content.startswith("big.txt: lines 1 to 2000 of 200000\n     1\tline 1\n")
    assert content.endswith("  2000\tline 2000\n198000 more lines; go on with offset=2001")


def test_following_the_offsets_gives_every_line_once(tmp_path):
    lines = [f"{'word ' * (n % 90)}{n}" for n in range(3_000)]
    (tmp_path / "t").write_text("\n".join(lines))
    texts, offset = [], 1
    while offset <= 3_000:
        value = read(tmp_path, path="t", offset=offset, limit=5_000).value
        texts.append(value["text"])
        offset = value["last_line"] + 1
    assert "".join(texts) == "\n".join(lines)


def test_an_offset_near_the_end_gives_exactly_the_tail(tmp_path):
    (tmp_path / "t").write_text("".join(f"line {n}\n" for n in range(1, 101)))
    assert read(tmp_path, path="t", offset=99).content == "t: lines 99 to 100 of 100\n    99\tline 99\n   100\tline 100"


def test_an_offset_past_the_end_tells_the_total(tmp_path):
    (tmp_path / "t").write_text("a\nb\n")
    error = refusal(tmp_path, path="t", offset=3)
    assert (error.code, error.message) == ("past_end", "t has 2 lines; offset 3 is past the end")


@pytest.mark.parametrize("args", [{"offset": 0}, {"offset": -1}, {"limit": 0}, {"limit": -5}, {"offset": "1"}])
def test_an_offset_or_limit_below_one_is_refused_by_the_schema(args):
    assert read_file.input_schema.problems({"path": "t", **args})


def test_a_very_long_line_is_cut_and_its_length_told(tmp_path):
    (tmp_path / "t").write_text("x" * 2_000_000)
    output = read(tmp_path, path="t")
    assert len(output.content) < 3_000
    assert output.content.endswith("x... (cut: the line has 2000000 characters)")
    assert output.value["clipped_lines"] == {"1": 2_000_000}


def test_many_long_lines_stay_within_the_limit(tmp_path):
    (tmp_path / "t").write_text(("x" * 5_000 + "\n") * 500)
    assert len(read(tmp_path, path="t").content) <= 50_000


def test_an_empty_file_is_said_to_be_empty(tmp_path):
    (tmp_path / "t").touch()
    output = read(tmp_path, path="t")
    assert (output.content, output.value["text"], output.value["total_lines"]) == ("t is empty", "", 0)


@pytest.mark.parametrize(
    ("data", "told", "text"),
    [
        (b"a\r\nb\r\n", "line ends: CRLF", "a\r\nb\r\n"),
        (b"a\r\nb\n", "line ends: mixed (1 of 2 are CRLF)", "a\r\nb\n"),
        (b"a\nb", "no newline at the end", "a\nb"),
        ("naïve\n".encode("latin-1"), "encoding: latin-1", "naïve\n"),
        (b"\xff\xfe" + "hé\n".encode("utf-16-le"), "encoding: utf-16-le", "hé\n"),
        ("a\u2028b\x0cc\n".encode(), "lines 1 to 1 of 1", "a\u2028b\x0cc\n"),
    ],
)
def test_what_a_model_can_not_see_is_told_and_the_value_keeps_it(tmp_path, data, told, text):
    (tmp_path / "t").write_bytes(data)
    output = read(tmp_path, path="t")
    assert told in output.content.split("\n")[0]
    assert output.value["text"] == text


def test_bytes_that_are_no_text_encode_as_utf8_in_the_content(tmp_path):
    (tmp_path / "t").write_bytes("é".encode() + b"\xff\n")
    assert read(tmp_path, path="t").content.encode()


@pytest.mark.parametrize(
    ("name", "data", "code", "words"),
    [
        ("a.png", b"\x89PNG\r\n\x1a\n\0\0", "binary", "image/png, 10 bytes"),
        ("wrong.txt", b"\xff\xd8\xff\xe0\0\0", "binary", "image/jpeg, 6 bytes"),
        ("a.bin", b"a\0b", "binary", "3 bytes"),
        ("n.ipynb", b"{}", "is_notebook", "notebook_read"),
    ],
)
def test_what_is_not_text_is_refused_with_its_kind(tmp_path, name, data, code, words):
    (tmp_path / name).write_bytes(data)
    error = refusal(tmp_path, path=name)
    assert error.code == code
    assert words in error.message


def test_a_folder_points_to_list_dir(tmp_path):
    (tmp_path / "sub").mkdir()
    error = refusal(tmp_path, path="sub")
    assert (error.code, "list_dir" in error.message) == ("is_directory", True)


def test_a_missing_file_names_a_near_one(tmp_path):
    (tmp_path / "settings.toml").touch()
    error = refusal(tmp_path, path="setings.toml")
    assert (error.code, "settings.toml" in error.message) == ("not_found", True)


def test_a_named_pipe_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "p")
    codes = []
    reader = threading.Thread(target=lambda: codes.append(refusal(tmp_path, path="p").code), daemon=True)
    reader.start()
    reader.join(2)
    assert codes == ["not_regular"]


def test_a_link_cycle_is_an_error(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    assert refusal(tmp_path, path="a").code in ("invalid_path", "link_cycle")


def test_reading_notes_the_version_of_the_whole_file(tmp_path):
    (tmp_path / "t").write_bytes(b"a\nb\n")
    env = Env(cwd=tmp_path.resolve())
    read_file.execute({"path": "t", "limit": 1}, env)
    assert hashlib.sha256(b"a\nb\n").hexdigest().startswith(env.ledger.seen(env.cwd / "t"))


def test_reading_declares_itself_harmless():
    assert read_file.trait("read_only", {})
    assert read_file.trait("concurrency_safe", {})
    assert (read_file.paths, read_file.origin) == (("path",), "built-in")


def test_an_encoding_is_told_and_a_guess_is_told_as_one(tmp_path):
    (tmp_path / "t").write_bytes("Привет, мир! Это обычный текст на русском языке.\n".encode("cp1251") * 2)
    output = read(tmp_path, path="t")
    assert output.content.startswith("t: lines 1 to 2 of 2, encoding: cp1251\n     1\tПривет")
    assert (output.value["encoding"], output.value["encoding_is_guess"]) == ("cp1251", False)
    (tmp_path / "t").write_bytes(b"caf\xe9\n")
    output = read(tmp_path, path="t")
    assert "encoding: latin-1, a guess; if letters look wrong, convert the file to UTF-8" in output.content
    assert output.value["encoding_is_guess"] is True


def test_a_huge_file_has_no_total_and_says_where_it_goes_on(tmp_path):
    with (tmp_path / "t").open("wb") as file:
        for _ in range(6):
            file.write(b"line of a table\n" * 1_100_000)
    output = read(tmp_path, path="t", offset=5, limit=2)
    assert output.content.split("\n") == [
        "t: lines 5 to 6 of a huge file, its total not counted", "     5\tline of a table", "     6\tline of a table",
        "more lines; go on with offset=7, or find places with search_code or run_command",
    ]  # fmt: skip
    assert (output.value["total_lines"], output.value["version"]) == (None, None)
    assert "has 6600000 lines; offset 6600001 is past" in refusal(tmp_path, path="t", offset=6_600_001).message


def test_a_picture_is_read_as_one(tmp_path):
    (tmp_path / "a.gif").write_bytes(b"GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;")
    output = read(tmp_path, path="a.gif")
    assert (output.content, len(output.images)) == ("a.gif: image/gif, 1x1 pixels, 29 bytes", 1)


def test_carriage_returns_that_end_no_line_are_told(tmp_path):
    (tmp_path / "t").write_bytes(b"a\rb\rc\r")
    assert read(tmp_path, path="t").content.startswith("t: lines 1 to 1 of 1, line ends: CR, which end no line here")
    (tmp_path / "t").write_bytes(b"one\r")
    assert "CR" not in read(tmp_path, path="t").content
