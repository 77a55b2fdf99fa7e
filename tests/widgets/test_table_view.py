import re

import pytest

from cellwright.views import table_view
from cellwright_widgets.brush import TRANSCRIPT
from cellwright_widgets.node import to_html, to_text
from cellwright_widgets.table_view import draw_table

from .page import HOSTILE, Page, assert_harmless


def test_what_is_not_shown_is_counted():
    wide = table_view([f"c{n}" for n in range(300)], [["x" * 5_000] * 300] * 5, total=1_005)
    html = to_html(draw_table(wide, TRANSCRIPT))
    assert "1,000 more rows · 280 more columns" in html
    assert len(html) < 200_000


def test_numbers_are_set_apart_and_nothing_is_a_dash():
    html = to_html(draw_table(table_view(["a", "b", "c"], [[1, None, True]]), TRANSCRIPT))
    assert '<td class="cw-number">1</td>' in html
    assert 'title="null"' in html
    assert "<td>true</td>" in html


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
