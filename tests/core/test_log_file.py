import os

import pytest

from cellwright.errors import LogError
from cellwright.log_file import LogFile, is_in_use, log_of_agent, logs_of_agents, torn_end

LINE = b'{"a": "' + "\u00e9".encode() * 50_000 + b'"}'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"", b'{"b": 1}\n'),
        (b'{"a": 1}\n', b'{"a": 1}\n{"b": 1}\n'),
        (b'{"a": 1}\n{"a', b'{"a": 1}\n{"b": 1}\n'),
        (b'{"a": 1}\n{"a": 2}', b'{"a": 1}\n{"a": 2}\n{"b": 1}\n'),
        (b'{"a": 1}\n' + LINE, b'{"a": 1}\n' + LINE + b'\n{"b": 1}\n'),
        (b'{"a": 1}\n' + LINE[:-3], b'{"a": 1}\n{"b": 1}\n'),
        (b"\0" * 100, b'{"b": 1}\n'),
        (b'{"a": 1}\n2', b'{"a": 1}\n{"b": 1}\n'),
    ],
    ids=range(8),
)
def test_a_file_is_continued_after_its_last_whole_line(tmp_path, before, after):
    path = tmp_path / "log"
    path.write_bytes(before)
    file = LogFile(path)
    assert file.write({"b": 1}) == ""
    file.close()
    assert path.read_bytes() == after


def test_what_another_writes_is_not_written_into(tmp_path):
    path = tmp_path / "log"
    first = LogFile(path)
    first.write({"a": 1})
    assert is_in_use(path)
    with pytest.raises(LogError, match="is being written by a run that goes on; await its end, or choose another path"):
        LogFile(path)
    first.close()
    assert not is_in_use(path)
    LogFile(path).close()
    assert path.read_text() == '{"a": 1}\n'


@pytest.mark.skipif(os.name != "posix", reason="locks of this kind are those of Unix")
def test_the_lock_of_a_process_that_was_killed_is_gone(tmp_path):
    path = tmp_path / "log"
    child = os.fork()
    if child == 0:
        LogFile(path).write({"a": 1})
        os.kill(os.getpid(), 9)
    os.waitpid(child, 0)
    LogFile(path).close()
    assert path.read_text() == '{"a": 1}\n'


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
