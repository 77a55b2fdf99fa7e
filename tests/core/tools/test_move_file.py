"""`move_file`: both ends are judged, and what is in the way stays."""

import os

import pytest

from cellwright import Policy
from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.tools.edit_file import edit_file
from cellwright.tools.move_file import move_file
from cellwright.tools.read_file import read_file
from cellwright.tools.write_file import write_file
from cellwright.views.view import Group, Text

from ..scene import BYPASS, calling, play
from ..swapping import only_posix


@pytest.fixture
def folder(tmp_path):
    for name in ("a.txt", "b.txt", "docs/c.txt", ".env", ".git/config", ".ssh/id"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"{name}\n")
    return tmp_path.resolve()


def move(folder, source, destination, **more):
    args = {"source": source, "destination": destination, **more}
    assert move_file.input_schema.problems(args) == ()
    return move_file.execute(args, Env(cwd=folder))


def refusal(folder, *args, **more):
    with pytest.raises(ToolError) as caught:
        move(folder, *args, **more)
    return caught.value


def played(folder, *calls, policy=BYPASS, answers=()):
    tools = [move_file, read_file, write_file, edit_file]
    return play([*map(calling, calls), "done"], tools, answers, cwd=folder, policy=policy).results


def moving(source, destination, **more):
    return "move_file", {"source": source, "destination": destination, **more}


def reading(path):
    return "read_file", {"path": path}


def test_a_file_gets_its_new_path_and_missing_folders_are_made(folder):
    output = move(folder, "a.txt", "new/deep/z.txt")
    assert output.content == "moved a.txt to new/deep/z.txt"
    assert output.view == Text("a.txt -> new/deep/z.txt")
    assert (folder / "new/deep/z.txt").read_text() == "a.txt\n" and not (folder / "a.txt").exists()


@pytest.mark.parametrize(
    ("source", "destination", "code", "says"),
    [
        ("a.txt", "b.txt", "exists", "b.txt already exists; nothing was moved"),
        ("a.txt", "docs", "is_directory", "give the whole new path, such as 'docs/a.txt'"),
        ("a.txt", "new/", "is_directory", "such as 'new/a.txt'"),
        ("docs", "d", "is_directory", "run_command with mv"),
        ("a.tx", "z", "not_found", "Near it: a.txt"),
        ("a.txt", "./docs/../a.txt", "same_file", "nothing to move"),
        ("a.txt", "b.txt/x", "not_found", "leads through a file"),
    ],
)
def test_what_can_not_be_moved_is_an_error_and_everything_stays(folder, source, destination, code, says):
    before = sorted(os.walk(folder))
    error = refusal(folder, source, destination)
    assert (error.code, says in error.message) == (code, True), error.message
    assert sorted(os.walk(folder)) == before


@only_posix
def test_a_link_is_neither_moved_nor_moved_over(folder):
    (folder / "l").symlink_to("a.txt")
    (folder / "lost").symlink_to("nowhere")
    for ends in (("l", "z"), ("a.txt", "lost"), ("lost", "z"), ("b.txt", "l")):
        assert refusal(folder, *ends, overwrite=True).code in ("is_link", "not_found")
    assert sorted(os.listdir(folder)) == [".env", ".git", ".ssh", "a.txt", "b.txt", "docs", "l", "lost"]


@pytest.mark.parametrize(
    "other", ["../x", "/etc/x", ".ssh/id", ".git/hooks/pre-commit", ".bashrc", ".cellwright/p.toml"]
)
def test_neither_end_may_lie_where_no_tool_writes(folder, other):
    there, back = played(folder, moving("a.txt", other), moving(other, "z.txt"))
    assert (there.error_type, back.error_type) == ("guard_denied", "guard_denied")
    assert (folder / "a.txt").exists()


@pytest.mark.parametrize(
    ("deny", "source", "destination"),
    [
        ("read_file(.env)", ".env", "z.txt"),
        ("edit_file(docs/*)", "docs/c.txt", "z.txt"),
        ("write_file(docs/*)", "a.txt", "docs/z.txt"),
        ("write_file", "a.txt", "z.txt"),
        ("move_file(docs)", "a.txt", "docs/z.txt"),
        ("move_file(.env)", ".env", "z.txt"),
    ],
)
def test_rules_for_reading_and_editing_a_path_hold_for_moving_it(folder, deny, source, destination):
    for policy in (Policy("accept_edits", deny=[deny]), Policy(allow=["move_file"], deny=[deny])):
        (result,) = played(folder, moving(source, destination), policy=policy)
        assert (result.error_type, (folder / source).exists()) == ("permission_denied", True)


def test_an_allow_rule_has_to_cover_both_ends_and_one_for_another_tool_covers_none(folder):
    one = Policy("dont_ask", allow=["move_file(docs/*)", "write_file", "edit_file"])
    out, within = played(folder, moving("docs/c.txt", "z.txt"), moving("docs/c.txt", "docs/d.txt"), policy=one)
    assert (out.error_type, within.ok) == ("permission_denied", True)
    reading_denied = Policy("accept_edits", deny=["read_file(docs/*)"])
    assert played(folder, moving("a.txt", "docs/a.txt"), policy=reading_denied)[0].ok


def test_mode_accept_edits_moves_but_asks_before_a_file_is_lost(folder):
    policy = Policy("accept_edits")
    read, moved, lost = played(
        folder, reading("b.txt"), moving("a.txt", "z.txt"), moving("z.txt", "b.txt", overwrite=True), policy=policy
    )
    assert (read.ok, moved.ok, lost.error_type) == (True, True, "approval_unavailable"), lost
    assert (folder / "b.txt").read_text() == "b.txt\n"


def test_a_file_in_the_way_is_lost_only_once_all_of_it_was_read(folder):
    (folder / "docs" / "n.bin").write_bytes(b"\0\1")
    over = moving("a.txt", "b.txt", overwrite=True)
    binary = moving("a.txt", "docs/n.bin", overwrite=True)
    unread, denied, _, done = played(folder, over, binary, reading("b.txt"), over)
    assert (unread.error_type, denied.error_type, done.ok) == ("guard_denied", "guard_denied", True)
    assert isinstance(done.view, Group) and done.content == "moved a.txt to b.txt, in place of what was there"
    assert (folder / "b.txt").read_text() == "a.txt\n"


def test_a_file_that_changed_since_it_was_read_is_not_lost(folder):
    env = Env(cwd=folder)
    read_file.execute({"path": "b.txt"}, env)
    (folder / "b.txt").write_text("newer\n")
    with pytest.raises(ToolError) as caught:
        move_file.execute({"source": "a.txt", "destination": "b.txt", "overwrite": True}, env)
    assert (caught.value.code, (folder / "b.txt").read_text()) == ("stale", "newer\n")


def test_what_was_read_is_known_under_the_new_path_and_nothing_under_the_old(folder):
    edit = ("edit_file", {"path": "z.txt", "old_string": "a.txt", "new_string": "A"})
    again = ("write_file", {"path": "a.txt", "content": "new\n"})
    results = played(folder, reading("a.txt"), moving("a.txt", "z.txt"), edit, again)
    assert [result.ok for result in results] == [True, True, True, True], results
    assert ((folder / "z.txt").read_text(), (folder / "a.txt").read_text()) == ("A\n", "new\n")
