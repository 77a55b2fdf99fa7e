import os

import pytest

from cellwright.errors import ToolError
from cellwright.files.disk import read_text_file
from cellwright.files.real_path import real_path

only_posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX links")


def refusal(path):
    with pytest.raises(ToolError) as caught:
        real_path(path)
    return caught.value


def put(path, data):
    path.write_bytes(data)
    return path


@only_posix
def test_links_are_followed_also_to_what_is_not_there_yet(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "folder").symlink_to("sub")
    (tmp_path / "file").symlink_to("folder/new.txt")
    for given in ("folder/new.txt", "file", "sub/../folder/new.txt"):
        assert real_path(tmp_path / given) == tmp_path / "sub" / "new.txt"


@only_posix
def test_a_link_cycle_is_an_error(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    assert refusal(tmp_path / "a").code == "link_cycle"


def test_a_name_with_an_odd_blank_or_another_normalisation_is_found(tmp_path):
    put(tmp_path / "Shot 1\u202fPM.txt", b"shot")
    put(tmp_path / "cafe\u0301.txt", b"cafe")
    assert read_text_file(real_path(tmp_path / "Shot 1 PM.txt")).text == "shot"
    assert read_text_file(real_path(tmp_path / "caf\u00e9.txt")).text == "cafe"
    assert real_path(tmp_path / "other.txt") == tmp_path / "other.txt"


@only_posix
def test_a_near_name_behind_a_link_is_found_in_its_real_folder(tmp_path):
    (tmp_path / "sub").mkdir()
    put(tmp_path / "sub" / "a\u202fb.txt", b"1")
    (tmp_path / "folder").symlink_to("sub")
    assert real_path(tmp_path / "folder" / "a b.txt") == tmp_path / "sub" / "a\u202fb.txt"


def test_several_names_that_look_alike_are_shown_with_the_odd_character(tmp_path):
    put(tmp_path / "a\u202fb.txt", b"1")
    put(tmp_path / "a\u00a0b.txt", b"2")
    error = refusal(tmp_path / "a b.txt")
    assert error.code == "ambiguous"
    assert r"a\u202fb.txt" in error.message and r"a\xa0b.txt" in error.message
    assert real_path(tmp_path / "a\u202fb.txt") == tmp_path / "a\u202fb.txt"
