import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cellwright.errors import LogError
from cellwright.log.events import Event, Log, Recorder
from cellwright.text.masking import Masking
from cellwright.views.view import Text

from ..scene import calling, echo, play, returning, strict


def lines_of(path):
    return [strict(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_each_kept_event_is_one_line_of_strict_json(tmp_path):
    path = tmp_path / "log.jsonl"
    value = {"x": float("nan"), "k\ud83d": "a\u2028b\nc"}
    run = play([calling("give", ("echo", {"text": "\ud83d"})), "done"], [returning(value), echo], log=path)
    header, *lines = lines_of(path)
    assert {**header, "id": len(header["id"])} == {"format": 2, "kind": "log", "id": 16}
    assert [(line["number"], line["kind"], line["data"]) for line in lines] == [
        (event.number, event.kind, event.data) for event in run.events
    ]
    assert {line["kind"] for line in lines if line.get("optional")} == {"arguments", "decision", "executing"}
    assert path.read_bytes().count(b"\n") == len(lines) + 1
    assert "\\ud83d" not in path.read_text()


def test_the_events_are_numbered_from_one_without_a_gap():
    run = play([calling(("echo", {"text": "x"})), "two words"], [echo])
    assert [event.number for event in run.events] == list(range(1, len(run.events) + 1))
    times = [event.time for event in run.events]
    assert times == sorted(times)


def test_what_is_of_use_only_while_it_happens_is_told_and_not_kept(tmp_path):
    watch = Recorder()
    run = play(["two words"], observers=[watch], log=tmp_path / "log")
    assert [event.data["text"] for event in watch.events if event.kind == "text"] == ["two ", "words"]
    assert not any(event.kind == "text" for event in run.events)
    assert '"kind": "text"' not in (tmp_path / "log").read_text()
    assert [event for event in watch.events if event.kind != "text"] == list(run.events)


def test_the_file_has_an_event_before_anyone_is_told(tmp_path):
    path, counts = tmp_path / "log", []

    class Watch:
        def on_event(self, event):
            counts.append((len(lines_of(path)) - 1, event.number))

    play([calling(("echo", {"text": "x"})), "done"], [echo], observers=[Watch()], log=path)
    assert all(lines == number for lines, number in counts)


CRASH = """
import os, sys
from cellwright import Agent, ScriptedModel, Turn, tool
@tool(read_only=True)
def die() -> str:
    "Dies."
    os.kill(os.getpid(), 9)
Agent(ScriptedModel([Turn(calls=[("die", {})])], pace=9), [die], log=sys.argv[1]).run_sync("go")
"""


def test_the_log_of_a_process_that_was_killed_can_be_read(tmp_path):
    path = tmp_path / "log"
    done = subprocess.run([sys.executable, "-c", CRASH, str(path)], timeout=60, check=False)
    assert done.returncode == -9
    assert [line["kind"] for line in lines_of(path)][-4:] == ["call", "arguments", "decision", "executing"]


def test_an_observer_that_fails_is_named_once_and_changes_nothing(capsys):
    class Fails:
        def on_event(self, event):
            raise SystemExit(3) if event.kind == "call" else ValueError("boom")

    watch = Recorder()
    run = play([calling(("echo", {"text": "x"})), "done"], [echo], observers=[Fails(), watch])
    assert run.answer == "done"
    assert len(watch.events) > len(run.events)
    assert capsys.readouterr().err == "observer Fails failed at event 1: ValueError('boom')\n"


def test_an_observer_can_not_change_a_result():
    class Mean:
        def on_event(self, event):
            if event.kind == "result":
                event.data["value"]["a"] = 2
                event.data["metadata"].clear()

    run = play([calling("give"), "done"], [returning({"a": 1})], observers=[Mean()])
    assert run.results[0].value == {"a": 1}
    assert run.results[0].metadata["decision"]["by"] == "read_only"


def test_an_event_holds_plain_data_of_its_own():
    log, value = Log(), [1]
    event = log.record("note", text=Text("x"), value=value)
    value.append(2)
    assert event.data == {"text": {"text": "x", "kind": "text"}, "value": [1]}
    with pytest.raises(AttributeError):
        event.number = 3


@pytest.mark.parametrize("place", ["missing/log", ".", "file/log"])
def test_a_log_that_can_not_be_written_is_refused_at_once(tmp_path, place):
    (tmp_path / "file").write_text("")
    with pytest.raises(LogError) as caught:
        Log(path=tmp_path / place)
    assert str(caught.value).startswith(f"the log {tmp_path / place} can't be written: ")
    assert str(caught.value).endswith(("; choose another path", "/missing, or choose another path"))


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_full_disk_is_told_at_the_first_line():
    with pytest.raises(LogError, match="No space left on device; make room, or choose another path"):
        Log(path=Path("/dev/full"))


def test_two_runs_in_one_file_are_told_apart_by_their_heads(tmp_path):
    path = tmp_path / "log"
    play(["one"], log=path)
    play(["two"], log=path)
    kinds = [line["kind"] for line in lines_of(path)]
    assert [i for i, kind in enumerate(kinds) if kind == "log"] == [0, len(kinds) // 2]


def test_a_closed_log_still_keeps_events_in_memory(tmp_path):
    log = Log(path=tmp_path / "log")
    log.close()
    log.close()
    assert isinstance(log.record("note", text="x"), Event)
    assert len(lines_of(tmp_path / "log")) == 1
    assert json.dumps(log.events[0].data) == '{"text": "x"}'


def test_secrets_are_masked_before_anything_is_kept_written_or_told(tmp_path):
    watch = Recorder()
    log = Log([watch], tmp_path / "log", Masking({"MY_TOKEN": "s3cret-of-the-test"}))
    log.record("note", text="it is s3cret-of-the-test", more=[{"s3cret-of-the-test": Path("/s3cret-of-the-test")}])
    log.record("progress", text="s3cret-of-the-test")
    log.close()
    seen = [repr(log.events), repr(watch.events), (tmp_path / "log").read_text()]
    assert ["s3cret" in text for text in seen] == [False] * 3
    assert [text.count("⟨masked: MY_TOKEN⟩") for text in seen] == [3, 4, 3]


def test_without_a_masking_the_secrets_of_the_environment_are_masked(monkeypatch):
    monkeypatch.setenv("MY_TOKEN", "s3cret-of-the-test")
    assert Log().record("note", text="s3cret-of-the-test").data == {"text": "⟨masked: MY_TOKEN⟩"}


def test_a_log_that_was_closed_is_written_again_while_it_is_reopened(tmp_path):
    log = Log(path=tmp_path / "log")
    log.close()
    with log.reopened():
        log.record("note", text="later")
    log.record("note", text="in memory alone")
    assert [line["data"]["text"] for line in lines_of(tmp_path / "log") if line["kind"] == "note"] == ["later"]
    (tmp_path / "log").unlink()
    (tmp_path / "log").mkdir()
    with pytest.raises(LogError, match="can't be written"), log.reopened():
        pass
