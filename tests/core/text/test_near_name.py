import os

import pytest

from cellwright.text.near_name import near_names, similar_names, visible_name


def test_a_name_with_an_odd_blank_or_another_normalisation_is_near(tmp_path):
    for name in ("Shot 1\u202fPM.txt", "cafe\u0301.txt", "cafe.txt"):
        (tmp_path / name).touch()
    assert near_names(tmp_path / "Shot 1 PM.txt") == ["Shot 1\u202fPM.txt"]
    assert near_names(tmp_path / "caf\u00e9.txt") == ["cafe\u0301.txt"]
    assert near_names(tmp_path / "other.txt") == []


def test_at_most_three_similar_names_are_told(tmp_path):
    for name in ("note1", "note2", "note3", "note4", "xyz"):
        (tmp_path / name).touch()
    assert len(similar_names(tmp_path / "note")) == 3
    assert similar_names(tmp_path / "no such folder" / "note") == []


def test_what_the_eye_can_not_tell_is_written_as_an_escape():
    assert visible_name("a b\u202fc\u0301é") == r"a b\u202fc\u0301é"


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX links")
def test_no_names_are_told_of_a_folder_behind_a_link(tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a\u202fb").touch()
    (tmp_path / "docs").symlink_to("outside")
    assert (near_names(tmp_path / "docs" / "a b"), similar_names(tmp_path / "docs" / "a b")) == ([], [])


def test_a_name_in_other_case_is_similar_before_all_others(tmp_path):
    for name in ("readme.md", "README.txt", "README.rst", "README.mdx", "README.me"):
        (tmp_path / name).touch()
    assert similar_names(tmp_path / "README.MD")[0] == "readme.md"
