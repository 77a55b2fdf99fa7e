import pytest

from cellwright_widgets.cards.call_story import CallStory
from cellwright_widgets.inspector.inspection import Inspection, Turn

from ..inspected import busy_run
from ..run_events import call_events, events, whole_run


def of(*runs):
    """An inspection of lists of events that may grow."""
    return Inspection(lambda: {"" if not number else f"agent-{number}": each for number, each in enumerate(runs)})


def names(inspection, since=()):
    return [row.shows.name if isinstance(row.shows, CallStory) else "turn" for row in inspection.rows(since)]


@pytest.fixture(scope="module")
def busy():
    return busy_run()


def test_each_turn_and_each_call_has_a_line_in_the_order_of_the_run(busy):
    inspection = of(busy.events, *(child.events for child in busy.children))
    told = [
        row.shows.name if isinstance(row.shows, CallStory) else "turn" if isinstance(row.shows, Turn) else row.shows
        for row in inspection.rows()
    ]
    main = ["turn", "look", "look", "turn", "write", "write", "nope", "turn", "agent", "turn"]
    assert told == [*main, "agent-1: Look below.", "turn", "look", "turn"]


def test_calls_that_code_made_stand_below_the_call_that_ran_it():
    facts = [
        *call_events("c1", "run_code"),
        ("call", {"id": "c2", "name": "read_file"}),
        ("call", {"id": "c1.1", "name": "inner", "within": "c1"}),
        ("call", {"id": "c1.1.1", "name": "innermost", "within": "c1.1"}),
    ]
    inspection = of(events(("turn_started", {"turn": 1}), *facts))
    assert names(inspection) == ["turn", "run_code", "inner", "innermost", "read_file"]
    assert [len(row.path) for row in inspection.rows()] == [2, 3, 4, 5, 3]


def test_whoever_has_seen_something_is_told_what_is_newer():
    log = whole_run(*call_events())
    growing = log[:4]
    inspection = of(growing)
    assert (names(inspection), inspection.known) == (["turn", "read_file"], [4])
    growing += log[4:]
    inspection.renew()
    assert names(inspection, [4]) == ["read_file", "turn"]
    assert names(inspection, inspection.known) == []


def test_a_line_is_found_by_its_key_with_the_events_of_its_call(busy):
    inspection = of(busy.events)
    row = next(row for row in inspection.rows() if isinstance(row.shows, CallStory) and row.shows.name == "write")
    part, found = inspection.find(row.key)
    kinds = [event.kind for event in part.about[found.shows.id]]
    assert kinds[:6] == ["call", "arguments", "decision", "question", "answer", "executing"]
    assert kinds[-1] == "result"
    assert inspection.find("99.1") is None


def test_the_head_and_the_timeline_are_those_of_the_run(busy):
    inspection = of(busy.events, *(child.events for child in busy.children))
    assert (inspection.head.state, inspection.head.turns) == ("answered", 4)
    assert [lane.name for lane in inspection.timeline().lanes] == ["model", "you", "tools", "agent-1"]


def test_a_log_of_nothing_and_one_that_lacks_things_do_no_harm():
    assert list(of().rows()) == []
    assert of().timeline().lanes == ()
    odd = of(events(*((kind, {}) for kind in ("message", "result", "call", "call", "arguments", "answer"))))
    assert names(odd) == ["", ""]
