"""A change of a notebook, drawn cell by cell."""

import pytest

from cellwright.text.text_diff import unified_diff
from cellwright.views.notebook_diff import CellDiff, NotebookDiff
from cellwright.views.table import table_view
from cellwright.views.view import Picture, Terminal, as_json
from cellwright_widgets.drawing.brush import APPROVAL, TRANSCRIPT
from cellwright_widgets.drawing.draw import draw
from cellwright_widgets.drawing.node import to_html, to_text
from cellwright_widgets.drawing.notebook_diff_view import draw_notebook_diff

from ..page import HOSTILE, Page, assert_harmless


def changed(name="load", old="x = total + 1\n", new="x = total + 2\n", **more):
    return CellDiff(name, "code", ("source",), old=3, new=3, unified=unified_diff(old, new, "a"), **more)


def drawn(*cells, brush=TRANSCRIPT, facts=()):
    return Page(to_html(draw_notebook_diff(NotebookDiff("a.ipynb", cells, 9, facts), brush, draw)))


def test_a_changed_cell_is_told_with_its_place_its_words_and_its_lines():
    page = drawn(changed(facts=(("tags", "a", "a, b"),), outputs_before=("stdout: 49",), notes=("tabs changed",)))
    told = " ".join(page.text.split())
    for words in (
        *("a.ipynb 1 cell changed +1 −1", "± #3 load source changed code", "note: tabs changed", "tags a → a, b"),
        *("- x = total + 1", "+ x = total + 2", "outputs dropped", "− stdout: 49"),
    ):
        assert words in told


def test_only_what_changed_in_a_line_is_marked():
    html = to_html(draw_notebook_diff(NotebookDiff("a", (changed(),), 1), TRANSCRIPT, draw))
    assert ('<del class="cw-word">1</del>' in html, '<ins class="cw-word">2</ins>' in html) == (True, True)


@pytest.mark.parametrize(
    ("touched", "words"),
    [(("added",), "+ #4 c added"), (("deleted",), "− #4 c deleted"), (("moved", "type"), "↕ #4 c moved, type changed")],
)
def test_what_happens_is_a_sign_and_a_word(touched, words):
    page = drawn(CellDiff("c", "code", touched, old=4, new=4, excerpt="import a"))
    assert words in " ".join(page.text.split())
    assert "import a" in page.text


def test_no_change_and_a_change_of_the_notebook_alone_say_so():
    assert drawn().text.strip() == "a.ipynb no change"
    assert 'title new: "T"' in " ".join(drawn(facts=(("title", "", '"T"'),)).text.split())


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_in_a_cell_becomes_more_than_text(text):
    cell = changed(
        text, text, "x" + text, where=text, facts=((text, text, text),), outputs_after=(text,), notes=(text,)
    )
    page = drawn(cell, facts=((text, "", text),))
    assert_harmless(page)


def test_many_cells_are_folded_and_counted_and_an_approval_shows_more():
    cells = [changed(f"c{number}", new=f"y{number}\n") for number in range(300)]
    for brush, shown in ((TRANSCRIPT, 10), (APPROVAL, 100)):
        page = drawn(*cells, brush=brush)
        assert f"{300 - shown} more cells of this change" in page.text
        assert all(f"c{number}" in page.text for number in range(300))


def test_hidden_characters_are_named():
    node = draw_notebook_diff(NotebookDiff("a", (changed(new="\u202ex\n"),), 1), APPROVAL, draw)
    assert "⟨U+202E⟩" in to_text(node)


def test_the_outputs_themselves_stand_before_and_after_and_a_damaged_one_does_no_harm():
    before = (as_json(table_view(["n"], [[7]])), as_json(Picture("image/png", "AAAA", "a chart")))
    after = (as_json(Terminal("49 rows")), {"kind": "nothing"}, {"kind": "terminal"})
    cell = changed(outputs_before=("table",), outputs_after=("text",), results_before=before, results_after=after)
    page = drawn(cell)
    told = " ".join(page.text.split())
    assert told.index("before") < told.index("a chart") < told.index("after") < told.index("49 rows")
    assert "td" in page.tags
    assert [attrs["src"] for tag, attrs in page.elements if tag == "img"] == ["data:image/png;base64,AAAA"]
    assert told.count("this output can't be drawn") == 2


def test_the_cells_stand_side_by_side_by_the_same_switch():
    page = drawn(changed())
    assert [attrs.get("class") for tag, attrs in page.elements if tag == "details"] == ["cw-columns"]
