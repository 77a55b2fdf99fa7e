import json

import pytest

from cellwright.errors import LogError
from cellwright.log.log_reading import read_file

from ..scene import BYPASS, calling, echo, play


def written(path):
    return play([calling(("echo", {"text": "a\u2028é"})), "done"], [echo], log=path)


def changed(path, line, **fields):
    """The file with other fields in that line."""
    lines = path.read_text().splitlines()
    lines[line] = json.dumps({**json.loads(lines[line]), **fields})
    path.write_text("\n".join(lines) + "\n")


def test_the_events_of_a_file_are_those_of_the_run(tmp_path):
    run = written(tmp_path / "log")
    (log,) = read_file(tmp_path / "log").logs
    assert log.events == run.events
    assert read_file(tmp_path / "log").notes == ()


def test_a_file_holds_one_run_after_another(tmp_path):
    first, second = written(tmp_path / "log"), written(tmp_path / "log")
    logs = read_file(tmp_path / "log").logs
    assert [log.events for log in logs] == [first.events, second.events]
    assert logs[0].id != logs[1].id


def test_what_is_written_of_a_run_after_another_has_begun_is_of_that_run(tmp_path):
    path = tmp_path / "log"
    here = {"cwd": tmp_path, "log": path, "policy": BYPASS}
    first = play([calling(("write_file", {"path": "a", "content": "x"})), "one"], ["write_file"], **here)
    second = play(["two"], log=path)
    first.undo("call_1")
    (one, two) = read_file(path).logs
    assert (one.events, two.events, one.events[-1].kind) == (first.events, second.events, "undone")


@pytest.mark.parametrize(
    ("line", "fields", "said"),
    [
        (0, {"format": 3}, "line 1 of the log .* says format 3, and this Cellwright reads format 2; open it with the"),
        (0, {"kind": "x"}, "line 1 of the log .* is no head of a log; give a file that log= or --log wrote"),
        (3, {"kind": "verdict"}, "line 4 .* is an event 'verdict', which this Cellwright does not know and may not"),
        (3, {"number": 9}, "line 4 .* has event 9 where event 3 belongs; lines are missing"),
        (3, {"data": []}, "line 4 .* is no event; it was changed, or another program wrote it"),
        (
            1,
            {"data": {}},
            "line 2 .* is an event 'run_started' that lacks data.run, or has something",
        ),
        (
            5,
            {"data": {"turn": 1}},
            "line 6 .* is an event 'call' that lacks data.id, or has something else there; it was",
        ),
        (2, {"data": {"text": "half \ud800"}}, "line 3 of the log .* is no JSON object"),
    ],
)
def test_a_log_that_is_not_understood_is_refused(tmp_path, line, fields, said):
    written(tmp_path / "log")
    changed(tmp_path / "log", line, **fields)
    with pytest.raises(LogError, match=said):
        read_file(tmp_path / "log")


@pytest.mark.parametrize("half", [b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\\udc00", b"\\uD83D"])
def test_half_of_a_character_is_refused_however_it_is_written(tmp_path, half):
    written(tmp_path / "log")
    data = (tmp_path / "log").read_bytes()
    (tmp_path / "log").write_bytes(data.replace("é".encode(), half))
    with pytest.raises(LogError, match="is no JSON object"):
        read_file(tmp_path / "log")
    (tmp_path / "log").write_bytes(data.replace("é".encode(), "\ud7ff\ue000".encode()))
    assert len(read_file(tmp_path / "log").logs) == 1


def test_an_unknown_event_that_may_be_passed_over_is_kept(tmp_path):
    written(tmp_path / "log")
    changed(tmp_path / "log", 3, kind="verdict", optional=True)
    (log,) = read_file(tmp_path / "log").logs
    assert log.events[2].kind == "verdict"


@pytest.mark.parametrize(
    ("data", "said"), [(b"", "holds no run"), (b"x\n", "is no JSON object"), (b"[]\n", "is no JSON")]
)
def test_a_file_that_is_no_log_is_refused(tmp_path, data, said):
    (tmp_path / "log").write_bytes(data)
    with pytest.raises(LogError, match=said):
        read_file(tmp_path / "log")
    with pytest.raises(LogError, match="can't be read: No such file"):
        read_file(tmp_path / "none")


@pytest.mark.parametrize("cut", [1, 2, 30, 200])
def test_a_last_line_that_is_torn_is_left_out_and_told(tmp_path, cut):
    run, path = written(tmp_path / "log"), tmp_path / "log"
    path.write_bytes(path.read_bytes()[:-cut])
    read = read_file(path)
    kept = len(run.events) - (cut > 1)
    assert read.logs[0].events[:kept] == run.events[:kept]
    assert [note.split(":")[0] for note in read.notes] == (
        ["the last line was torn", f"{run.id} has no end"] if cut > 1 else []
    )
