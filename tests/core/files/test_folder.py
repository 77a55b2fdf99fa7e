import os
import stat
from pathlib import Path

import pytest

from cellwright.errors import ToolError
from cellwright.files.folder import IS_HELD, opened_folder

from ..swapping import swap

pytestmark = pytest.mark.skipif(not IS_HELD, reason="this system can't hold a folder")


def read(folder, name):
    with os.fdopen(folder.open(name, os.O_RDONLY), "rb") as file:
        return file.read()


def write(folder, name, data):
    with os.fdopen(folder.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as file:
        file.write(data)


@pytest.fixture
def box(tmp_path):
    for name in ("box/docs", "outside"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "note").write_text(name)
    return tmp_path / "box"


def test_a_folder_that_is_held_stays_the_same_whatever_becomes_of_its_path(box):
    with opened_folder(box / "docs") as folder:
        swap(box / "docs", box.parent / "outside")
        write(folder, "new", b"mine")
        assert (read(folder, "note"), folder.names()) == (b"box/docs", ["new", "note"])
    assert os.listdir(box.parent / "outside") == ["note"]


@pytest.mark.parametrize("below", [".", "sub", "sub/deep"])
@pytest.mark.parametrize("make", [False, True])
def test_a_link_on_the_way_is_an_error_and_nothing_is_made_behind_it(box, below, make):
    swap(box / "docs", box.parent / "outside")
    with pytest.raises(ToolError, match="is a link now") as caught, opened_folder(box / "docs" / below, make=make):
        pass
    assert (caught.value.code, os.listdir(box.parent / "outside")) == ("moved", ["note"])


def test_a_file_in_the_way_and_a_missing_folder_are_what_the_system_says(box):
    with pytest.raises(NotADirectoryError), opened_folder(box / "docs" / "note" / "x", make=True):
        pass
    with pytest.raises(FileNotFoundError), opened_folder(box / "nope"):
        pass


def test_missing_folders_are_made_with_the_usual_mode(box):
    (box / "plain").mkdir()
    with opened_folder(box / "a" / "b", make=True) as folder:
        write(folder, "f", b"x")
    assert (box / "a" / "b" / "f").read_bytes() == b"x"
    assert stat.S_IMODE((box / "a" / "b").stat().st_mode) == stat.S_IMODE((box / "plain").stat().st_mode)


def test_a_link_in_a_held_folder_is_seen_and_never_opened(box):
    (box / "docs" / "link").symlink_to(box.parent / "outside" / "note")
    with opened_folder(box / "docs") as folder:
        assert stat.S_ISLNK(folder.stat("link").st_mode)
        for flags in (os.O_RDONLY, os.O_WRONLY, os.O_WRONLY | os.O_CREAT):
            with pytest.raises(ToolError, match="is a link now"):
                folder.open("link", flags)
    assert (box.parent / "outside" / "note").read_text() == "outside"


def test_files_get_names_and_lose_them_and_links_stay_links(box):
    (box / "docs" / "link").symlink_to("note")
    with opened_folder(box / "docs") as folder:
        folder.link("link", "second")
        folder.link("note", "third")
        folder.rename("third", "fourth")
        folder.remove("note")
        folder.remove("never there")
        folder.make_folder("sub")
        with pytest.raises(FileExistsError):
            folder.link("fourth", "second")
        assert folder.names() == ["fourth", "link", "second", "sub"]
    assert (box / "docs" / "second").is_symlink() and (box / "docs" / "fourth").read_text() == "box/docs"


def test_no_descriptor_is_left_open(box):
    swap(box / "docs", box.parent / "outside")
    before = os.listdir("/dev/fd")
    for place in ("docs.away", "docs", "nope", "docs.away/note/x", "a/b"):
        try:
            with opened_folder(box / place, make=place == "a/b") as folder:
                folder.names()
        except (ToolError, OSError):
            pass
    assert len(os.listdir("/dev/fd")) == len(before)


def test_a_program_can_be_started_in_a_held_folder(box):
    with opened_folder(box / "docs") as folder:
        held = folder.entrance()
        swap(box / "docs", box.parent / "outside")
        assert held == folder.path or os.listdir(held) == ["note"]
        assert held == folder.path or (held / "note").read_text() == "box/docs"


@pytest.mark.skipif(not hasattr(os, "O_PATH"), reason="only Linux holds a folder without reading it")
def test_a_folder_that_may_be_entered_but_not_listed_is_no_obstacle(box):
    (box / "docs").chmod(0o111)
    with opened_folder(box / "docs") as folder:
        assert read(folder, "note") == b"box/docs"
    (box / "docs").chmod(0o755)


def test_the_root_and_a_relative_path_can_be_held(box, monkeypatch):
    monkeypatch.chdir(box)
    with opened_folder(Path("docs")) as docs, opened_folder(Path("/")) as root:
        assert (docs.names(), root.names()) == (["note"], sorted(os.listdir("/")))


def test_a_link_is_made_and_a_folder_taken_away_in_what_is_held(box):
    with opened_folder(box / "docs") as folder:
        swap(box / "docs", box.parent / "outside")
        folder.make_folder("new", 0o700)
        folder.make_link("../x", "link")
        assert (folder.target("link"), stat.S_IMODE(folder.stat("new").st_mode)) == ("../x", 0o700)
        with pytest.raises(FileExistsError):
            folder.make_link("y", "link")
        folder.remove_folder("new")
        assert folder.names() == ["link", "note"]
