"""A recording gives the same words again, and stops where the run has left it."""

import json
from pathlib import Path

import pytest

from cellwright import Agent, ScriptedModel, Turn, model, tool
from cellwright.budget import Budget
from cellwright.errors import ModelError
from cellwright.recorded_model import RecordedModel


@tool(read_only=True)
def length(text: str) -> int:
    """Count characters."""
    return len(text)


def recorded(path: Path) -> Path:
    turns = [Turn("I count.", [("length", {"text": "four"})], thinking="Easy."), "It has 4."]
    Agent(ScriptedModel(turns), [length], log=path).run_sync("How long?")
    return path


def messages(run):
    return [event.data for event in run.events if event.kind == "message"]


def test_a_recorded_run_is_played_again_word_for_word(tmp_path: Path):
    log = recorded(tmp_path / "run.jsonl")
    run = Agent(model(f"recorded:{log}"), [length]).run_sync("How long?")
    written = [json.loads(line) for line in log.read_text().splitlines()]
    assert messages(run) == [event["data"] for event in written if event["kind"] == "message"]
    assert run.answer == "It has 4."


def test_a_run_that_leaves_the_recording_is_told_at_which_turn(tmp_path: Path):
    playing = RecordedModel(recorded(tmp_path / "run.jsonl"))
    Agent(playing, [length], budget=Budget(steps=1)).run_sync("How long?")
    run = Agent(playing, [length]).run_sync("How long?")
    assert run.stop_reason == "model_error"
    assert "left the recording at turn 2" in run.error


def test_a_recording_that_is_at_its_end_says_so(tmp_path: Path):
    playing = RecordedModel(recorded(tmp_path / "run.jsonl"))
    agent = Agent(playing, [length])
    again = agent.run_sync("Again", after=agent.run_sync("How long?"))
    assert "all were played" in again.error


@pytest.mark.parametrize(
    ("text", "told"),
    [("", "holds no turn"), ("{", "can't be read"), ('{"kind": "message", "data": {}}', "a turn that can't be read")],
)
def test_a_file_that_is_no_recording_is_refused_with_its_name(tmp_path: Path, text: str, told: str):
    (tmp_path / "x.jsonl").write_text(text)
    with pytest.raises(ModelError, match=told):
        RecordedModel(tmp_path / "x.jsonl")


def test_a_missing_recording_is_refused(tmp_path: Path):
    with pytest.raises(ModelError, match="can't be read"):
        RecordedModel(tmp_path / "none.jsonl")


def test_a_turn_that_broke_off_breaks_off_again_with_the_same_calls(tmp_path: Path):
    log = tmp_path / "run.jsonl"
    turn = Turn("So", [("length", {"text": "four"}), ("length", {"text": "x"})], breaks_off=True)
    first = Agent(ScriptedModel([turn]), [length], log=log).run_sync("How long?")
    again = Agent(RecordedModel(log), [length]).run_sync("How long?")
    assert messages(again) == messages(first)
    assert [result.call.complete for result in again.results] == [True, False]
    assert (again.stop_reason, again.error) == ("model_error", "the recorded stream broke off in turn 1")
