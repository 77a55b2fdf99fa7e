import os

import pytest

from cellwright.errors import LogError
from cellwright.log.log_file import LogFile, in_made_folder, is_in_use, log_of_agent, logs_of_agents, torn_end

HEAD = b'{"format": 2, "kind": "log", "id": "x"}\n'
LINE = b'{"a": "' + "\u00e9".encode() * 50_000 + b'"}'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"", b'{"b": 1}\n'),
        (HEAD, HEAD + b'{"b": 1}\n'),
        (HEAD + b'{"a', HEAD + b'{"b": 1}\n'),
        (HEAD + b'{"a": 2}', HEAD + b'{"a": 2}\n{"b": 1}\n'),
        (HEAD + LINE, HEAD + LINE + b'\n{"b": 1}\n'),
        (HEAD + LINE[:-3], HEAD + b'{"b": 1}\n'),
        (b"\0" * 100, b'{"b": 1}\n'),
        (HEAD + b"2", HEAD + b'{"b": 1}\n'),
        (HEAD[:3], b'{"b": 1}\n'),
        (HEAD[:20], b'{"b": 1}\n'),
        (HEAD[:-3], b'{"b": 1}\n'),
        (HEAD[:-1], HEAD + b'{"b": 1}\n'),
    ],
    ids=range(12),
)
def test_a_file_is_continued_after_its_last_whole_line(tmp_path, before, after):
    path = tmp_path / "log"
    path.write_bytes(before)
    file = LogFile(path)
    assert file.write({"b": 1}) == ""
    file.close()
    assert path.read_bytes() == after


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"my notes, whose last line has no end", "is there and is no log"),
        (b"a,b\n1,2\n3,4", "is there and is no log"),
        (b'{"name": "a file of objects"}\n{"name"', "is there and is no log"),
        (b"\xff\xfe" * 5_000, "is there and is no log"),
        (b"[" * 10_000, "is there and is no log"),
        (HEAD.replace(b"2", b"1") + b'{"number": 1', "is of format 1, not 2"),
        (b'{"format": "A4", "pages": [1,2,3', "is there and is no log"),
        (b'{"format": "A4", "pages": 3}', "is there and is no log"),
        (b'{"format": "x", "data": [' + b"1," * 5_000 + b"1]}\n[1,2", "is there and is no log"),
        (bytes(32_768) + b"a disk image\nand what is in it", "is there and is no log"),
        (HEAD[:-3] + b"y" * 5_000, "is there and is no log"),
    ],
    ids=range(11),
)
def test_a_file_that_is_no_log_is_not_written_into_and_loses_nothing(tmp_path, data, words):
    path = tmp_path / "notes.txt"
    path.write_bytes(data)
    with pytest.raises(LogError, match=f"{words}, so nothing is written into it; choose another path"):
        LogFile(path)
    assert path.read_bytes() == data
    assert not is_in_use(path)


def test_folders_that_a_log_lacks_are_made_inside_the_working_folder_alone(tmp_path):
    inside, outside = tmp_path / "work" / ".cellwright" / "sessions" / "x.jsonl", tmp_path / "none" / "x.jsonl"
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "link").symlink_to(tmp_path / "none")
    for path in (inside, outside, tmp_path / "work" / "link" / "sub" / "x.jsonl", tmp_path / "work" / "x.jsonl", None):
        assert in_made_folder(path, tmp_path / "work") is path
    LogFile(inside).close()
    assert not outside.parent.exists()
    with pytest.raises(LogError, match=f"make the folder {outside.parent}, or choose another path"):
        LogFile(outside)
    (tmp_path / "work" / "file").touch()
    with pytest.raises(LogError, match="Not a directory; choose another path"):
        in_made_folder(tmp_path / "work" / "file" / "sub" / "x.jsonl", tmp_path / "work")


def test_a_new_log_can_be_read_by_the_person_alone(tmp_path):
    for name, before in (("new", None), ("old", HEAD)):
        path = tmp_path / name
        if before:
            path.write_bytes(before)
            path.chmod(0o640)
        LogFile(path).close()
        assert path.stat().st_mode & 0o777 == (0o640 if before else 0o600)


def test_what_another_writes_is_not_written_into(tmp_path):
    path = tmp_path / "log"
    first = LogFile(path)
    first.write({"format": 2, "kind": "log"})
    assert is_in_use(path)
    with pytest.raises(LogError, match="is being written by a run that goes on; await its end, or choose another path"):
        LogFile(path)
    first.close()
    assert not is_in_use(path)
    LogFile(path).close()
    assert path.read_text() == '{"format": 2, "kind": "log"}\n'


@pytest.mark.skipif(os.name != "posix", reason="locks of this kind are those of Unix")
def test_the_lock_of_a_process_that_was_killed_is_gone(tmp_path):
    path = tmp_path / "log"
    child = os.fork()
    if child == 0:
        LogFile(path).write({"format": 2, "kind": "log"})
        os.kill(os.getpid(), 9)
    os.waitpid(child, 0)
    LogFile(path).close()
    assert path.read_text() == '{"format": 2, "kind": "log"}\n'


def test_the_end_that_is_torn_is_found_however_long_it_is(tmp_path):
    path = tmp_path / "log"
    path.write_bytes(b"x\n" + b"y" * 200_000)
    assert torn_end(path) == b"y" * 200_000


def test_files_of_sub_agents_are_those_that_follow_one_another(tmp_path):
    path = tmp_path / "run.jsonl"
    made = [log_of_agent(path, "a1", f"agent-{number}") for number in (1, 2, 4)]
    for each in made:
        each.touch()
    assert logs_of_agents(path, "a1") == tuple(made[:2])
    assert logs_of_agents(path, "b2") == logs_of_agents(path, "../a1") == logs_of_agents(path, "") == ()
