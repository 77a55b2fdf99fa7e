import os
import stat
import subprocess

import pytest

from cellwright.errors import ToolError
from cellwright.undo.file_state import ABSENT, FileState
from cellwright.undo.snapshots import KEPT_DAYS, Snapshots

from ..swapping import only_posix, swap

DATA = bytes(range(256)) * 10_000


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.bin").write_bytes(DATA)
    return tmp_path


def store(folder):
    return folder / ".cellwright" / "snapshots"


def test_a_copy_holds_every_byte_and_the_state_says_which(folder):
    snapshots = Snapshots(folder, "run-1")
    state = snapshots.keep(folder / "a.bin")
    (folder / "a.bin").write_bytes(b"other")
    assert (snapshots.content(state) == DATA, state.size, snapshots.holds(state)) == (True, len(DATA), True)
    assert snapshots.look(folder / "a.bin") != state
    assert not snapshots.holds(snapshots.look(folder / "a.bin"))


@only_posix
def test_only_the_owner_can_read_the_copies_and_git_does_not_see_them(folder):
    (folder / "a.bin").chmod(0o644)
    state = Snapshots(folder, "run-1").keep(folder / "a.bin")
    copy = store(folder) / "run-1" / state.digest
    assert [stat.S_IMODE(path.stat().st_mode) for path in (copy, copy.parent)] == [0o600, 0o700]
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    seen = subprocess.run(["git", "status", "--porcelain", "-uall"], cwd=folder, check=True, capture_output=True).stdout
    assert seen == b"?? a.bin\n"


def test_the_same_bytes_are_kept_once_and_each_run_has_its_own_folder(folder):
    (folder / "b.bin").write_bytes(DATA)
    first, second = Snapshots(folder, "run-1"), Snapshots(folder, "run-1")
    assert first.folder == ""
    assert first.keep(folder / "a.bin").digest == first.keep(folder / "b.bin").digest
    second.keep(folder / "a.bin")
    assert (first.folder, second.folder) == ("run-1", "run-1-2")
    assert [len(os.listdir(store(folder) / name)) for name in ("run-1", "run-1-2")] == [1, 1]


def test_what_is_no_file_is_seen_as_what_it_is(folder):
    snapshots = Snapshots(folder, "run-1")
    os.symlink("a.bin", folder / "link")
    (folder / "sub").mkdir()
    assert snapshots.keep(folder / "none" / "x") == ABSENT
    assert snapshots.keep(folder / "link") == FileState("link", target="a.bin")
    assert snapshots.keep(folder / "sub") == FileState("other")
    assert [snapshots.holds(FileState(kind)) for kind in ("absent", "other")] == [True, False]


def test_another_kernel_finds_the_copies_by_the_name_of_their_folder(folder):
    state = Snapshots(folder, "run-1").keep(folder / "a.bin")
    assert Snapshots(folder, folder="run-1").content(state) == DATA


@pytest.mark.parametrize("name", ["..", "../..", "/", ".", "a/../b"])
def test_a_name_that_leads_elsewhere_is_no_folder(folder, name):
    assert Snapshots(folder, folder=name).folder == ""


def test_a_copy_that_was_changed_or_cleared_away_is_not_taken(folder):
    snapshots = Snapshots(folder, "run-1")
    state = snapshots.keep(folder / "a.bin")
    (store(folder) / "run-1" / state.digest).write_bytes(b"forged")
    with pytest.raises(ToolError) as caught:
        snapshots.content(state)
    assert caught.value.code == "no_copy"
    (store(folder) / "run-1" / state.digest).unlink()
    assert not snapshots.holds(state)


def test_when_there_is_no_room_the_oldest_copies_go(folder):
    snapshots = Snapshots(folder, "run-1", room=30)
    states = []
    for number in range(4):
        (folder / "a.bin").write_bytes(b"%d" % number * 10)
        states.append(snapshots.keep(folder / "a.bin"))
    assert [snapshots.holds(state) for state in states] == [False, True, True, True]
    (folder / "a.bin").write_bytes(b"x" * 31)
    with pytest.raises(ToolError, match="31 bytes"):
        snapshots.keep(folder / "a.bin")


def test_without_a_folder_nothing_is_kept(folder):
    with pytest.raises(ToolError, match="no folder for copies"):
        Snapshots().keep(folder / "a.bin")
    assert Snapshots().look(folder / "a.bin").size == len(DATA)


def test_what_was_left_long_ago_is_cleared_away(folder):
    for name, days in (("old", KEPT_DAYS + 1), ("young", KEPT_DAYS - 1)):
        (store(folder) / name).mkdir(parents=True)
        (store(folder) / name / "copy").write_bytes(b"x")
        when = (store(folder) / name).stat().st_mtime - days * 86_400
        os.utime(store(folder) / name, (when, when))
    Snapshots(folder, "run-1").keep(folder / "a.bin")
    assert sorted(os.listdir(store(folder))) == ["run-1", "young"]


@only_posix
def test_no_link_is_followed_to_a_file_or_into_the_store(folder):
    outside = folder / "outside"
    outside.mkdir()
    (folder / "docs").mkdir()
    (folder / "docs" / "a").write_bytes(b"in")
    (outside / "a").write_bytes(b"secret")
    swap(folder / "docs", outside)
    with pytest.raises(ToolError) as caught:
        Snapshots(folder, "run-1").keep(folder / "docs" / "a")
    assert caught.value.code == "moved"
    (folder / ".cellwright").mkdir(exist_ok=True)
    os.symlink(outside, store(folder))
    with pytest.raises(ToolError):
        Snapshots(folder, "run-2").keep(folder / "a.bin")
    assert os.listdir(outside) == ["a"]
