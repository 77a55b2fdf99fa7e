import pytest

from cellwright.errors import LogError
from cellwright.events import Event
from cellwright.recorded_run import RecordedRun

from .scene import calling, echo, play, returning


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
