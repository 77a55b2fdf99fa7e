import pytest

from cellwright import Agent, Edit, ScriptedApprover, ScriptedModel, Turn
from cellwright.hooks.hook import Change, Hook
from cellwright_widgets.cards.call_story import CallStory
from cellwright_widgets.drawing.node import to_html, to_text
from cellwright_widgets.inspector.call_inspection import draw_call_sheet
from cellwright_widgets.inspector.inspection import Inspection

from ..inspected import busy_run, hostile_log, write
from ..page import Page, assert_harmless
from ..run_events import call_events, events


def sheets(log):
    """The sheet of each call."""
    inspection = Inspection(lambda: {"": log})
    part = inspection.parts[0]
    return [
        draw_call_sheet(row.shows, part.about[row.shows.id])
        for row in inspection.rows()
        if isinstance(row.shows, CallStory)
    ]


@pytest.fixture(scope="module")
def texts():
    return [to_text(sheet) for sheet in sheets(busy_run().events)]


def test_the_stages_stand_with_their_times_and_what_was_decided(texts):
    asked = texts[2]
    assert "Way · 12 stages in" in asked
    for word in ("look_up", "permit", "ask: it may have effects", "the person answered allow", "execute"):
        assert word in asked


def test_a_bar_of_the_waterfall_is_two_numbers():
    page = Page(to_html(sheets(busy_run().events)[0]))
    places = [
        (int(attrs["data-from"] or ""), int(attrs["data-to"] or ""))
        for _, attrs in page.elements
        if "data-from" in attrs
    ]
    assert len(places) == 12
    assert (places[0][0], places[-1][1]) == (0, 1_000)
    assert all(0 <= start <= end <= 1_000 for start, end in places)


def test_the_arguments_stand_as_they_came_as_read_and_as_changed():
    hook = Hook("before_call", lambda occasion: Change({"text": "by the hook"}))
    agent = Agent(
        ScriptedModel([Turn(calls=[("write", '"{\\"text\\": \\"a\\"}"')]), "Done."]),
        [write],
        hooks=[hook],
        approver=ScriptedApprover([Edit({"text": "by you"})]),
    )
    (text,) = (to_text(sheet).split("Arguments")[1] for sheet in sheets(agent.run_sync("go").events))
    forms = [
        "as they came",
        "as read",
        "sent as JSON text",
        "as a hook changed them",
        "by the hook",
        "as you changed them",
    ]
    assert [text.index(form) for form in forms] == sorted(text.index(form) for form in forms)
    assert text.rindex("by you") > text.index("as you changed them")


def test_what_the_model_saw_stands_beside_what_the_person_saw(texts):
    refused = texts[4]
    assert "What the model saw · " in refused
    assert refused.count("there is no tool 'nope'") >= 2
    assert "They were not read" in refused


def test_a_call_that_goes_on_is_drawn_as_far_as_it_is():
    (text,) = map(to_text, sheets(events(*call_events()[:4], ("progress", {"id": "c1", "text": "half way"}))))
    assert "known once the call has its result" in text
    assert "half way" in text
    assert "What the model saw" not in text


def test_hostile_texts_stay_text_in_every_part():
    for sheet in sheets(hostile_log()):
        assert_harmless(Page(to_html(sheet)))


def test_a_huge_result_makes_a_sheet_that_stays_small():
    facts = call_events(content="x y\n" * 500_000, metadata={"a": "b" * 1_000_000})
    assert len(to_html(sheets(events(*facts))[0])) < 1_000_000
