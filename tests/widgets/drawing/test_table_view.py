import re

import pytest

from cellwright.views.table import Table, table_view
from cellwright_widgets.drawing.brush import TRANSCRIPT
from cellwright_widgets.drawing.node import to_html, to_text
from cellwright_widgets.drawing.table_view import draw_table

from ..page import HOSTILE, Page, assert_harmless


def test_what_is_not_shown_is_counted():
    wide = table_view([f"c{n}" for n in range(300)], [["x" * 5_000] * 300] * 5, total=1_005)
    html = to_html(draw_table(wide, TRANSCRIPT))
    assert "1,000 more rows · 280 more columns" in html
    assert len(html) < 200_000


def test_numbers_are_set_apart_and_nothing_is_a_dash():
    html = to_html(draw_table(table_view(["a", "b", "c"], [[1, None, True]]), TRANSCRIPT))
    assert '<td class="cw-number">1</td>' in html
    assert 'title="null"' in html
    assert '<td class="cw-bool">true</td>' in html


def test_a_number_is_rounded_for_the_eye_and_its_title_is_exact():
    rows = ((613.3184210526316, "2024-01-02T00:00:00"), (2.5, None))
    html = to_html(draw_table(Table(("n", "day"), rows, 2, kinds=("number", "date")), TRANSCRIPT))
    assert '<td class="cw-number cw-short" title="613.3184210526316">613.318421</td>' in html
    assert '<td class="cw-number">2.500000</td>' in html
    assert '<td class="cw-date cw-short" title="2024-01-02 00:00:00">2024-01-02</td>' in html


def test_a_long_cell_opens_on_a_click():
    html = to_html(draw_table(table_view(["a"], [["y" * 200]]), TRANSCRIPT))
    assert "<details" in html
    assert "y" * 200 in html


def test_an_empty_table_says_so():
    assert "no rows" in to_text(draw_table(table_view(["a"], []), TRANSCRIPT))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names_and_cells_stay_text(text):
    page = Page(to_html(draw_table(table_view([text], [[text * 20], [text]]), TRANSCRIPT)))
    assert_harmless(page)
    assert "<" not in text or "<" in page.text


def test_the_name_of_a_column_stands_on_the_side_of_its_values():
    rows = [[1, "x", None, True], [2.5, 3, 4, False]]
    html = to_html(draw_table(table_view(["n", "mixed", "gaps", "yes"], rows), TRANSCRIPT))
    assert re.findall(r'<th class="cw-number" scope="col">(\w+)</th>', html) == ["n", "gaps"]


def test_what_stands_in_a_column_is_written_over_it_and_decides_its_side():
    kinds = ("integer", "date", "text", "other")
    table = Table(("n", "day", "t", "o"), ((1, "2024-01-02T03:04:05", "5", "{}"),), 1, kinds=kinds)
    html = to_html(draw_table(table, TRANSCRIPT))
    assert re.findall(r'<th( class="cw-number")? scope="col">(\w+)', html) == [
        (' class="cw-number"', "n"),
        ("", "day"),
        ("", "t"),
        ("", "o"),
    ]
    assert '<td class="cw-date">2024-01-02 03:04:05</td>' in html
    assert re.findall(r'cw-kind">(\w+)<', html) == ["int", "date", "text"]


def test_a_table_whose_rows_are_at_hand_has_controls_and_its_record_has_not():
    table = Table(("a",), (("x",),) * 50, 1_000_000, kinds=("text",), source="kept-1")
    node = draw_table(table, TRANSCRIPT)
    assert "Copy TSV" in repr(node)
    assert "Filter: a word'" in repr(node)
    counted = Table(("a b", "n"), ((1, 2),), 9, kinds=("integer", "number"), source="kept-1")
    assert "Filter: a word, or n > 0" in repr(draw_table(counted, TRANSCRIPT))
    record = to_html(node)
    assert "1–50 of 1,000,000 rows" in record
    assert "Copy" not in record
    assert "data-" not in record


def test_a_note_on_the_rows_that_are_not_here_is_shown():
    assert "the rest" in to_text(draw_table(Table(("a",), ((1,),), 9, note="the rest is gone"), TRANSCRIPT))
