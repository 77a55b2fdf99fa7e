"""A recording gives the same words again, and stops where the run has left it."""

import json
from pathlib import Path

import pytest

from cellwright import Agent, ScriptedModel, Turn, model, tool
from cellwright.errors import ModelError
from cellwright.log.events import Recorder
from cellwright.models.recorded_model import RecordedModel
from cellwright.runs.budget import Budget

from ..models.shapes import ANTHROPIC, Said
from ..models.wire_server import serving


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


def test_the_run_of_a_real_model_is_played_again_byte_for_byte_without_key_and_server(tmp_path: Path):
    said = Said("Let me see.", "I wonder", "c2lnbmVk", (("id_a", "length", ('{"text":', '"four"}')),))
    first, second = tmp_path / "first", tmp_path / "second"
    with serving(ANTHROPIC.answer(said), ANTHROPIC.answer(Said("It has 4."))) as server:
        Agent(ANTHROPIC.model(server), [length], log=first).run_sync("How long?")
    run = Agent(model(f"recorded:{first}"), [length], log=second).run_sync("How long?")
    assert (run.stop_reason, run.answer, len(server.asked)) == ("answered", "It has 4.", 2)
    assert stable(second) == stable(first)


def stable(log: Path):
    """What was asked, said and done, by a log; when a call began beside its turn is of the moment."""
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    kinds = ("system", "tools", "message", "call", "result")
    moments = {"cost", "metadata"}
    return {
        kind: [
            {name: value for name, value in line["data"].items() if name not in moments}
            for line in lines
            if line["kind"] == kind
        ]
        for kind in kinds
    }


@tool(read_only=True, name="length")
def other_length(text: str) -> int:
    """Count letters."""
    return len(text)


@tool(read_only=True, name="length")
def longer(text: str) -> int:
    """Count characters."""
    return len(text) + 1


@pytest.mark.parametrize(
    ("prompt", "tools", "conditions", "told"),
    [
        (
            "How wide?",
            [length],
            {},
            "turn 1: the text of message 1 (what the person said) differs: 'How long?' then, 'How wide?' now",
        ),
        ("How long?", [other_length], {}, "turn 1: the description of the tool length differs: "),
        ("How long?", [], {}, "turn 1: the tool length is missing"),
        ("How long?", [length, "read_file"], {}, "turn 1: the tool read_file is new"),
        ("How long?", [length], {"system": "Be brief."}, "turn 1: the system prompt differs: "),
        (
            "How long?",
            [longer],
            {},
            "turn 2: the content of message 3 (the result of length) differs: '4' then, '5' now",
        ),
    ],
    ids=["prompt", "description", "missing tool", "new tool", "system", "result"],
)
def test_a_run_that_leaves_the_recording_is_told_at_which_turn_and_what_differs(
    tmp_path: Path, prompt: str, tools: list, conditions: dict, told: str
):
    log = recorded(tmp_path / "run.jsonl")
    run = Agent(RecordedModel(log), tools, **conditions).run_sync(prompt)
    assert run.stop_reason == "model_error"
    assert f"the run left the recording at {told}" in run.error
    assert "record it anew with log=" in run.error


def test_in_a_lesson_the_results_of_tools_may_be_others_and_nothing_else(tmp_path: Path):
    log = recorded(tmp_path / "run.jsonl")
    run = Agent(RecordedModel(log, results="any"), [longer]).run_sync("How long?")
    assert (run.answer, run.results[0].value) == ("It has 4.", 5)
    assert "left the recording at turn 1" in Agent(RecordedModel(log, "any"), [longer]).run_sync("How wide?").error


def test_a_run_that_begins_in_the_middle_of_the_recording_is_told(tmp_path: Path):
    playing = RecordedModel(recorded(tmp_path / "run.jsonl"))
    Agent(playing, [length], budget=Budget(steps=1)).run_sync("How long?")
    run = Agent(playing, [length]).run_sync("How long?")
    assert "at turn 2: the model was asked with 3 messages then, and is with 1 now" in run.error


def test_runs_side_by_side_in_one_recording_are_each_given_their_own_turns(tmp_path: Path):
    log = tmp_path / "run.jsonl"
    for prompt in ("one", "two"):
        Agent(ScriptedModel([Turn(calls=[("length", {"text": prompt})]), prompt]), [length], log=log).run_sync(prompt)
    playing = RecordedModel(log)
    assert [Agent(playing, [length]).run_sync(prompt).answer for prompt in ("two", "one")] == ["two", "one"]


def test_a_secret_that_was_masked_in_the_recording_is_no_difference(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("MY_TOKEN", "very-secret-thing")
    log = tmp_path / "run.jsonl"
    Agent(ScriptedModel(["fine"]), [length], log=log).run_sync("Is very-secret-thing safe?")
    assert Agent(RecordedModel(log), [length]).run_sync("Is very-secret-thing safe?").answer == "fine"


def test_the_words_come_one_by_one(tmp_path: Path):
    seen = Recorder()
    Agent(RecordedModel(recorded(tmp_path / "run.jsonl")), [length], observers=[seen]).run_sync("How long?")
    assert [event.data["text"] for event in seen.events if event.kind == "text"] == [
        "I ",
        "count.",
        "It ",
        "has ",
        "4.",
    ]


def test_a_recording_that_is_at_its_end_says_so(tmp_path: Path):
    playing = RecordedModel(recorded(tmp_path / "run.jsonl"))
    agent = Agent(playing, [length])
    again = agent.run_sync("Again", after=agent.run_sync("How long?"))
    assert "all were played" in again.error


@pytest.mark.parametrize(
    ("text", "told"),
    [("", "holds no run"), ("{", "can't be read"), ('{"kind": "message", "data": {}}', "no head of a log")],
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
