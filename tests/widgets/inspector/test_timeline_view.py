from cellwright_widgets.drawing.node import to_html, to_text
from cellwright_widgets.inspector.inspection import Inspection
from cellwright_widgets.inspector.timeline_view import draw_timeline, timeline_json

from ..inspected import busy_run, hostile_log
from ..page import Page, assert_harmless


def of(run):
    return Inspection(lambda: {"": run.events, "agent-1": run.children[0].events})


def test_a_bar_leads_to_the_line_of_its_call_or_turn():
    inspection = of(busy_run())
    lanes, bars = timeline_json(inspection.timeline(), inspection.parts, ())
    rows = {row.key: row for row in inspection.rows()}
    assert [lane["name"] for lane in lanes] == ["model", "you", "tools", "agent-1"]
    for _, _, kind, name, *_rest, key in bars:
        shown = rows[key].shows
        told = {"model": lambda s: f"step {s.number}", "person": lambda s: f"asked about {s.name}"}
        assert told.get(kind, lambda s: s.name)(shown) == name


def test_bars_are_numbers_and_only_what_is_new_is_sent():
    inspection = of(busy_run())
    _, bars = timeline_json(inspection.timeline(), inspection.parts, ())
    for _, place, _, _, start, end, row, *_rest in bars:
        assert all(isinstance(number, int | float) for number in (place, start, end, row))
    assert timeline_json(inspection.timeline(), inspection.parts, inspection.known)[1] == []


def test_the_record_has_the_bars_in_letters():
    text = to_text(draw_timeline(of(busy_run()).timeline()))
    assert text.startswith("4 steps in ")
    assert all(lane in text for lane in ("model", "you", "tools", "agent-1"))
    assert "█" in text or "▌" in text


def test_hostile_names_stay_text():
    assert_harmless(Page(to_html(draw_timeline(Inspection(lambda: {"": hostile_log()}).timeline()))))
