"""`edit_file`: one exact piece changes, every other byte stays."""

import os
import threading

import pytest

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.tools.edit_file import edit_file
from cellwright.tools.read_file import read_file
from cellwright.views.file_diff import Diff

from ..scene import BYPASS, calling, play
from ..swapping import only_posix

TEMPLATE_LIKE = "$& $1 $$ $` $' \\1 \\g<0> \\n C:\\new\\table {0} %s ${x}"


def edit(folder, old, new, path="t", **more):
    args = {"path": path, "old_string": old, "new_string": new, **more}
    assert edit_file.input_schema.problems(args) == ()
    return edit_file.execute(args, Env(cwd=folder.resolve()))


def refusal(folder, old, new, **more):
    with pytest.raises(ToolError) as caught:
        edit(folder, old, new, **more)
    return caught.value


@pytest.mark.parametrize(
    ("before", "old", "new", "after"),
    [
        (b"one\r\ntwo\nthree\r\nfour\n", "two", "TWO", b"one\r\nTWO\nthree\r\nfour\n"),
        (b"a:\n\techo one\n\techo two\n", "echo one", "echo uno", b"a:\n\techo uno\n\techo two\n"),
        (b"\xef\xbb\xbfkey\r\n", "key", "name", b"\xef\xbb\xbfname\r\n"),
        (b"\xff\xfe" + "é1\r\n".encode("utf-16-le"), "1", "2", b"\xff\xfe" + "é2\r\n".encode("utf-16-le")),
        (b"caf\xe9 one\n", "one", "two", b"caf\xe9 two\n"),
        ("é".encode() + b"\xff one\n", "one", "two", "é".encode() + b"\xff two\n"),
        (b"no end", "end", "stop", b"no stop"),
        (b"trail  \n\n\n", "trail", "rail", b"rail  \n\n\n"),
        ("a\u2028b\x0c\x85 one".encode(), "one", "two", "a\u2028b\x0c\x85 two".encode()),
        (b"x &lt; y\n", "&lt;", "&le;", b"x &le; y\n"),
        (b"while go:\n  step()\n  rest()\n", "  step()\n", "  jump()\n", b"while go:\n  jump()\n  rest()\n"),
    ],
)
def test_only_the_quoted_bytes_change(tmp_path, before, old, new, after):
    (tmp_path / "t").write_bytes(before)
    edit(tmp_path, old, new)
    assert (tmp_path / "t").read_bytes() == after


@pytest.mark.parametrize(
    ("before", "old", "new", "after"),
    [
        (b"a\r\nb\r\nc\r\n", "a\nb\n", "a\nx\ny\n", b"a\r\nx\r\ny\r\nc\r\n"),
        (b"a\r\nb\r\n", "b", "b1\nb2", b"a\r\nb1\r\nb2\r\n"),
        (b"a\r\nlast", "last", "b\nlast", b"a\r\nb\r\nlast"),
        (b"a\r\nb\nc\n", "a\nb\nc", "A\nB\nC", b"A\r\nB\nC\n"),
        (b"a\nb\n", "a\nb", "a\r\nb", b"a\r\nb\n"),
        (b"a\r\nb\r\n", "a\r\nb", "a\nb", b"a\nb\r\n"),
    ],
)
def test_a_line_break_stands_for_the_line_end_of_the_place(tmp_path, before, old, new, after):
    (tmp_path / "t").write_bytes(before)
    edit(tmp_path, old, new)
    assert (tmp_path / "t").read_bytes() == after


def test_the_new_text_is_taken_literally(tmp_path):
    (tmp_path / "t").write_text("run TOKEN end\n")
    edit(tmp_path, "TOKEN", TEMPLATE_LIKE)
    assert (tmp_path / "t").read_text() == f"run {TEMPLATE_LIKE} end\n"


def test_replace_all_changes_every_place_and_counts_them(tmp_path):
    (tmp_path / "t").write_text("TOKEN TOKEN\nTOKEN\n")
    output = edit(tmp_path, "TOKEN", TEMPLATE_LIKE, replace_all=True)
    assert (tmp_path / "t").read_text() == f"{TEMPLATE_LIKE} {TEMPLATE_LIKE}\n{TEMPLATE_LIKE}\n"
    assert output.content == "t: replaced 3 occurrences at lines 1, 1, 2"


@pytest.mark.parametrize(
    ("old", "new", "more", "code", "words"),
    [
        ("", "#", {}, "empty_old_string", "must not be empty"),
        ("", "#", {"replace_all": True}, "empty_old_string", "must not be empty"),
        ("tea", "tea", {}, "no_change", "nothing to change"),
        ("coffee", "x", {}, "not_found", "not found"),
        ("t", "x", {}, "not_unique", "2 times, at lines 1, 2"),
        ("TEA", "x", {}, "not_found", "not found"),
    ],
)
def test_an_edit_that_can_not_be_made_leaves_the_file_alone(tmp_path, old, new, more, code, words):
    (tmp_path / "t").write_bytes(b"tea\npot")
    error = refusal(tmp_path, old, new, **more)
    assert error.code == code
    assert words in error.message
    assert ((tmp_path / "t").read_bytes(), os.listdir(tmp_path)) == (b"tea\npot", ["t"])


def test_overlapping_occurrences_are_not_unique(tmp_path):
    (tmp_path / "t").write_text("aaa")
    assert refusal(tmp_path, "aa", "b").code == "not_unique"


def test_a_character_the_encoding_lacks_is_refused(tmp_path):
    (tmp_path / "t").write_bytes(b"caf\xe9\n")
    error = refusal(tmp_path, "caf", "€")
    assert (error.code, "latin-1" in error.message) == ("not_encodable", True)
    assert (tmp_path / "t").read_bytes() == b"caf\xe9\n"


def test_a_link_stays_a_link_and_its_target_changes(tmp_path):
    (tmp_path / "real.txt").write_text("v1\n")
    (tmp_path / "link.txt").symlink_to("real.txt")
    edit(tmp_path, "v1", "v2", path="link.txt")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "v2\n"


@pytest.mark.parametrize("path", ["../out.txt", "sub/../../out.txt", "link.txt"])
def test_a_file_outside_is_never_touched(tmp_path, path):
    box = tmp_path / "box"
    box.mkdir()
    (tmp_path / "out.txt").write_text("v1")
    (box / "link.txt").symlink_to("../out.txt")
    assert refusal(box, "v1", "v2", path=path).code == "outside"
    assert (tmp_path / "out.txt").read_text() == "v1"


def test_a_change_with_the_same_size_and_time_is_still_seen(tmp_path):
    file, env = tmp_path / "k", Env(cwd=tmp_path.resolve())
    file.write_text("k = 1\nm = 1\n")
    read_file.execute({"path": "k"}, env)
    times = file.stat()
    file.write_text("k = 2\nm = 1\n")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    with pytest.raises(ToolError, match="read it again") as caught:
        edit_file.execute({"path": "k", "old_string": "m = 1", "new_string": "m = 5"}, env)
    assert (caught.value.code, file.read_text()) == ("stale", "k = 2\nm = 1\n")


def test_edits_in_a_row_need_no_reading_between(tmp_path):
    (tmp_path / "t").write_text("a b\n")
    env = Env(cwd=tmp_path.resolve())
    for old, new in [("a", "1"), ("b", "2")]:
        edit_file.execute({"path": "t", "old_string": old, "new_string": new}, env)
    assert (tmp_path / "t").read_text() == "1 2\n"


def test_two_edits_at_once_never_lose_one_in_silence(tmp_path):
    env = Env(cwd=tmp_path.resolve())
    (tmp_path / "link").symlink_to("t")
    for turn in range(50):
        (tmp_path / "t").write_text("".join(f"item {n}\n" for n in range(1, 61)))
        env.ledger.forget(env.cwd / "t")
        done = at_once(env, [("t", "item 7\n", "SEVEN\n"), (("t", "link")[turn % 2], "item 42\n", "FORTY-TWO\n")])
        text = (tmp_path / "t").read_text()
        assert done
        assert sorted(done) == [new for new in ("FORTY-TWO\n", "SEVEN\n") if new in text]


def at_once(env, edits):
    """Run edits in threads; the new texts of those that said success."""
    done = []

    def one(path, old, new):
        try:
            edit_file.execute({"path": path, "old_string": old, "new_string": new}, env)
        except ToolError as error:
            assert error.code == "stale"
        else:
            done.append(new)

    threads = [threading.Thread(target=one, args=args) for args in edits]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return done


def test_the_person_is_shown_the_exact_diff_and_nothing_is_written(tmp_path):
    (tmp_path / "t").write_text("a\nb\n")
    view = edit_file.present_call({"path": "t", "old_string": "b", "new_string": "c"}, Env(cwd=tmp_path.resolve()))
    assert isinstance(view, Diff)
    assert view.unified == "--- a/t\n+++ b/t\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
    assert (tmp_path / "t").read_text() == "a\nb\n"


def test_an_edit_that_can_not_be_made_is_not_shown(tmp_path):
    (tmp_path / "t").write_text("a\n")
    with pytest.raises(ToolError) as caught:
        edit_file.present_call({"path": "t", "old_string": "x", "new_string": "c"}, Env(cwd=tmp_path.resolve()))
    assert caught.value.code == "not_found"


def test_what_changed_between_showing_and_doing_is_not_written_over(tmp_path):
    (tmp_path / "t").write_text("a\nb\n")
    env, args = Env(cwd=tmp_path.resolve()), {"path": "t", "old_string": "b", "new_string": "c"}
    edit_file.present_call(args, env)
    (tmp_path / "t").write_text("X\nb\n")
    with pytest.raises(ToolError, match="changed since"):
        edit_file.execute(args, env)
    assert (tmp_path / "t").read_text() == "X\nb\n"


def test_showing_does_not_hide_that_the_file_changed_since_it_was_read(tmp_path):
    (tmp_path / "t").write_text("a\nb\n")
    env, args = Env(cwd=tmp_path.resolve()), {"path": "t", "old_string": "b", "new_string": "c"}
    read_file.execute({"path": "t"}, env)
    (tmp_path / "t").write_text("X\nb\n")
    for act in (edit_file.present_call, edit_file.execute):
        with pytest.raises(ToolError, match="changed since"):
            act(args, env)


def test_a_notebook_points_to_its_own_tool(tmp_path):
    (tmp_path / "n.ipynb").write_text("{}")
    error = refusal(tmp_path, "{", "[", path="n.ipynb")
    assert (error.code, "notebook_edit" in error.message) == ("is_notebook", True)


def test_it_declares_that_it_edits_the_file_it_names():
    assert edit_file.edits_files({"path": "t"})
    assert not edit_file.trait("concurrency_safe", {})


@only_posix
def test_two_edits_of_one_turn_are_both_made_also_by_two_names_of_the_file(tmp_path):
    (tmp_path / "t").write_text("".join(f"item {n}\n" for n in range(1, 61)))
    (tmp_path / "link").symlink_to("t")
    edits = [("t", "item 7\nitem 8", "item 7\nITEM EIGHT"), ("link", "item 42\n", "ITEM FORTY-TWO\n")]
    calls = [("edit_file", {"path": p, "old_string": old, "new_string": new}) for p, old, new in edits]
    turns = [calling(("read_file", {"path": "t"})), calling(*calls), "done"]
    run = play(turns, [read_file, edit_file], cwd=tmp_path, policy=BYPASS)
    assert [result.ok for result in run.results] == [True, True, True]
    text = (tmp_path / "t").read_text()
    assert ("item 7\nITEM EIGHT\n" in text, "item 41\nITEM FORTY-TWO\nitem 43" in text) == (True, True)
