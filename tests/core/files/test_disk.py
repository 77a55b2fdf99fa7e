import os
import socket
import stat
import threading
from collections import Counter
from pathlib import Path

import pytest

from cellwright.errors import ToolError
from cellwright.files.disk import create_file, read_file_bytes, read_text_file, remove_file, replace_file
from cellwright.files.real_path import real_path

from ..swapping import only_posix, swap, swapped_all_the_time

not_as_root = pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anything")


def put(path, data):
    path.write_bytes(data)
    return path


def refusal(act, *args, **named):
    with pytest.raises(ToolError) as caught:
        act(*args, **named)
    return caught.value


def names(folder):
    return sorted(entry.name for entry in folder.iterdir())


def test_the_version_follows_the_bytes_and_not_the_time(tmp_path):
    path = put(tmp_path / "f.txt", b"k = 1\n")
    first, before = read_text_file(path), path.stat()
    put(path, b"k = 2\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert read_text_file(path).version != first.version
    error = refusal(replace_file, path, b"k = 5\n", expected=first.data)
    assert (error.code, path.read_bytes()) == ("stale", b"k = 2\n")


def test_what_is_not_there_or_not_a_file_is_said(tmp_path):
    put(tmp_path / "notes.txt", b"x")
    missing = refusal(read_text_file, tmp_path / "note.txt")
    assert (missing.code, "notes.txt" in missing.message) == ("not_found", True)
    assert refusal(read_text_file, tmp_path).code == "is_directory"
    assert refusal(read_text_file, tmp_path / "notes.txt" / "x").code == "not_found"
    assert refusal(read_text_file, Path("a\0b")).code == "invalid_path"
    assert refusal(read_text_file, tmp_path / ("x" * 300)).code == "read_failed"


@only_posix
def test_a_pipe_or_socket_is_refused_without_waiting(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "p")
    assert refusal(read_text_file, tmp_path / "p").code == "not_regular"
    assert refusal(replace_file, tmp_path / "p", b"", expected=b"").code == "not_regular"
    with socket.socket(socket.AF_UNIX) as server:
        monkeypatch.chdir(tmp_path)  # a socket's path must be short
        server.bind("s")
        assert refusal(read_file_bytes, tmp_path / "s").code == "not_regular"


@only_posix
def test_a_link_stays_and_its_target_gets_the_text(tmp_path):
    real, link = put(tmp_path / "real.txt", b"v1\n"), tmp_path / "link.txt"
    link.symlink_to("real.txt")
    replace_file(real_path(link), b"v2\n", expected=b"v1\n")
    assert (os.readlink(link), real.read_bytes(), names(tmp_path)) == ("real.txt", b"v2\n", ["link.txt", "real.txt"])


@only_posix
def test_a_link_to_nothing_makes_its_target(tmp_path):
    (tmp_path / "c").symlink_to("d")
    create_file(real_path(tmp_path / "c"), b"new")
    assert (tmp_path / "d").read_bytes() == b"new" and (tmp_path / "c").is_symlink()


@pytest.fixture
def swapped(tmp_path):
    """A working folder in which a folder that was looked at is now a link to a place outside."""
    for name in ("box/docs", "outside"):
        (tmp_path / name).mkdir(parents=True)
        put(tmp_path / name / "note.txt", b"inside\n" if "box" in name else b"secret\n")
    swap(tmp_path / "box" / "docs", tmp_path / "outside")
    return tmp_path / "box" / "docs"


CALLS = {
    "read": (read_text_file, "note.txt", [], {}),
    "read bytes": (read_file_bytes, "note.txt", [], {}),
    "replace": (replace_file, "note.txt", [b"new\n"], {"expected": b"secret\n"}),
    "create": (create_file, "new.txt", [b"new\n"], {}),
    "create below": (create_file, "sub/deep/new.txt", [b"new\n"], {}),
}


@only_posix
@pytest.mark.parametrize("call", CALLS)
def test_a_folder_that_became_a_link_since_it_was_judged_is_not_gone_through(swapped, call):
    (act, name, args, named), outside = CALLS[call], swapped.parent.parent / "outside"
    error = refusal(act, swapped / name, *args, **named)
    assert (error.code, "nothing was read or written. Look again" in error.message) == ("moved", True)
    assert {path.name: path.read_bytes() for path in outside.iterdir()} == {"note.txt": b"secret\n"}


@only_posix
@pytest.mark.parametrize("call", CALLS)
def test_a_file_that_became_a_link_since_it_was_judged_is_not_followed(tmp_path, call):
    act, name, args, named = CALLS[call]
    secret, path = put(tmp_path / "secret", b"secret\n"), tmp_path / name.replace("/", "-")
    path.symlink_to("secret")
    assert refusal(act, path, *args, **named).code == "moved"
    assert (secret.read_bytes(), names(tmp_path)) == (b"secret\n", sorted(["secret", path.name]))


@only_posix
def test_an_error_lists_no_folder_behind_a_link_that_came_up(swapped):
    error = refusal(read_text_file, swapped / "nope.txt")
    assert (error.code, "note.txt" in error.message) == ("moved", False)


@only_posix
def test_nothing_outside_is_read_or_written_while_a_folder_is_swapped_all_the_time(tmp_path):
    docs, outside = tmp_path / "docs", tmp_path / "outside"
    for folder, data in [(docs, b"inside 0"), (outside, b"secret 0")]:
        folder.mkdir()
        put(folder / "note.txt", data)
    seen, codes = [], Counter()
    with swapped_all_the_time(docs, outside):
        while min(len(seen), codes["moved"]) < 100 and len(seen) + codes.total() < 50_000:
            try:
                seen.append(read_file_bytes(docs / "note.txt"))
                replace_file(docs / "note.txt", b"inside %d" % len(seen), expected=seen[-1])
                create_file(docs / f"new/{len(seen)}.txt", b"made")
            except ToolError as error:
                codes[error.code] += 1
    assert {path.name: path.read_bytes() for path in outside.iterdir()} == {"note.txt": b"secret 0"}
    assert all(data.startswith(b"inside") for data in seen)
    assert set(codes) <= {"moved", "not_found", "stale", "write_failed"}, codes


@only_posix
def test_mode_bits_and_hard_links_are_kept(tmp_path):
    path = put(tmp_path / "run.sh", b"v1\n")
    path.chmod(0o750)
    replace_file(path, b"v2\n", expected=b"v1\n")
    assert stat.S_IMODE(path.stat().st_mode) == 0o750
    os.link(path, tmp_path / "same.sh")
    replace_file(path, b"v3\n", expected=b"v2\n")
    assert (tmp_path / "same.sh").read_bytes() == b"v3\n"
    assert os.path.samefile(path, tmp_path / "same.sh")


@only_posix
def test_a_new_file_gets_its_folders_and_the_usual_mode(tmp_path):
    create_file(tmp_path / "a" / "b" / "new.txt", b"hello\n")
    plain = put(tmp_path / "plain.txt", b"")
    new = tmp_path / "a" / "b" / "new.txt"
    assert new.read_bytes() == b"hello\n"
    assert new.stat().st_mode == plain.stat().st_mode
    assert (names(new.parent), new.stat().st_nlink) == (["new.txt"], 1)


def test_an_existing_file_is_not_created_over(tmp_path):
    path = put(tmp_path / "f.txt", b"mine\n")
    assert refusal(create_file, path, b"other\n").code == "exists"
    assert (path.read_bytes(), names(tmp_path)) == (b"mine\n", ["f.txt"])


def test_a_missing_file_is_not_replaced(tmp_path):
    assert refusal(replace_file, tmp_path / "f.txt", b"x", expected=b"").code == "not_found"
    assert names(tmp_path) == []


def test_a_folder_name_in_the_way_is_a_clear_error_and_leaves_nothing(tmp_path):
    put(tmp_path / "f.txt", b"x")
    error = refusal(create_file, tmp_path / "f.txt" / "new.txt", b"y")
    assert (error.code, "a file, not a folder" in error.message) == ("not_found", True)
    assert refusal(create_file, tmp_path, b"y").code == "exists"
    assert names(tmp_path) == ["f.txt"]


@only_posix
def test_a_full_disk_leaves_the_old_text_and_no_other_file(tmp_path):
    resource = pytest.importorskip("resource")
    path, before = put(tmp_path / "f.txt", b"old\n"), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        error = refusal(replace_file, path, b"x" * 100_000, expected=b"old\n")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert error.code == "write_failed"
    assert (path.read_bytes(), names(tmp_path)) == (b"old\n", ["f.txt"])


@not_as_root
def test_a_read_only_file_or_folder_is_not_permitted(tmp_path):
    path = put(tmp_path / "f.txt", b"old\n")
    path.chmod(0o444)
    assert refusal(replace_file, path, b"new\n", expected=b"old\n").code == "not_permitted"
    path.chmod(0o644)
    tmp_path.chmod(0o555)
    error = refusal(replace_file, path, b"new\n", expected=b"old\n")
    tmp_path.chmod(0o755)
    assert (error.code, path.read_bytes(), names(tmp_path)) == ("not_permitted", b"old\n", ["f.txt"])


def test_of_two_writers_at_once_one_wins_and_the_other_is_told(tmp_path):
    path, won = put(tmp_path / "f.txt", b"0"), []

    def write(data):
        try:
            replace_file(path, data, expected=b"0")
            won.append(data)
        except ToolError as error:
            assert error.code == "stale"

    for _ in range(30):
        put(path, b"0")
        won.clear()
        threads = [threading.Thread(target=write, args=(data,)) for data in (b"1", b"2", b"3")]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        assert won == [path.read_bytes()]


def test_a_file_is_taken_away_only_if_it_holds_what_is_expected(tmp_path):
    path = put(tmp_path / "f.txt", b"mine")
    with pytest.raises(ToolError) as caught:
        remove_file(path, expected=b"theirs")
    assert (caught.value.code, names(tmp_path)) == ("stale", ["f.txt"])
    remove_file(path, expected=b"mine")
    assert names(tmp_path) == []
