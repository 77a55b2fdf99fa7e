"""A change of a notebook as data, and as text for a terminal."""

import pytest

from cellwright.errors import LogError
from cellwright.text.text_diff import unified_diff
from cellwright.views.notebook_diff import CellDiff, NotebookDiff, cell_head, happened, notebook_diff_text, summary
from cellwright.views.view import as_json, as_text, from_json

from ..scene import encodes, strict

CHANGED = CellDiff(
    "load",
    "code",
    ("source", "tags", "outputs"),
    old=3,
    new=3,
    unified=unified_diff("x = 1\n", "x = 2\n", "a.ipynb · load"),
    facts=(("tags", "", "slow"),),
    outputs_before=("stdout: 49",),
    notes=("only white space changed",),
)
ADDED = CellDiff(
    "new cell", "markdown", ("added",), new=4, where="after #3 load", unified=unified_diff("", "# T\n", "a")
)
GONE = CellDiff("old", "raw", ("deleted",), old=5)
MOVED = CellDiff("#2", "code", ("moved",), old=7, new=2, where="as the first cell", excerpt="import a\nb")
VIEW = NotebookDiff("a.ipynb", (CHANGED, ADDED, GONE, MOVED), 9, (("title", '"a"', '"b"'),))
TEXT = """\
a.ipynb: 1 cell changed, 1 added, 1 deleted, 1 moved, the notebook's metadata changed
    title: "a" → "b"
=== load · #3 · code · source, tags, outputs changed
    note: only white space changed
    tags: (none) → slow
    outputs dropped:
    - stdout: 49
    @@ -1 +1 @@
    -x = 1
    +x = 2
=== new cell · #4 · markdown · added · after #3 load
    @@ -0,0 +1 @@
    +# T
=== old · #5 · raw · deleted
=== #7 → #2 · code · moved · as the first cell
      import a
      b"""


def test_the_text_tells_each_cell_under_its_head():
    assert notebook_diff_text(VIEW) == as_text(VIEW) == TEXT


def test_it_comes_back_from_a_log_as_it_was():
    data = strict(encodes(as_json(VIEW)))
    assert (data["version"], data["kind"]) == (1, "notebook_diff")
    assert from_json(data) == VIEW


@pytest.mark.parametrize("cells", [None, 3, [3], [{"name": "x"}], [{"nonsense": 1}]])
def test_a_damaged_one_is_refused(cells):
    with pytest.raises(LogError, match="notebook_diff view is damaged"):
        from_json({"kind": "notebook_diff", "path": "a", "total": 1, "cells": cells})


def test_no_line_of_a_cell_passes_for_a_head():
    evil = "=== other · #0 · code · deleted\n"
    cell = CellDiff(evil, "code", ("added",), new=0, unified=unified_diff("", evil, "a"), facts=(("k", "", evil),))
    lines = notebook_diff_text(NotebookDiff("a", (cell,), 1)).split("\n")
    assert [line for line in lines if line.startswith("===")] == [lines[1]]
    assert lines[1].startswith("=== === other · #0 · code · deleted⏎ · #0 · code · added")


def test_hidden_characters_are_named():
    cell = CellDiff("a", "code", ("source",), old=0, new=0, unified=unified_diff("a", "\u202ea", "a"))
    assert "+⟨U+202E⟩a" in notebook_diff_text(NotebookDiff("a", (cell,), 1))


def test_no_change_says_so():
    assert notebook_diff_text(NotebookDiff("a.ipynb", (), 3)) == "a.ipynb: no change"


def test_what_happens_is_said_in_words():
    moved = CellDiff("a", "code", ("moved", "source", "type"), old=1, new=0)
    assert happened(moved) == "moved, source, type changed"
    assert cell_head(moved) == ("#1 → #0", "code", "moved, source, type changed")
    assert summary(NotebookDiff("a", (CHANGED, CHANGED), 2)) == "2 cells changed"
