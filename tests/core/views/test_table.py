import pandas as pd
import pytest

from cellwright.codec import to_json
from cellwright.views.frame import Frame, Order
from cellwright.views.records import Records
from cellwright.views.table import Table, is_frame_json, legible_table, rows_of, table_page, table_text, table_view
from cellwright.views.view import as_json, as_text, from_json


def test_a_table_ships_a_page_and_says_what_is_missing():
    view = table_view([f"c{i}" for i in range(25)], [list(range(25))] * 60, 1_000_000)
    assert (len(view.columns), len(view.rows), view.total, view.hidden_columns) == (20, 50, 1_000_000, 5)
    assert table_text(view).endswith("999,950 more rows\n5 more columns")
    assert view.has_more


def test_long_cells_are_cut_and_counted():
    assert table_view(["a"], [["x" * 1000]]).rows[0][0] == "x" * 300 + "… (1,000 characters)"


def test_a_page_of_rows_says_where_it_is():
    rows = Records([f"c{i}" for i in range(25)], [[n] * 25 for n in range(120)])
    page = table_page(rows, start=100, order=Order(0, True), first=20)
    assert (page.table.columns[0], page.table.rows[0][0], len(page.table.rows)) == ("c20", 19, 20)
    assert (page.start, page.first, page.matching, page.table.hidden_columns) == (100, 20, 120, 20)


def test_a_secret_is_masked_before_a_cell_is_cut():
    page = table_page(Records(["a"], [["x" * 299 + "secret"]]), lambda data: data.replace("secret", "⟨masked⟩"))
    assert "s" not in page.table.rows[0][0].partition("…")[0]


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ([{"a": 1, "b": 2}, {"b": 4, "a": 3}], ("a", "b")),
        ([{"a": 1, "b": 2}, {"b": 4, "c": 3}], ("a", "b", "c")),
        ([{"a": 1}, {"b": 1}], None),
        ([{"a": {"x": 1}}, {"a": [2]}], None),
        ([{}], None),
        ([], None),
        ({"columns": ["a"], "rows": [[1]], "total": 9}, ("a",)),
        ({"columns": ["a"], "rows": [[1, 2]], "total": 1}, None),
        ({"columns": [], "rows": [], "total": 0}, None),
    ],
)
def test_json_that_reads_well_as_a_table_is_one(value, names):
    rows = rows_of(value)
    assert (rows.names if rows else None) == names


def test_what_stands_in_the_columns_of_a_frame_is_known_from_its_json():
    value = to_json(pd.DataFrame({"t": ["x"], "n": [1]}))
    assert rows_of(value).kinds == Frame(pd.DataFrame({"t": ["x"], "n": [1]})).kinds == ("text", "integer")
    assert is_frame_json(value)
    assert not is_frame_json({**value, "dtypes": []})


def test_a_person_reads_rounded_values_and_a_model_exact_ones():
    view = Table(("n", "t"), ((613.3184210526316, "a"), (2.5, None)), 2, kinds=("number", "text"))
    assert as_text(view) == "         n  t\n613.318421  a\n  2.500000"
    assert "613.3184210526316" in table_text(view)


def test_what_a_log_has_damaged_is_shown_as_it_is():
    view = Table(("n", "t"), ((0.30000000000000004,),), 1)
    assert legible_table(view) == view


def test_numbers_stand_right_aligned_in_plain_text():
    text = table_text(Table(("n", "t"), ((1, "a"), (100, None), (True, "")), 3, kinds=("integer", "text")))
    assert text == "   n  t\n   1  a\n 100\ntrue"


def test_a_note_is_told_and_a_log_keeps_all_of_it():
    view = Table(("a",), ((1,),), 1, 0, ("integer",), "kept-1", "a note")
    assert from_json(as_json(view)) == view
    assert table_text(view).endswith("\na note")
