import pytest

from cellwright import Allow
from cellwright.catalogue import load
from cellwright.errors import LogError, UndoError
from cellwright.log.events import Event
from cellwright.runs.desk import ScriptedDesk
from cellwright.sessions.recorded_run import RecordedRun
from cellwright.sessions.session import Session

from ..changing import changed, changing, tree
from ..scene import agent_of, calling, echo, play, returning


def test_a_recorded_run_says_what_the_run_says():
    turns = [calling(("echo", {"text": "x"}), "gone", ("give", '{"a": ')), "done"]
    run = play(turns, [echo, returning({"a": [1]})])
    told = RecordedRun(run.events)
    for name in ("id", "prompt", "stop_reason", "answer", "error", "usage", "cost", "steps", "mode", "is_done"):
        assert getattr(told, name) == getattr(run, name), name
    assert list(told.conversation) == list(run.conversation)
    assert told.results == run.results
    assert told.result("call_1") == run.result("call_1")
    assert told.trace("call_1") == run.trace("call_1")
    assert [asked.turn for asked in told.requests()] == [1, 2]
    assert repr(told) == f"<RecordedRun {run.id}: answered, 2 steps, 3 calls>"


@pytest.mark.parametrize("events", [[], [Event(1, 0.0, "note", {"text": "x"})], [Event(1, 0.0, "run_started", {})]])
def test_what_is_no_run_is_refused(events):
    with pytest.raises(LogError, match=r"the log of a run lacks something .*; it was changed, or is no log"):
        RecordedRun(events)


def test_what_a_run_did_is_undone_from_its_file_after_a_later_run_was_written_into_it(tmp_path):
    path = tmp_path.parent / f"{tmp_path.name}.jsonl"
    run = changed(tmp_path, changing("write", "a", data="1"), log=path)
    changed(tmp_path, changing("write", "b", data="2"), log=path)
    loaded = Session.load(path).runs[0]
    loaded.undo(run.effects[0].call_id)
    assert list(tree(tmp_path)) == ["b"]
    again = Session.load(path).runs
    assert [each.effects[0].is_undone for each in again] == [True, False]
    assert again[0].conversation[-1].text == loaded.conversation[-1].text
    again[0].redo(run.effects[0].call_id)
    assert list(tree(tmp_path)) == ["a", "b"]


def test_an_undo_from_the_file_of_a_run_heeds_the_notebooks_that_are_open(tmp_path):
    path = tmp_path.parent / f"{tmp_path.name}.jsonl"
    run = changed(tmp_path, changing("write", "n.ipynb", data="{}"), log=path)
    loaded = Session.load(path).last
    loaded.desk = ScriptedDesk(elsewhere=[tmp_path / "n.ipynb"])
    with pytest.raises(UndoError, match=r"n\.ipynb is open in a page"):
        loaded.undo(run.effects[0].call_id)
    loaded.desk.elsewhere.clear()
    loaded.undo(run.effects[0].call_id)
    assert tree(tmp_path) == {}


def test_sub_agents_are_found_beside_the_file_of_their_run(tmp_path):
    path = tmp_path / "run.jsonl"
    handing = calling(("agent", {"task": "help", "prompt": "help"}))
    for answer in ("one", "two"):
        agent = agent_of([handing, answer, "done"], [load("agent")], [Allow()], log=path)
        agent.run_sync("go")
    below = [[(child.prompt, child.answer) for child in run.children] for run in Session.load(path).runs]
    assert below == [[("help", "one")], [("help", "two")]]


@pytest.mark.parametrize("name", ["", "../run", "nowhere"])
def test_a_log_whose_name_leads_elsewhere_has_no_sub_agents(tmp_path, name):
    run = play(["done"])
    (tmp_path / "run..agent-1.jsonl").write_text("{}")
    assert RecordedRun(run.events, name, tmp_path / "run.jsonl").children == ()
