import time

import pandas as pd
import polars
import pytest

from cellwright.notebook.html_text import html_table, html_text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<h1>A &amp; B</h1><p>one<br>two <b>bold</b></p>", "A & B\n\none\ntwo bold"),
        ("<style>p {color: red}</style><script>steal()</script>seen", "seen"),
        ("<ul>\n  <li>x\n  <li>y\n</ul>", "x\n\ny"),
        ("<pre>def f():\n    return 1</pre>", "def f():\n    return 1"),
        ("<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>", "a | b\n1 | 2"),
        ("a < b and <unknown x=1>c", "a < b and c"),
        ("<img src=x onerror=alert(1)>", ""),
    ],
)
def test_what_a_reader_sees_is_left(html, text):
    assert [line for line in html_text(html).split("\n") if line] == [line for line in text.split("\n") if line]


def test_a_data_frame_becomes_a_table_with_its_total():
    frame = pd.DataFrame({"n": range(500), "name": ["ä"] * 500})
    table = html_table(frame._repr_html_())
    assert (table.columns, table.rows[1], table.total) == (("", "n", "name"), ("1", "1", "ä"), 500)


def test_levels_of_rows_and_columns_come_out_right():
    frame = (
        pd.DataFrame({"k": ["a", "a", "b"], "m": [1, 2, 1], "v": [1, 2, 3]})
        .groupby(["k", "m"])
        .agg({"v": ["sum", "max"]})
    )
    table = html_table(frame._repr_html_())
    assert table.columns == ("k", "m", "v / sum", "v / max")
    assert table.rows == (("a", "1", "1", "1"), ("a", "2", "2", "2"), ("b", "1", "3", "3"))


@pytest.mark.parametrize(
    "html", ["", "<p>text</p>", "<table></table>", "<table><tr><td>1</table><table><tr><td>2</table>"]
)
def test_anything_but_one_table_is_none(html):
    assert html_table(html) is None


def test_huge_spans_are_bounded():
    assert len(html_text("<table><tr><td colspan=999999999>x</td></tr></table>")) < 1_000


@pytest.mark.parametrize("words", ["", "x", "x" * 50_000])
def test_spans_over_spans_do_not_make_a_small_page_a_large_one(words):
    html = "<table>" + f"<tr><td colspan=100 rowspan=100>{words}</td></tr>" * 100 + "</table>"
    assert len(html_text(html)) < len(html) + 1_000_000
    table = html_table(html)
    assert table is None or sum(len(row) for row in table.rows) < 1_000_000


def test_cells_and_rows_may_leave_out_their_ends():
    table = html_table("<table><tr><th>a<th>b<tr><td>1<td>2<tr><td>3</table>")
    assert (table.columns, table.rows) == (("a", "b"), (("1", "2"), ("3", "")))


@pytest.mark.parametrize(
    ("rows", "columns", "shown"),
    [
        ("<tr><th>a<th>b<tr><th>c<th>d<tr><th>0<td>1", ("a / c", "b / d"), (("0", "1"),)),
        ("<tr><td>a<td>b<tr><td>1<td>2", ("", ""), (("a", "b"), ("1", "2"))),
        ("<tr><th>a<td>1<tr><th>b<td>2", ("", ""), (("a", "1"), ("b", "2"))),
        ("<tr><th>a<th>b", ("", ""), (("a", "b"),)),
        ("<thead><tr><td>a<tbody><tr><th>b<tr><td>1", ("a",), (("b",), ("1",))),
    ],
)
def test_rows_of_headings_alone_are_the_head_where_no_thead_says_it(rows, columns, shown):
    table = html_table(f"<table>{rows}</table>")
    assert (table.columns, table.rows) == (columns, shown)


def test_one_long_row_and_many_short_ones_are_no_table_but_text():
    html = "<table>" + "<tr>" + "<td>a" * 2_000 + "</tr>" + "<tr><td>b</td></tr>" * 2_000 + "</table>"
    assert (html_table(html), html_text(html).count("b")) == (None, 2_000)


@pytest.mark.parametrize("piece", ["<a ", "<a b='", "<a b=c ", "<!--", "<!", "<style", "<a '"])
def test_tags_without_an_end_are_text_and_hold_nobody_up(piece):
    started = time.thread_time()
    html_text("seen " + piece * 5_000)
    assert time.thread_time() - started < 5


def test_comments_are_not_seen_and_a_sign_that_begins_no_tag_is():
    assert html_text("a<!-- b < c > --> d 1 < 2 <b title='x > y'>e</b> <!-- f") == "a d 1 < 2 e"


@pytest.mark.parametrize("library", [pd, polars])
def test_a_frame_that_was_cut_says_that_its_other_rows_are_in_its_kernel(library):
    whole, cut = (html_table(library.DataFrame({"n": range(count)})._repr_html_()) for count in (3, 500))
    assert (whole.total, whole.note) == (3, "")
    assert (cut.total, "in its kernel alone" in cut.note) == (500, True)
