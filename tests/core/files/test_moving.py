import os
import stat

import pytest

from cellwright.errors import ToolError
from cellwright.files.moving import move_regular_file

from ..swapping import only_posix, swap


def put(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def refusal(*args):
    with pytest.raises(ToolError) as caught:
        move_regular_file(*args)
    return caught.value


@only_posix
def test_the_file_itself_is_moved_with_mode_time_and_other_names(tmp_path):
    path = put(tmp_path / "a.sh", b"x")
    path.chmod(0o750)
    os.utime(path, ns=(10**18, 10**18))
    os.link(path, tmp_path / "second")
    move_regular_file(path, tmp_path / "new" / "deep" / "b.sh")
    found = (tmp_path / "new" / "deep" / "b.sh").stat()
    assert (stat.S_IMODE(found.st_mode), found.st_mtime_ns, found.st_nlink) == (0o750, 10**18, 2)
    assert sorted(os.listdir(tmp_path)) == ["new", "second"]


def test_a_file_in_the_way_stays_unless_it_holds_what_was_said(tmp_path):
    path, new = put(tmp_path / "a", b"a"), put(tmp_path / "b", b"b")
    assert (refusal(path, new).code, refusal(path, new, b"other").code) == ("exists", "stale")
    assert (path.read_bytes(), new.read_bytes()) == (b"a", b"b")
    move_regular_file(path, new, b"b")
    assert (os.listdir(tmp_path), new.read_bytes()) == (["b"], b"a")


@only_posix
def test_of_two_names_of_one_file_one_is_left(tmp_path):
    path = put(tmp_path / "a", b"a")
    os.link(path, tmp_path / "b")
    assert refusal(path, tmp_path / "b").code == "exists"
    move_regular_file(path, tmp_path / "b", b"a")
    assert os.listdir(tmp_path) == ["b"]


@only_posix
@pytest.mark.parametrize("end", ["source", "destination"])
def test_a_folder_that_became_a_link_is_not_gone_through_at_either_end(tmp_path, end):
    outside = put(tmp_path / "outside" / "note", b"secret").parent
    put(tmp_path / "docs" / "note", b"inside")
    put(tmp_path / "plain", b"plain")
    swap(tmp_path / "docs", outside)
    ends = {"source": ("docs/note", "new"), "destination": ("plain", "docs/new")}[end]
    assert refusal(*(tmp_path / name for name in ends)).code == "moved"
    assert (os.listdir(outside), (tmp_path / "new").exists()) == (["note"], False)


def test_what_is_no_file_is_not_moved(tmp_path):
    (tmp_path / "folder").mkdir()
    assert refusal(tmp_path / "folder", tmp_path / "x").code == "is_directory"
    assert refusal(tmp_path / "nothing", tmp_path / "x" / "y").code == "not_found"
    assert os.listdir(tmp_path) == ["folder"]
    put(tmp_path / "a", b"a")
    assert refusal(tmp_path / "a", tmp_path / "folder").code == "exists"
