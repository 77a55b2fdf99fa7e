"""`multi_edit`: all edits or none, each on the result of the one before."""

import os

import pytest

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.tools.multi_edit import multi_edit
from cellwright.views.file_diff import Diff


def args_of(*pairs):
    return {"path": "t", "edits": [{"old_string": old, "new_string": new} for old, new in pairs]}


def run(folder, args):
    assert multi_edit.input_schema.problems(args) == ()
    return multi_edit.execute(args, Env(cwd=folder.resolve()))


def test_edits_are_made_in_order_each_on_the_result_before(tmp_path):
    (tmp_path / "t").write_bytes(b"one\r\ntwo\r\n")
    output = run(tmp_path, args_of(("one", "1"), ("1\ntwo", "1\n2"), ("2", "zwei")))
    assert (tmp_path / "t").read_bytes() == b"1\r\nzwei\r\n"
    assert output.value["replacements"] == [1, 1, 1]


def test_replace_all_holds_for_its_own_edit(tmp_path):
    (tmp_path / "t").write_text("a a b\n")
    args = args_of(("a", "$1"), ("b", "c"))
    args["edits"][0]["replace_all"] = True
    assert run(tmp_path, args).value["replacements"] == [2, 1]
    assert (tmp_path / "t").read_text() == "$1 $1 c\n"


@pytest.mark.parametrize(
    ("pairs", "code", "words"),
    [
        ([("one", "1"), ("missing", "x"), ("three", "3")], "not_found", "edit 2 of 3"),
        ([("one", "1"), ("", "#")], "empty_old_string", "edit 2 of 2"),
        ([("e", "E"), ("one", "1")], "not_unique", "edit 1 of 2"),
        ([("one", "1"), ("two", "two")], "no_change", "edit 2 of 2"),
        ([("one t", "X"), ("two", "Y")], "overlap", "edit 2 of 2 overlaps edit 1"),
        ([("three", "3"), ("one", "two"), ("two", "Y")], "not_unique", "edit 3 of 3"),
        ([("one", "uno"), ("uno two", "X"), ("three", "3"), ("uno", "Y")], "overlap", "edit 4 of 4 overlaps edit 2"),
    ],
)
def test_one_edit_that_can_not_be_made_leaves_the_file_untouched(tmp_path, pairs, code, words):
    (tmp_path / "t").write_bytes(b"one two three\n")
    with pytest.raises(ToolError) as caught:
        run(tmp_path, args_of(*pairs))
    assert caught.value.code == code
    assert words in caught.value.message
    assert ((tmp_path / "t").read_bytes(), os.listdir(tmp_path)) == (b"one two three\n", ["t"])


def test_overlapping_edits_are_named(tmp_path):
    (tmp_path / "t").write_text("abcdef\n")
    with pytest.raises(ToolError, match="edit 2 of 2 overlaps edit 1"):
        run(tmp_path, args_of(("bcd", "X"), ("cde", "Y")))


@pytest.mark.parametrize("edits", [[], [{"old_string": "a"}], [{"old_string": "a", "new_string": "b", "all": True}]])
def test_edits_that_are_none_are_refused_by_the_schema(edits):
    assert multi_edit.input_schema.problems({"path": "t", "edits": edits})


def test_the_person_is_shown_all_edits_as_one_diff(tmp_path):
    (tmp_path / "t").write_text("a\nb\nc\n")
    view = multi_edit.present_call(args_of(("a", "1"), ("c", "3")), Env(cwd=tmp_path.resolve()))
    assert isinstance(view, Diff)
    assert view.unified == "--- a/t\n+++ b/t\n@@ -1,3 +1,3 @@\n-a\n+1\n b\n-c\n+3\n"
    assert (tmp_path / "t").read_text() == "a\nb\nc\n"
