import os
import stat

import pytest

from cellwright.errors import ToolError
from cellwright.undo.file_state import ABSENT, FileState
from cellwright.undo.restoring import Restoring, remove_empty_folders, restore
from cellwright.undo.snapshots import Snapshots

from ..swapping import only_posix, swap


@pytest.fixture
def copies(tmp_path):
    return Snapshots(tmp_path, "run-1")


def put(path, data, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    path.chmod(mode)
    return path


def kept(copies, path, data=None, mode=0o644):
    return copies.keep(path if data is None else put(path, data, mode))


@only_posix
def test_a_file_is_brought_back_with_its_bytes_and_its_mode(tmp_path, copies):
    path = tmp_path / "a"
    then, now = kept(copies, path, b"\xff\r\n", 0o750), kept(copies, path, b"new", 0o600)
    restore([Restoring(path, now, then)], copies)
    assert (path.read_bytes(), copies.look(path)) == (b"\xff\r\n", then)
    restore([Restoring(path, then, now)], copies)
    assert copies.look(path) == now


@only_posix
def test_a_file_that_was_gone_comes_back_with_its_folders_and_is_never_open_to_others(tmp_path, copies):
    then = kept(copies, tmp_path / "b", b"key", 0o600)
    restore([Restoring(tmp_path / "x" / "y" / "a", ABSENT, then)], copies)
    assert copies.look(tmp_path / "x" / "y" / "a") == then


def test_a_file_that_was_not_there_is_taken_away(tmp_path, copies):
    now = kept(copies, tmp_path / "x" / "a", b"1")
    restore([Restoring(tmp_path / "x" / "a", now, ABSENT)], copies)
    put(tmp_path / "y" / "stays", b"")
    remove_empty_folders([tmp_path / "x", tmp_path / "y", tmp_path / "none"])
    assert sorted(os.listdir(tmp_path)) == [".cellwright", "y"]


@only_posix
def test_a_link_comes_back_as_the_link_it_was(tmp_path, copies):
    path = tmp_path / "a"
    os.symlink("elsewhere", path)
    link = copies.keep(path)
    path.unlink()
    now = kept(copies, path, b"file")
    restore([Restoring(path, now, link)], copies)
    assert os.readlink(path) == "elsewhere"
    restore([Restoring(path, link, now)], copies)
    assert (path.is_symlink(), path.read_bytes()) == (False, b"file")


@only_posix
def test_a_file_that_was_moved_is_the_same_file_again(tmp_path, copies):
    old, new = put(tmp_path / "a", b"1"), tmp_path / "b"
    os.link(old, tmp_path / "second")
    inode, state = old.stat().st_ino, copies.keep(old)
    old.rename(new)
    back = [Restoring(old, ABSENT, state), Restoring(new, state, ABSENT)]
    restore(back, copies)
    assert (old.stat().st_ino, old.stat().st_nlink, new.exists()) == (inode, 2, False)


def test_a_file_that_a_move_had_replaced_comes_back_too(tmp_path, copies):
    old, new = tmp_path / "a", tmp_path / "b"
    lost, state = kept(copies, new, b"lost"), kept(copies, new, b"moved")
    restore([Restoring(old, ABSENT, state), Restoring(new, state, lost)], copies)
    assert (old.read_bytes(), new.read_bytes()) == (b"moved", b"lost")


@pytest.mark.parametrize("then", ["file", "absent", "link"])
def test_what_somebody_else_has_written_stays(tmp_path, copies, then):
    path = tmp_path / "a"
    first, now = kept(copies, path, b"first"), kept(copies, path, b"now")
    put(path, b"mine")
    goal = {"file": first, "absent": ABSENT, "link": FileState("link", target="x")}[then]
    with pytest.raises(ToolError) as caught:
        restore([Restoring(path, now, goal)], copies)
    assert (caught.value.code, path.read_bytes()) == ("stale", b"mine")


def test_of_several_files_all_are_brought_back_or_none(tmp_path, copies):
    paths = [tmp_path / name for name in ("a", "b", "c")]
    files = [Restoring(path, kept(copies, path, b"now"), kept(copies, path, b"then")) for path in paths]
    files = [Restoring(file.path, file.then, file.now) for file in files]
    put(paths[0], b"mine")
    with pytest.raises(ToolError):
        restore(files, copies)
    assert [path.read_bytes() for path in paths] == [b"mine", b"then", b"then"]


@only_posix
@pytest.mark.parametrize("kind", ["file", "absent", "link"])
def test_a_folder_that_became_a_link_is_not_gone_through(tmp_path, copies, kind):
    outside = put(tmp_path / "outside" / "a", b"now").parent
    path = tmp_path / "docs" / "a"
    first, now = kept(copies, path, b"first"), kept(copies, path, b"now")
    swap(tmp_path / "docs", outside)
    goal = {"file": first, "absent": ABSENT, "link": FileState("link", target="x")}[kind]
    with pytest.raises(ToolError) as caught:
        restore([Restoring(path, now, goal)], copies)
    assert (caught.value.code, (outside / "a").read_bytes(), os.listdir(outside)) == ("moved", b"now", ["a"])


def test_a_folder_is_never_taken_away_or_made_out_of_a_file(tmp_path, copies):
    (tmp_path / "sub").mkdir()
    for now, then in ((FileState("other"), ABSENT), (ABSENT, FileState("other"))):
        with pytest.raises(ToolError) as caught:
            restore([Restoring(tmp_path / "sub", now, then)], copies)
        assert caught.value.code == "not_regular"


@only_posix
def test_a_mode_alone_is_brought_back(tmp_path, copies):
    path = tmp_path / "a"
    then, now = kept(copies, path, b"1", 0o755), kept(copies, path, b"1", 0o644)
    restore([Restoring(path, now, then)], copies)
    assert stat.S_IMODE(path.stat().st_mode) == 0o755
