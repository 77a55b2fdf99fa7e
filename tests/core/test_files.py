import os
import socket
import stat
import threading
from pathlib import Path

import pytest

from cellwright.errors import ToolError
from cellwright.files import create_file, near_names, read_file_bytes, read_text_file, real_path, replace_file

only_posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX files")
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


@pytest.mark.parametrize(
    ("data", "encoding", "text"),
    [
        (b"one\r\ntwo\nthree\rfour", "utf-8", "one\r\ntwo\nthree\rfour"),
        ("\ufeffgrüße\r\n".encode(), "utf-8", "grüße\r\n"),
        (b"\xff\xfe" + "ä\n".encode("utf-16-le"), "utf-16-le", "ä\n"),
        (b"\xfe\xff" + "ä\n".encode("utf-16-be"), "utf-16-be", "ä\n"),
        (b"caf\xe9 one\n", "latin-1", "café one\n"),
        ("grüße ".encode() + b"\xe9\n", "utf-8", "grüße \udce9\n"),
        (b"", "utf-8", ""),
        ("a\u2028b\x0cc".encode(), "utf-8", "a\u2028b\x0cc"),
    ],
)
def test_a_text_keeps_its_encoding_and_gives_every_byte_back(tmp_path, data, encoding, text):
    file = read_text_file(put(tmp_path / "f.txt", data))
    assert (file.encoding, file.text) == (encoding, text)
    assert file.encode(file.text) == file.data == data
    edited = file.encode(file.text + "new")
    assert edited.startswith(data)


def test_a_character_the_encoding_lacks_is_refused_by_name(tmp_path):
    latin = read_text_file(put(tmp_path / "f.txt", b"caf\xe9\n"))
    assert latin.encode("ö") == b"\xf6"
    error = refusal(latin.encode, "→")
    assert (error.code, "U+2192" in error.message) == ("not_encodable", True)


def test_a_lone_surrogate_cannot_smuggle_a_stray_byte_into_a_good_file(tmp_path):
    file = read_text_file(put(tmp_path / "f.txt", b"plain\n"))
    assert refusal(file.encode, "\udce9").code == "not_encodable"


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\0\0", b"text\0text", b"\xff\x01\x02\x03", b"\xff\xfea"])
def test_binary_data_is_refused(tmp_path, data):
    assert refusal(read_text_file, put(tmp_path / "f.bin", data)).code == "binary"


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
    assert read_text_file(link).path == real.resolve()
    replace_file(link, b"v2\n", expected=b"v1\n")
    assert (os.readlink(link), real.read_bytes(), names(tmp_path)) == ("real.txt", b"v2\n", ["link.txt", "real.txt"])


@only_posix
def test_a_link_cycle_is_an_error_and_a_link_to_nothing_makes_its_target(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    assert refusal(read_text_file, tmp_path / "a").code == "link_cycle"
    assert refusal(create_file, tmp_path / "a", b"").code == "link_cycle"
    (tmp_path / "c").symlink_to("d")
    create_file(tmp_path / "c", b"new")
    assert (tmp_path / "d").read_bytes() == b"new" and (tmp_path / "c").is_symlink()


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


def test_a_name_with_an_odd_blank_or_another_normalisation_is_found(tmp_path):
    put(tmp_path / "Shot 1\u202fPM.txt", b"shot")
    put(tmp_path / "cafe\u0301.txt", b"cafe")
    assert read_text_file(tmp_path / "Shot 1 PM.txt").text == "shot"
    assert read_text_file(tmp_path / "caf\u00e9.txt").text == "cafe"
    assert near_names(tmp_path / "Shot 1 PM.txt") == ["Shot 1\u202fPM.txt"]
    assert real_path(tmp_path / "other.txt") == tmp_path.resolve() / "other.txt"


def test_several_names_that_look_alike_are_shown_with_the_odd_character(tmp_path):
    put(tmp_path / "a\u202fb.txt", b"1")
    put(tmp_path / "a\u00a0b.txt", b"2")
    error = refusal(read_text_file, tmp_path / "a b.txt")
    assert error.code == "ambiguous"
    assert r"a\u202fb.txt" in error.message and r"a\xa0b.txt" in error.message
    assert read_text_file(tmp_path / "a\u202fb.txt").text == "1"
