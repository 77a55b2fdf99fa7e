"""A change is shown, then written; what came between refuses it."""

import os
import random

import pytest

from cellwright.catalogue import load
from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.files.disk import read_text_file
from cellwright.tools.text_change import TextChange, change_view, text_before

from ..faults import files_may_have, folder_of_another, only_posix, small_disk
from ..properties import for_any
from .text_files import Made


@pytest.fixture
def env(tmp_path):
    (tmp_path / "t").write_text("old\n")
    return Env(cwd=tmp_path.resolve())


def test_writing_notes_the_version_that_a_reader_will_find(env):
    version = TextChange.of(text_before("t", env), "new\n").write(env)
    assert env.ledger.seen(env.cwd / "t") == version == read_text_file(env.cwd / "t").version


def test_a_change_refuses_a_file_that_another_program_changed(env):
    change = TextChange.of(text_before("t", env), "new\n")
    (env.cwd / "t").write_text("theirs\n")
    with pytest.raises(ToolError) as caught:
        change.write(env)
    assert (caught.value.code, (env.cwd / "t").read_text()) == ("stale", "theirs\n")


def test_a_new_file_never_replaces_one_that_came_up(env):
    change = TextChange(env.cwd / "new", None, "mine", b"mine")
    (env.cwd / "new").write_text("theirs")
    with pytest.raises(ToolError) as caught:
        change.write(env)
    assert (caught.value.code, (env.cwd / "new").read_text()) == ("exists", "theirs")


def test_showing_notes_the_version_it_was_made_from(env):
    view = change_view(TextChange.of(text_before("t", env), "new\n"), env)
    assert (view.path, view.added, view.removed) == ("t", 1, 1)
    assert env.ledger.seen(env.cwd / "t") == read_text_file(env.cwd / "t").version


def test_no_temporary_file_stays_behind(env):
    TextChange.of(text_before("t", env), "new\n").write(env)
    assert os.listdir(env.cwd) == ["t"]


ONE, OTHER = {"old_string": "needle", "new_string": "thread"}, {"old_string": "thread b", "new_string": "c"}
EDITS = {
    "edit_file": ("a needle b\n", ONE, "a thread b\n"),
    "edit_file, all": ("needle, needle\n", ONE | {"replace_all": True}, "thread, thread\n"),
    "multi_edit": ("a needle b\n", {"edits": [ONE, OTHER]}, "a c\n"),
    "delete_range": ("needle\n", {}, ""),
    "delete_symbol": ("def needle(a):\n    return a\n", {"symbol": "needle"}, ""),
    "move_file": ("needle\n", {}, "needle\n"),
    "write_file": ("needle\n", {}, ""),
}
"""What stands in a file, a call that changes it, and what stands there then."""


def call_of(name, made, args):
    match name:
        case "delete_range":
            return {"path": "t.py", "start_line": made.line, "end_line": made.line}
        case "move_file":
            return {"source": "t.py", "destination": "moved.py"}
        case "write_file":
            return {"path": "t.py", "content": made.head + made.tail}
    return {"path": "t.py", **args}


@pytest.mark.parametrize("edit", EDITS)
@for_any(examples=15, order="order")
def test_a_tool_that_writes_changes_what_it_is_to_change_and_no_byte_around_it(tmp_path_factory, edit, order):
    """In an old encoding that is guessed wrongly a word may not be found; then nothing changes at all."""
    folder, name, (before, args, after) = tmp_path_factory.getbasetemp(), edit.split(",")[0], EDITS[edit]
    made = Made(order, is_code=name == "delete_symbol")
    if name == "write_file" and (not made.is_unicode or made.stray):
        return
    path = folder / ("moved.py" if name == "move_file" else "t.py")
    path.unlink(missing_ok=True)
    (folder / "t.py").write_bytes(made.with_(before))
    try:
        load(name).execute(call_of(name, made, args), Env(cwd=folder.resolve()))
    except ToolError as error:
        assert (error.code, made.is_unicode) == ("not_found", False), error
        after = before
    assert path.read_bytes() == made.with_(after)


def faulty(name, folder, made):
    """What a tool says when the system lets it not write; the file must be as it was."""
    before, args, _ = EDITS[name]
    with pytest.raises(ToolError) as caught:
        load(name).execute(call_of(name, made, args), Env(cwd=folder))
    assert ((folder / "t.py").read_bytes(), os.listdir(folder)) == (made.with_(before), ["t.py"])
    return caught.value.code


class Big(Made):
    """A file of a quarter of a million bytes."""

    def __init__(self):
        super().__init__(random.Random(1), is_code=True)
        self.encoding, self.mark, self.stray, self.tail = "utf-8", b"", b"", "# more\n" * 36_000


@only_posix
@pytest.mark.parametrize("name", [name for name in EDITS if name not in ("edit_file, all", "move_file")])
def test_a_full_disk_a_limit_and_a_closed_folder_are_told_and_leave_the_file_as_it_was(tmp_path, name):
    made = Big()
    data = made.with_(EDITS[name][0])
    with folder_of_another({"t.py": data}) as closed:
        assert faulty(name, closed, made) == "not_permitted"
    (tmp_path / "box").mkdir()
    (tmp_path / "box" / "t.py").write_bytes(data)
    with files_may_have(100_000):
        assert faulty(name, (tmp_path / "box").resolve(), made) == "write_failed"
    with small_disk(tmp_path / "disk", "400k") as disk:
        (disk / "t.py").write_bytes(data)
        assert faulty(name, disk.resolve(), made) == "write_failed"


@only_posix
def test_a_disk_that_is_full_keeps_a_file_of_two_names_as_it_was(tmp_path):
    made = Big()
    with small_disk(tmp_path / "disk", "400k") as disk:
        (disk / "t.py").write_bytes(made.with_("needle\n"))
        os.link(disk / "t.py", tmp_path / "disk" / "second")
        with pytest.raises(ToolError, match="The disk is full, nothing was changed"):
            load("edit_file").execute({"path": "t.py", **ONE}, Env(cwd=disk.resolve()))
        assert (disk / "second").read_bytes() == made.with_("needle\n")
        assert sorted(os.listdir(disk)) == ["second", "t.py"]


@only_posix
def test_a_move_into_a_closed_folder_leaves_the_file_where_it_was(tmp_path):
    with folder_of_another({"t.py": b"x\n"}) as closed:
        with pytest.raises(ToolError) as caught:
            load("move_file").execute({"source": "t.py", "destination": "new/t.py"}, Env(cwd=closed))
        assert (caught.value.code, os.listdir(closed)) == ("not_permitted", ["t.py"])


def test_a_text_with_a_zero_byte_is_refused_before_anyone_is_asked(env):
    for act in (
        lambda: TextChange.of(text_before("t", env), "a\0"),
        lambda: TextChange(env.cwd / "n", None, "\0", b"\0"),
    ):
        with pytest.raises(ToolError, match="holds a zero byte") as caught:
            act()
        assert caught.value.code == "not_text"
