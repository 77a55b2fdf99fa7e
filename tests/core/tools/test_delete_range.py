"""`delete_range`: whole lines go by their numbers, every other byte stays."""

import pytest

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.tools.delete_range import delete_range
from cellwright.tools.edit_file import edit_file
from cellwright.tools.read_file import read_file
from cellwright.views.file_diff import Diff

from ..properties import for_any
from ..scene import BYPASS, calling, play


def delete(folder, start, end, path="t"):
    args = {"path": path, "start_line": start, "end_line": end}
    assert delete_range.input_schema.problems(args) == ()
    return delete_range.execute(args, Env(cwd=folder.resolve()))


@pytest.mark.parametrize(
    ("before", "start", "end", "after"),
    [
        (b"one\r\ntwo\nthree\r\nfour\n", 2, 3, b"one\r\nfour\n"),
        (b"one\ntwo\nthree", 3, 3, b"one\ntwo\n"),
        (b"one\ntwo\nthree", 1, 2, b"three"),
        (b"one\n", 1, 1, b""),
        (b"\xef\xbb\xbfone\ntwo\n", 1, 1, b"\xef\xbb\xbftwo\n"),
        (b"\xff\xfe" + "é\nb\n".encode("utf-16-le"), 1, 1, b"\xff\xfe" + "b\n".encode("utf-16-le")),
        ("a\u2028b\x0c\x85c\rd\ntwo\n".encode(), 2, 2, "a\u2028b\x0c\x85c\rd\n".encode()),
        ("é".encode() + b"\xff one\n\ttwo\n", 2, 2, "é".encode() + b"\xff one\n"),
    ],
)
def test_these_lines_go_and_all_other_bytes_stay(tmp_path, before, start, end, after):
    (tmp_path / "t").write_bytes(before)
    delete(tmp_path, start, end)
    assert (tmp_path / "t").read_bytes() == after


def test_the_answer_repeats_the_first_and_the_last_line_and_shows_the_diff(tmp_path):
    (tmp_path / "t").write_text("".join(f"line {n}\n" for n in range(1, 6)))
    output = delete(tmp_path, 2, 4)
    assert output.content == 't: deleted 3 lines, 2 to 4, from "line 2" to "line 4"'
    assert (output.value["deleted"], output.value["left"]) == (3, 2)
    assert isinstance(output.view, Diff) and output.view.removed == 3
    assert delete(tmp_path, 2, 2).content == 't: deleted line 2, "line 5"'


@pytest.mark.parametrize(
    ("start", "end", "code", "says"),
    [
        (3, 2, "invalid_range", "end_line 2 is before start_line 3"),
        (2, 4, "past_end", "t has 3 lines; line 4 is past the end"),
        (9, 9, "past_end", "t has 3 lines"),
    ],
)
def test_lines_that_are_not_there_are_an_error_and_nothing_is_written(tmp_path, start, end, code, says):
    (tmp_path / "t").write_bytes(b"a\nb\nc")
    with pytest.raises(ToolError) as caught:
        delete(tmp_path, start, end)
    assert (caught.value.code, says in caught.value.message) == (code, True)
    assert (tmp_path / "t").read_bytes() == b"a\nb\nc"


def played(folder, *calls):
    """The outcome of calls, each in a turn of its own, or of those of a list in one turn."""
    turns = [calling(*call) if isinstance(call, list) else calling(call) for call in calls]
    tools = [read_file, edit_file, delete_range]
    return play([*turns, "done"], tools, cwd=folder, policy=BYPASS).results


def lines(start, end):
    return ("delete_range", {"path": "t", "start_line": start, "end_line": end})


READ = ("read_file", {"path": "t"})


def test_lines_are_deleted_only_once_they_were_read(tmp_path):
    (tmp_path / "t").write_text("".join(f"{n}\n" for n in range(1, 31)))
    part = ("read_file", {"path": "t", "offset": 5, "limit": 10})
    unread, _, beyond, inside = played(tmp_path, lines(1, 2), part, lines(14, 15), lines(13, 14))
    assert (unread.error_type, beyond.error_type, inside.ok) == ("guard_denied", "guard_denied", True)
    assert "lines 14 to 15 of t were not read since the file last changed" in beyond.content


def test_numbers_from_before_an_edit_delete_nothing(tmp_path):
    (tmp_path / "t").write_text("".join(f"line {n}\n" for n in range(1, 9)))
    edit = ("edit_file", {"path": "t", "old_string": "line 1\n", "new_string": ""})
    _, first, second, *after = played(
        tmp_path, READ, [lines(2, 3), lines(5, 6)], READ, edit, lines(1, 1), READ, lines(1, 1)
    )
    assert (first.ok, second.error_type) == (True, "guard_denied")
    assert [result.ok for result in after] == [True, True, False, True, True]
    assert (tmp_path / "t").read_text() == "".join(f"line {n}\n" for n in range(5, 9))


def test_a_file_that_changed_since_it_was_read_loses_no_line(tmp_path):
    (tmp_path / "t").write_text("a\nb\n")
    env = Env(cwd=tmp_path.resolve())
    read_file.execute({"path": "t"}, env)
    (tmp_path / "t").write_text("new\na\nb\n")
    with pytest.raises(ToolError) as caught:
        delete_range.execute({"path": "t", "start_line": 1, "end_line": 1}, env)
    assert (caught.value.code, (tmp_path / "t").read_text()) == ("stale", "new\na\nb\n")


@for_any(examples=15, text="lines", order="order")
def test_what_is_left_and_what_went_are_the_file(tmp_path_factory, text, order):
    """Held against what Python itself splits at newlines."""
    folder = tmp_path_factory.getbasetemp()
    data = text.encode()
    parts = data.splitlines(keepends=True) if b"\r" not in data else [p + b"\n" for p in data.split(b"\n")]
    parts = parts if b"".join(parts) == data else [*parts[:-1], parts[-1][:-1]]
    count = len([part for part in parts if part])
    if not count:
        return
    (folder / "t").write_bytes(data)
    start = order.randint(1, count)
    end = order.randint(start, count)
    delete(folder, start, end)
    assert (folder / "t").read_bytes() == b"".join(parts[: start - 1] + parts[end:])
