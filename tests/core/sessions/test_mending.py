import pytest

from cellwright.codec import to_json
from cellwright.log.events import Event
from cellwright.log.history import History
from cellwright.messages import Call, ModelMessage, ToolMessage
from cellwright.sessions.mending import mended

from ..scene import calling, echo, plain, play

CALL = {"id": "c1", "name": "t", "arguments": "{}"}


def told(facts):
    return [Event(number, 1.0, kind, data) for number, (kind, data) in enumerate(facts, 1)]


def whole():
    noted = plain(lambda args, env: 1, "noted", concurrency_safe=True)
    return play([calling("noted", ("echo", {"text": "x"}), text="so"), calling("noted"), "done"], [echo, noted]).events


@pytest.mark.parametrize("kept", range(1, 30))
def test_wherever_a_log_ends_each_call_has_a_result_and_what_was_recorded_stays(kept):
    events = whole()[:kept]
    done = mended(events)
    assert done.events[: len(events)] == events
    assert [event.number for event in done.events] == list(range(1, len(done.events) + 1))
    calls = [event.data["id"] for event in done.events if event.kind == "call"]
    assert calls == [event.data["id"] for event in done.events if event.kind == "result"]
    assert [event.kind for event in done.events].count("run_ended") == 1
    assert mended(done.events).events == done.events
    answered_in_turn(done.events)


def answered_in_turn(events):
    """Each turn of the conversation is followed by one result for each of its calls."""
    history = History()
    for event in events:
        history.add(event)
    wanted = []
    for message in history.messages:
        if isinstance(message, ToolMessage):
            assert message.call_id == wanted.pop(0)
        elif isinstance(message, ModelMessage):
            assert wanted == []
            wanted = [call.id for call in message.calls]
    assert wanted == []


def test_a_call_that_was_begun_may_have_had_effects_and_another_had_none():
    turn = ModelMessage("", (Call("c1", "t", ""), Call("c2", "t", "")))
    facts = [
        ("run_started", {"prompt": "go"}),
        ("message", {**to_json(turn), "cost": None}),
        ("call", CALL),
        ("executing", {"id": "c1"}),
    ]
    first, second = [event.data for event in mended(told(facts)).events if event.kind == "result"]
    assert (first["error_type"], first["content"]) == (
        "cancelled",
        "the process ended before this call had a result; it may have had effects, so look at what it did",
    )
    assert (second["error_type"], second["content"][:51]) == (
        "cancelled_before_start", "the process ended before this call was begun; nothi",
    )  # fmt: skip


def test_calls_that_began_before_their_turn_was_whole_get_a_turn_that_broke_off():
    facts = [("run_started", {"run": "run-1", "prompt": "go"}), ("turn_started", {"turn": 1}), ("call", CALL)]
    done = mended(told(facts))
    message = next(event.data for event in done.events if event.kind == "message")
    assert (message["stop"], message["calls"][0]["id"], message["turn"]) == ("broken", "c1", 1)
    assert done.note == "run-1 has no end: the process ended before the run; 1 open call closed with cancelled"
    answered_in_turn(done.events)


def test_a_run_that_has_its_end_is_left_as_it_is():
    events = whole()
    assert (mended(events).events, mended(events).note) == (events, "")
