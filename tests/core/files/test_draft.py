import os
import stat

import pytest

from cellwright.files.draft import draft, is_left_over, written_at_once
from cellwright.files.folder import opened_folder

from ..faults import files_may_have, folder_of_another, killed_while_writing, only_posix, small_disk


@pytest.mark.parametrize(
    "pieces", [[b"one ", memoryview(b"two")], [b"", b"x", b""], [], [b"%d " % n for n in range(5_000)]]
)
def test_a_draft_is_whole_when_it_has_a_name_and_gone_at_the_end(pieces, tmp_path):
    with opened_folder(tmp_path) as folder, draft(folder, pieces) as name:
        assert (is_left_over(name), os.listdir(tmp_path)) == (True, [name])
        assert (tmp_path / name).read_bytes() == b"".join(pieces)
    assert os.listdir(tmp_path) == []


def test_only_the_names_of_drafts_are_taken_for_drafts():
    assert is_left_over(".cellwright-0123456789ab.tmp")
    assert not any(map(is_left_over, [".cellwright", "cellwright-1.tmp", ".cellwright-1.tmp.txt", "a.tmp"]))


@only_posix
def test_mode_and_attributes_are_those_of_the_file_beside_it(tmp_path):
    (tmp_path / "a").write_bytes(b"")
    (tmp_path / "a").chmod(0o640)
    os.utime(tmp_path / "a")
    attributes = hasattr(os, "setxattr") and has_attribute(tmp_path / "a")
    with opened_folder(tmp_path) as folder, draft(folder, b"x", "a") as name:
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o640
        assert not attributes or os.getxattr(tmp_path / name, "user.note") == b"kept"


def has_attribute(path):
    try:
        os.setxattr(path, "user.note", b"kept")
    except OSError:  # not on this file system
        return False
    return True


@only_posix
def test_a_new_file_follows_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        with opened_folder(tmp_path) as folder, draft(folder, b"x") as name:
            assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o640
    finally:
        os.umask(before)


def test_a_file_made_at_once_takes_no_place_of_another(tmp_path):
    (tmp_path / "a").write_bytes(b"mine")
    with opened_folder(tmp_path) as folder:
        if not written_at_once(folder, "b", b"new"):
            pytest.skip("no nameless files on this system")
        with pytest.raises(FileExistsError):
            written_at_once(folder, "a", b"other")
    assert ((tmp_path / "a").read_bytes(), (tmp_path / "b").read_bytes()) == (b"mine", b"new")
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]


def failing(folder, size, words):
    """The draft fails for this reason, and nothing is left of it."""
    before = os.listdir(folder)
    with opened_folder(folder) as held, pytest.raises(OSError, match=words), draft(held, b"x" * size):
        pass
    assert os.listdir(folder) == before


@only_posix
def test_a_draft_that_fails_leaves_nothing(tmp_path):
    with files_may_have(1_000_000):
        failing(tmp_path, 2_000_000, "too large")
    with folder_of_another({}) as closed:
        failing(closed, 1, "lets no file be made")
    with small_disk(tmp_path / "disk") as disk:
        failing(disk, 1_000_000, "No space left")


PROGRAM = """
import os, sys
from pathlib import Path
from cellwright.files.disk import create_file, replace_file
folder = Path(sys.argv[1])
path, old, new = folder / "f", b"old " * 250_000, b"new! " * 250_000
if sys.argv[2] == "linked":
    os.link(path, folder / "second")
print("begun", flush=True)
for number in range(10**9):
    replace_file(path, new, expected=old)
    replace_file(path, old, expected=new)
    if sys.argv[2] == "create":
        create_file(folder / f"n{number}", new)
"""
OLD, NEW = b"old " * 250_000, b"new! " * 250_000


@only_posix
@pytest.mark.parametrize("kind", ["plain", "create", "linked"])
def test_a_process_killed_at_any_moment_leaves_the_old_text_or_the_new(tmp_path, kind):
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "f").write_bytes(OLD)
        killed_while_writing(PROGRAM, folder, kind, after=0.03 + 0.013 * number)
        left = [name for name in os.listdir(folder) if is_left_over(name)]
        found = (folder / "f").read_bytes()
        if kind == "linked" and left:  # written in place, with a draft beside it
            assert found in (OLD, NEW) or (folder / left[0]).read_bytes() in (OLD, NEW)
        else:
            assert found in (OLD, NEW)
        assert len(left) <= 1
        assert all(path.read_bytes() == NEW for path in folder.glob("n*"))


def draft_of(folder, mode):
    with draft(folder, b"x", mode=mode) as name:
        return folder.stat(name).st_mode


def named_at_once(folder, mode):
    if not written_at_once(folder, "a", b"x", mode=mode):
        pytest.skip("no nameless files here")
    return folder.stat("a").st_mode


@only_posix
@pytest.mark.parametrize("make", [draft_of, named_at_once])
def test_a_draft_can_have_a_mode_of_its_own_whatever_the_umask_says(tmp_path, make):
    before = os.umask(0o077)
    try:
        with opened_folder(tmp_path) as folder:
            assert stat.S_IMODE(make(folder, 0o664)) == 0o664
    finally:
        os.umask(before)
