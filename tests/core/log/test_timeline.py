import asyncio

from cellwright import Agent, Allow, ScriptedApprover, ScriptedModel, Turn, tool
from cellwright.log.events import Event
from cellwright.log.timeline import timeline

from ..in_time import in_time
from ..scene import echo


def log(*facts) -> list[Event]:
    """Events from (seconds, kind, data)."""
    return [Event(number, 1_000.0 + at, kind, data) for number, (at, kind, data) in enumerate(facts, 1)]


def result(at: float, call: str, execute: float, **facts):
    stages = {"look_up": 0.0, "execute": execute}
    return at, "result", {"id": call, "ok": True, "metadata": {"stages": stages}, **facts}


WHOLE = log(
    (0, "run_started", {}),
    (0, "turn_started", {"turn": 1}),
    (1, "call", {"id": "a", "name": "look"}),
    (1, "executing", {"id": "a"}),
    (2, "call", {"id": "b", "name": "look"}),
    (2, "executing", {"id": "b"}),
    (3, "message", {"turn": 1, "stop": "calls"}),
    result(6, "a", 5.0),
    result(6, "b", 1.0),
    (6, "call", {"id": "c", "name": "write"}),
    (6, "question", {"id": "c", "name": "write"}),
    (9, "answer", {"id": "c", "answer": "allow"}),
    (9, "executing", {"id": "c"}),
    result(10, "c", 1.0, ok=False, error_type="timeout"),
    (10, "run_ended", {"stop_reason": "answered"}),
)
"""Two calls at once, of which the later ended first, then one that was asked about."""


def spans(found, *fields):
    return {lane.name: [tuple(getattr(span, field) for field in fields) for span in lane.spans] for lane in found.lanes}


def test_each_kind_of_time_has_its_lane():
    found = timeline(WHOLE)
    assert spans(found, "name", "start", "end") == {
        "model": [("step 1", 0, 3)],
        "you": [("asked about write", 6, 9)],
        "tools": [("look", 1, 6), ("look", 2, 3), ("write", 9, 10)],
    }
    assert (found.began, found.seconds, found.is_over) == (1_000, 10, True)
    assert [(mark.at, mark.text) for mark in found.marks] == [(0, "step 1")]


def test_what_goes_on_at_once_stands_in_rows_of_its_own():
    found = timeline(WHOLE)
    assert spans(found, "call", "row", "outcome")["tools"] == [("a", 0, "ok"), ("b", 1, "ok"), ("c", 0, "timeout")]
    assert [lane.rows for lane in found.lanes] == [1, 1, 2]


def test_a_span_keeps_its_row_however_the_run_goes_on():
    seen: dict[tuple[str, float], int] = {}
    for length in range(1, len(WHOLE) + 1):
        for lane in timeline(WHOLE[:length]).lanes:
            for span in lane.spans:
                assert seen.setdefault((lane.name, span.start), span.row) == span.row


def test_what_goes_on_has_no_end_yet_and_whoever_knows_a_number_sees_what_is_newer():
    found = timeline(WHOLE[:6])
    assert spans(found, "end") == {"model": [(None,)], "tools": [(None,), (None,)]}
    newer = [span.call for lane in timeline(WHOLE[:9]).lanes for span in lane.spans if span.changed > 6]
    assert newer == ["", "a", "b"]


def test_a_run_that_was_stopped_leaves_nothing_open():
    stopped = timeline([*WHOLE[:6], *log((4, "run_ended", {"stop_reason": "cancelled"}))])
    assert spans(stopped, "end", "outcome")["tools"] == [(4, "cancelled"), (4, "cancelled")]


def test_a_call_that_was_refused_is_a_moment():
    refused = [(1, "call", {"id": "x", "name": "nope"}), (2, "result", {"id": "x", "error_type": "unknown_tool"})]
    found = timeline(log((0, "run_started", {}), *refused))
    assert spans(found, "name", "start", "end", "outcome") == {"tools": [("nope", 2, 2, "unknown_tool")]}


def test_a_sub_agent_has_a_lane_that_begins_with_the_run():
    below = log((4, "run_started", {}), (5, "turn_started", {}), (7, "message", {"stop": "end"}), (8, "run_ended", {}))
    found = timeline(WHOLE, {"agent-1": below})
    assert spans(found, "name", "start", "end")["agent-1"] == [("step 1", 5, 7)]
    assert [lane.agent for lane in found.lanes] == ["", "", "", "agent-1"]


def test_the_lanes_of_a_real_run():
    @tool
    async def write(text: str) -> str:
        """Write a text."""
        await asyncio.sleep(0.02)
        return text

    turns = [Turn("Look.", [("echo", {"text": "a"}), ("write", {"text": "b"})]), "Done."]
    run = Agent(ScriptedModel(turns), [echo, write], approver=ScriptedApprover([Allow()])).run_sync("Go.")
    found = timeline(run.events)
    assert spans(found, "name") == {
        "model": [("step 1",), ("step 2",)],
        "you": [("asked about write",)],
        "tools": [("echo",), ("write",)],
    }
    assert all(0 <= span.start <= span.end <= found.seconds for lane in found.lanes for span in lane.spans)


def test_as_text_the_bars_stand_below_each_other():
    lines = timeline(WHOLE).text(20).split("\n")
    assert [line[26:48] for line in lines] == [
        "|1 step, 10.00 s     |",
        "|██████              |",
        "|            ██████  |",
        "|  ██████████      ██|",
        "|    ██              |",
    ]
    assert [line[:26].strip() for line in lines] == ["", "model", "you", "tools", ""]
    assert lines[3].endswith("|  6.00 s: look, write")


def test_no_text_in_a_log_breaks_a_line_or_hides():
    hostile = log((0, "call", {"id": "x", "name": "a\nb\u202e\x1b[31m"}), (1, "result", {"id": "x", "ok": True}))
    text = timeline(hostile, {"agent\n\u202e": WHOLE}).text()
    assert len(text.split("\n")) == 5
    assert not any(char in text for char in "\u202e\x1b")


def test_a_log_of_nothing_and_one_that_lacks_things_do_no_harm():
    assert timeline([]).lanes == ()
    odd = [(0, kind, {}) for kind in ("result", "answer", "message", "executing", "executing", "question", "call")]
    assert timeline(log(*odd)).text()
    assert timeline([]).text()


def test_a_long_run_is_counted_in_text_and_read_in_a_moment():
    facts = [(n, kind, {"id": f"c{n}", "name": "look"}) for n in range(5_000) for kind in ("call", "executing")]
    told = in_time(5, lambda _: timeline(log((0, "run_started", {}), *facts)).text())
    assert told.endswith("more lines")
