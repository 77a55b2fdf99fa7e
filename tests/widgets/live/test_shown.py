import pytest

from cellwright import UsageError
from cellwright.views.view import Table, Text, Tree
from cellwright_widgets import show
from cellwright_widgets.drawing.node import to_text
from cellwright_widgets.live.shown import Shown

from ..page import HOSTILE, Page, assert_harmless
from ..wire import WiredShown, pressed

ROWS = [{"name": f"r{n}", "n": n} for n in range(120)]


def frames():
    import pandas
    import polars
    import pyarrow

    return {
        "pandas": pandas.DataFrame(ROWS),
        "polars": polars.DataFrame(ROWS),
        "arrow": pyarrow.Table.from_pylist(ROWS),
    }


@pytest.mark.parametrize("library", ["pandas", "polars", "arrow", "list"])
def test_rows_in_any_form_are_a_table_that_pages_and_sorts(library):
    shown = WiredShown({**frames(), "list": ROWS}[library])
    message = shown.hear({"show": True})
    controls = pressed(message)
    assert "1–50 of 120 rows" in to_text(message["shown"])
    assert "101–120 of 120 rows" in shown.answer(controls["end"])
    assert "r119" in shown.answer({**controls["sort-1"], "down": True}).partition("r118")[0]


def test_of_a_million_rows_a_page_is_sent():
    import polars

    shown = WiredShown(polars.DataFrame({"n": range(1_000_000), "text": ["x"] * 1_000_000}))
    message = shown.hear({"show": True})
    assert "1–50 of 1,000,000 rows" in to_text(message["shown"])
    assert len(str(message)) < 60_000
    assert "999,951–1,000,000" in shown.answer(pressed(message)["end"])


def test_other_json_is_a_tree_that_unfolds():
    shown = WiredShown({f"key {n}": {"inner": n} for n in range(300)})
    assert isinstance(shown.view, Tree)
    more = pressed(shown.hear({"show": True}))["more"]
    assert "key 299" in shown.answer({**more, "from": 280})


@pytest.mark.parametrize("thing", [{text: [text, {text: None}] for text in HOSTILE}, [{"a": text} for text in HOSTILE]])
def test_what_stays_in_the_notebook_is_readable_and_harmless(thing):
    bundle = Shown(thing).record()
    page = Page(bundle["text/html"])
    assert_harmless(page)
    assert not {"button", "input"} & page.tags
    assert "<b>.txt" in page.text
    assert "<b>.txt" in bundle["text/plain"]


def test_a_view_is_shown_as_it_is_and_a_text_as_text():
    assert Shown(Text("a")).view == Text("a")
    assert Shown("a <b>").view == Text("a <b>")


def test_without_a_kernel_it_is_printed(capsys):
    show([{"name": "North", "n": 412}, {"name": "South", "n": 388}])
    assert capsys.readouterr().out.splitlines() == ["name     n", "North  412", "South  388"]


def test_what_has_no_form_is_refused_by_its_name():
    with pytest.raises(UsageError, match=r"object can't be shown .*show takes a run"):
        show(object())


def test_a_table_that_was_shown_says_what_is_not_there_when_it_stands_alone():
    shown = Shown(ROWS)
    assert isinstance(shown.view, Table)
    assert "70 more rows" in repr(shown)
