import json

import pytest

from cellwright.views.records import Records
from cellwright.views.shelf import Shelf
from cellwright_widgets.drawing.control import MAX_PRESS
from cellwright_widgets.drawing.node import to_html, to_text
from cellwright_widgets.drawing.press import Clip, Press
from cellwright_widgets.live.table_pages import TablePages

from ..page import HOSTILE, Page, assert_harmless

ROWS = Records(["name", "n"], [[f"r{n}", n] for n in range(1_234)])


def pages(rows=ROWS) -> tuple[TablePages, str]:
    shelf = Shelf(10_000_000)
    return TablePages(shelf), shelf.put(rows, 1, lambda data: data)


def press(source, value=None, **facts):
    return Press("table", {"to": "table", "source": source, **facts}, value)


def controls(node) -> dict:
    """What each control of a drawing sends, by its key."""
    found = {node[1]["data-key"]: json.loads(node[1]["data-press"])} if "data-press" in node[1] else {}
    for child in node[2]:
        if not isinstance(child, str):
            found |= controls(child)
    return found


def test_each_control_leads_to_the_page_it_names():
    answering, source = pages()
    node = answering.answer(press(source, start=50))
    assert "51–100 of 1,234 rows" in to_text(node)
    for key, words in {"start": "1–50", "back": "1–50", "on": "101–150", "end": "1,201–1,234"}.items():
        assert words in to_text(answering.answer(Press("table", controls(node)[key])))


def test_a_press_on_a_name_sorts_up_then_down_then_not_at_all():
    answering, source = pages()
    node = answering.answer(press(source))
    first = []
    for _ in range(3):
        node = answering.answer(Press("table", controls(node)["sort-1"]))
        first.append(to_text(node).partition("1r")[2][:6])
    assert [text.startswith(start) for text, start in zip(first, ("0", "1233", "0"), strict=True)] == [True] * 3
    assert 'aria-sort="ascending"' in to_html(answering.answer(press(source, sort=1)))


def test_a_filter_begins_at_the_first_page_and_stays_while_paging():
    answering, source = pages()
    node = answering.answer(press(source, "n > 1000", do="filter", start=700))
    assert "1–50 of 233 rows that match, of 1,234" in to_text(node)
    assert "51–100 of 233" in to_text(answering.answer(Press("table", controls(node)["on"])))
    assert "no row matches" in to_text(answering.answer(press(source, "n > 9999", do="filter")))


def test_a_page_beyond_the_end_is_the_last_one():
    answering, source = pages()
    assert "1,201–1,234 of 1,234" in to_text(answering.answer(press(source, start=10**12)))


def test_rows_are_copied_for_a_spreadsheet_without_becoming_formulas():
    answering, source = pages(Records(["a", "=b"], [["=HYPERLINK(1)", -1], ["x\ty", None], ['q"', True]]))
    copied = answering.answer(press(source, do="tsv"))
    assert copied == Clip('a\t\'=b\n\'=HYPERLINK(1)\t-1\n"x\ty"\t\n"q"""\tTrue\n', "3 of 3 rows copied")
    assert answering.answer(press(source, do="csv")).text.splitlines()[1] == "'=HYPERLINK(1),-1"


def test_no_line_break_in_a_cell_begins_a_row_of_its_own():
    answering, source = pages(Records(["a"], [["x\r=1"], ["x\n=1"], ["\n=1"], ["＝1"]]))
    assert answering.answer(press(source, do="tsv")).text == 'a\n"x\r=1"\n"x\n=1"\n"\'\n=1"\n\'＝1\n'


def test_a_copy_of_a_large_table_is_bounded_and_says_so():
    answering, source = pages(Records(["a"], [["x" * 1_000]] * 5_000))
    copied = answering.answer(press(source, do="tsv"))
    assert len(copied.text) <= 500_000
    assert copied.said == "498 of 5,000 rows copied"


def test_many_columns_are_shown_a_part_at_a_time():
    answering, source = pages(Records([f"c{n}" for n in range(300)], [list(range(300))] * 60))
    node = answering.answer(press(source, first=280))
    assert "columns 281–300 of 300" in to_text(node)
    assert "columns 261–280 of 300" in to_text(answering.answer(Press("table", controls(node)["left"])))


@pytest.mark.parametrize(
    "facts", [{"start": "x"}, {"start": -5}, {"start": True}, {"filter": 3}, {"sort": "n"}], ids=repr
)
def test_a_page_can_say_anything(facts):
    answering, source = pages()
    assert "1–50 of 1,234 rows" in to_text(answering.answer(press(source, **facts)))


def test_what_can_not_be_answered_is_an_error_with_words():
    answering, source = pages()
    for wrong, words in ((press("kept-9"), "no longer kept"), (press(source, sort=7), "no column 7")):
        with pytest.raises((LookupError, ValueError), match=words):
            answering.answer(wrong)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names_cells_and_filters_stay_text(text):
    answering, source = pages(Records([text] * 40, [[text * 30] * 40] * 60))
    node = answering.answer(press(source, text, do="filter"))
    assert_harmless(Page(to_html(node)))
    assert all(len(json.dumps(said)) < MAX_PRESS for said in controls(node).values())
