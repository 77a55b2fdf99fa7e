"""`list_dir`: kinds and sizes, bounded, links not followed."""

import os

import pytest

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.tools.list_dir import list_dir
from cellwright.views.table import Table

from ..scene import calling, play
from ..swapping import only_posix


@pytest.fixture
def folder(tmp_path):
    """A folder with all kinds of things in it."""
    for name in ("docs/deep", ".git/hooks", ".ssh", "build", "empty"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("a.txt", "docs/guide.md", "docs/deep/x.md", ".git/config", ".ssh/id", "build/out.o"):
        (tmp_path / name).write_bytes(b"12345\n")
    (tmp_path / ".gitignore").write_text("build/\n*.tmp\n")
    return tmp_path.resolve()


def listed(folder, **args):
    assert list_dir.input_schema.problems(args) == ()
    return list_dir.execute(args, Env(cwd=folder))


def paths(output):
    return [entry["path"] for entry in output.value["entries"]]


def refusal(folder, **args):
    with pytest.raises(ToolError) as caught:
        listed(folder, **args)
    return caught.value


def test_a_folder_is_listed_by_name_with_kinds_and_sizes(folder):
    output = listed(folder)
    assert output.content.split("\n") == [
        ".: 7 entries", ".git/", ".gitignore  13 bytes", ".ssh/", "a.txt  6 bytes", "build/", "docs/", "empty/",
    ]  # fmt: skip
    assert output.value["entries"][3] == {"path": "a.txt", "kind": "file", "bytes": 6}
    assert isinstance(output.view, Table) and output.view.rows[3] == ("a.txt", "file", 6)
    assert listed(folder, path="empty").content == "empty is empty"


def test_levels_below_come_after_their_folder_but_git_and_keys_are_not_entered(folder):
    assert paths(listed(folder, depth=8)) == [
        ".git", ".gitignore", ".ssh", "a.txt", "build", "build/out.o", "docs", "docs/deep", "docs/deep/x.md",
        "docs/guide.md", "empty",
    ]  # fmt: skip
    shown = listed(folder, path="docs", depth=2).content
    assert shown == "docs: 3 entries\ndeep/\n  x.md  6 bytes\nguide.md  6 bytes"


def test_what_gitignore_excludes_is_left_out_on_request_and_counted(folder):
    (folder / "docs" / "old.tmp").touch()
    output = listed(folder, depth=2, gitignore=True)
    assert {"build", "docs/old.tmp"} & set(paths(output)) == set()
    assert {"empty", "docs/guide.md", ".git"} <= set(paths(output))
    assert output.content.endswith("note: entries that .gitignore excludes are left out: 2")


def test_a_long_list_is_cut_and_counted_and_the_top_comes_first(folder):
    for number in range(50):
        (folder / "build" / f"{number}.o").touch()
    output = listed(folder, depth=2, limit=10)
    assert {"a.txt", "empty"} <= set(paths(output)) and len(paths(output)) == 10
    assert (output.value["left_out"], output.view.total) == (50, 60)
    assert output.content.endswith("note: 50 more entries; list a folder by itself, raise limit, or use find_files")
    for number in range(800):
        (folder / "docs" / f"{'long' * 40}{number}").touch()
    content = listed(folder, path="docs", limit=2000).content
    assert len(content) < 41_000 and "more entries" in content


@only_posix
def test_links_are_named_and_not_followed_and_odd_things_have_their_kind(folder):
    (folder / "up").symlink_to("..")
    (folder / "lost").symlink_to("nowhere")
    os.mkfifo(folder / "pipe")
    output = listed(folder, depth=8)
    assert {"path": "up", "kind": "link", "target": ".."} in output.value["entries"]
    assert {"lost -> nowhere  link", "pipe  pipe"} <= set(output.content.split("\n"))
    assert not [path for path in paths(output) if path.startswith("up/")]


@only_posix
def test_a_name_can_be_passed_on_as_it_is_shown_and_is_quoted_if_need_be(folder):
    (folder / "docs" / "two\nlines").touch()
    (folder / "docs" / "Shot 1\u202fPM.txt").touch()
    (folder / "docs" / os.fsdecode(b"caf\xe9")).touch()
    lines = set(listed(folder, path="docs").content.split("\n"))
    assert {'"two\\nlines"  0 bytes', "Shot 1\u202fPM.txt  0 bytes"} <= lines
    assert "caf\\udce9 (not UTF-8, it can't be passed on)  0 bytes" in lines


def test_what_a_killed_write_left_behind_is_not_listed(folder):
    (folder / ".cellwright-0123456789ab.tmp").touch()
    assert len(paths(listed(folder))) == 7


def test_what_is_no_folder_is_an_error_that_says_what_to_do(folder):
    error = refusal(folder, path="a.txt")
    assert (error.code, error.message) == ("not_a_folder", "a.txt is not a folder; read_file reads a.txt")
    missing = refusal(folder, path="doc")
    assert (missing.code, "Near it: docs." in missing.message) == ("not_found", True)


def test_a_folder_outside_or_with_keys_is_denied_and_the_rest_needs_no_question(folder):
    calls = [("list_dir", {"path": path}) for path in ("..", ".ssh", "docs/../.ssh", ".")]
    run = play([calling(*calls), "done"], [list_dir], cwd=folder)
    assert [result.error_type for result in run.results] == ["guard_denied"] * 3 + [None]
