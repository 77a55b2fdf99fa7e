import pytest

from cellwright_widgets.drawing.node import to_html, to_text
from cellwright_widgets.inspector.inspection import Inspection, Turn
from cellwright_widgets.inspector.turn_inspection import draw_turn_line, draw_turn_sheet

from ..inspected import busy_run, hostile_log
from ..page import Page, assert_harmless
from ..run_events import events, whole_run


def sheets(log):
    inspection = Inspection(lambda: {"": log})
    return [draw_turn_sheet(row.shows, inspection.parts[0]) for row in inspection.rows() if isinstance(row.shows, Turn)]


@pytest.fixture(scope="module")
def texts():
    return [to_text(sheet) for sheet in sheets(busy_run().events)]


def test_a_turn_tells_what_it_said_and_why_it_ended(texts):
    for words in ("Step 1", "Looking is safe.", "I look.", "2 calls: look, look", "the model asks for calls"):
        assert words in texts[0]
    assert "the model was done" in texts[-1]


def test_tokens_and_cost_are_told_for_the_turn_and_for_all_so_far():
    def rows(sheet):
        found = [to_text(cell) for table in tables(sheet) for row in table[2][1][2] for cell in row[2]]
        return {found[place]: found[place + 1 : place + 3] for place in range(0, len(found), 3)}

    first, second, *_ = map(rows, sheets(busy_run().events))
    assert first["input"][0] == first["input"][1]
    number = [int(text.replace(",", "")) for text in (first["input"][0], *second["input"])]
    assert number[0] + number[1] == number[2]
    assert first["cost, sub-agents included"][0] == first["cost, sub-agents included"][1] != "$0.00"


def tables(node):
    if isinstance(node, str):
        return []
    inner = [table for child in node[2] for table in tables(child)]
    return [node, *inner] if node[0] == "table" else inner


def test_the_request_of_the_turn_stands_below(texts):
    assert "Request of step 2" in texts[1]
    assert "are the same as in the turn before" in texts[1]


def test_a_turn_that_is_not_whole_says_so():
    (text,) = map(to_text, sheets(events(("turn_started", {"turn": 1}))))
    assert "the model is writing" in text


def test_a_log_without_prices_has_no_cost_and_one_that_can_not_be_read_says_so():
    assert not any("cost" in to_text(sheet) for sheet in sheets(whole_run()))
    (text,) = map(to_text, sheets(events(("turn_started", {}))))
    assert "The log does not hold it" in text


def test_hostile_texts_stay_text():
    inspection = Inspection(lambda: {"": hostile_log()})
    for row in inspection.rows():
        if isinstance(row.shows, Turn):
            assert_harmless(Page(to_html(draw_turn_line(row.shows))))
    for sheet in sheets(hostile_log()):
        assert_harmless(Page(to_html(sheet)))
