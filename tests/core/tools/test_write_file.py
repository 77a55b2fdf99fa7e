"""`write_file`: exactly the content given, and nothing lost unseen."""

import os

import pytest

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.tools.read_file import read_file
from cellwright.tools.write_file import write_file
from cellwright.views.file_diff import Diff


def write(folder, path, content):
    args = {"path": path, "content": content}
    assert write_file.input_schema.problems(args) == ()
    return write_file.execute(args, Env(cwd=folder.resolve()))


def refusal(folder, path, content="x"):
    with pytest.raises(ToolError) as caught:
        write(folder, path, content)
    return caught.value


@pytest.mark.parametrize(
    "content",
    ['<p title="a &amp; b">x &lt; y &apos;q&apos;</p>\n', "a\r\nb\n", "", "\ttab  \n\n", "é €\u2028", "$1 \\1"],
)
def test_a_new_file_holds_exactly_the_content(tmp_path, content):
    output = write(tmp_path, "new/deep/t.txt", content)
    assert (tmp_path / "new/deep/t.txt").read_bytes() == content.encode()
    assert output.value["created"] is True


@pytest.mark.parametrize(
    ("before", "content", "after"),
    [
        (b"\xef\xbb\xbfa\r\n", "b\r\n", b"\xef\xbb\xbfb\r\n"),
        (b"\xff\xfe" + "a".encode("utf-16-le"), "€", b"\xff\xfe" + "€".encode("utf-16-le")),
        (b"caf\xe9", "thé", b"th\xe9"),
        (b"caf\xe9", "€", "€".encode()),
        (b"a\r\n", "b\n", b"b\n"),
    ],
)
def test_an_existing_file_keeps_its_encoding_where_it_can(tmp_path, before, content, after):
    (tmp_path / "t").write_bytes(before)
    write(tmp_path, "t", content)
    assert (tmp_path / "t").read_bytes() == after


def test_a_change_of_encoding_or_line_ends_is_said(tmp_path):
    (tmp_path / "t").write_bytes(b"caf\xe9\r\n")
    content = write(tmp_path, "t", "€\n").content
    assert "now UTF-8" in content
    assert "line ends changed from CRLF to LF" in content


def test_the_same_content_again_changes_nothing_and_says_so(tmp_path):
    (tmp_path / "t").write_text("a\n")
    before = (tmp_path / "t").stat()
    output = write(tmp_path, "t", "a\n")
    assert (output.value["changed"], "nothing to change" in output.content) == (False, True)
    assert (tmp_path / "t").stat().st_ino == before.st_ino


@pytest.mark.parametrize(
    ("path", "code"),
    [("sub", "is_directory"), ("new/", "is_directory"), ("../out", "outside"), ("away", "outside"),
     ("loop", "link_cycle"),     ("bin", "binary"), ("n.ipynb", "is_notebook"), ("text/below", "not_found"),
     ("new.ipynb", "not_a_notebook")],
)  # fmt: skip
def test_what_must_not_be_written_is_refused(tmp_path, path, code):
    box = tmp_path / "box"
    (box / "sub").mkdir(parents=True)
    (box / "away").symlink_to("../elsewhere")
    (box / "loop").symlink_to("loop")
    (box / "bin").write_bytes(b"\0\1")
    (box / "n.ipynb").write_text("{}")
    (box / "text").write_text("a")
    names = sorted(os.listdir(box))
    assert refusal(box, path).code in (code, "invalid_path")
    assert (sorted(os.listdir(box)), os.listdir(tmp_path)) == (names, ["box"])


def test_a_sibling_folder_with_a_longer_name_is_outside(tmp_path):
    (tmp_path / "box").mkdir()
    (tmp_path / "box2").mkdir()
    for path in ("../box2/x.txt", str(tmp_path / "box2/x.txt"), "sub/../../box2/x.txt"):
        assert refusal(tmp_path / "box", path).code == "outside"
    assert os.listdir(tmp_path / "box2") == []


def test_a_percent_encoded_name_is_just_a_name(tmp_path):
    write(tmp_path, "%2e%2e/x.txt", "a")
    assert (tmp_path / "%2e%2e" / "x.txt").read_text() == "a"


def test_a_link_is_written_through(tmp_path):
    (tmp_path / "real.txt").write_text("v1\n")
    (tmp_path / "link.txt").symlink_to("real.txt")
    write(tmp_path, "link.txt", "v3\n")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "v3\n"


def test_the_mode_of_a_file_stays(tmp_path):
    (tmp_path / "run.sh").write_text("a\n")
    (tmp_path / "run.sh").chmod(0o755)
    write(tmp_path, "run.sh", "b\n")
    assert (tmp_path / "run.sh").stat().st_mode & 0o777 == 0o755


def test_a_file_that_changed_since_it_was_read_is_not_replaced(tmp_path):
    (tmp_path / "t").write_text("1")
    env = Env(cwd=tmp_path.resolve())
    read_file.execute({"path": "t"}, env)
    (tmp_path / "t").write_text("2")
    with pytest.raises(ToolError, match="changed since"):
        write_file.execute({"path": "t", "content": "3"}, env)
    assert (tmp_path / "t").read_text() == "2"


def test_a_file_that_came_up_after_the_showing_is_not_replaced(tmp_path):
    env, args = Env(cwd=tmp_path.resolve()), {"path": "t", "content": "mine\n"}
    assert isinstance(write_file.present_call(args, env), Diff)
    (tmp_path / "t").write_text("theirs\n")
    with pytest.raises(ToolError, match="changed since"):
        write_file.execute(args, env)
    assert (tmp_path / "t").read_text() == "theirs\n"


def test_a_file_that_was_read_and_deleted_can_be_written_again(tmp_path):
    (tmp_path / "t").write_text("1")
    env = Env(cwd=tmp_path.resolve())
    read_file.execute({"path": "t"}, env)
    (tmp_path / "t").unlink()
    write_file.execute({"path": "t", "content": "2"}, env)
    assert (tmp_path / "t").read_text() == "2"


def test_showing_makes_no_folder_and_no_file(tmp_path):
    view = write_file.present_call({"path": "new/t", "content": "a\n"}, Env(cwd=tmp_path.resolve()))
    assert (view.added, view.removed, os.listdir(tmp_path)) == (1, 0, [])


def test_showing_what_is_refused_says_why(tmp_path):
    with pytest.raises(ToolError) as caught:
        write_file.present_call({"path": "..", "content": "a\n"}, Env(cwd=tmp_path.resolve()))
    assert caught.value.code == "outside"
