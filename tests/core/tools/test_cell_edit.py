"""What an edit of one cell says that it does."""

import json

import pytest

from cellwright import ToolError
from cellwright.notebook import NotebookDocument
from cellwright.tools.cell_change import CellChange
from cellwright.tools.cell_edit import delete, edit_within, insert_first, move, replace_source, way
from cellwright.tools.replacement import Replacement

from .notebooks import code, markdown, stream


def document(*cells):
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return NotebookDocument.parse(json.dumps(notebook).encode(), "a.ipynb")


def test_an_edit_within_a_cell_needs_the_one_place_and_clears_outputs():
    known = document(code("a", "x = x", [stream("1")], 1))
    edit = edit_within(known, known.cells[0], Replacement("= x", "= $1"))
    assert edit.document.cells[0].source == "x = $1"
    assert "outputs were cleared" in edit.done
    with pytest.raises(ToolError, match="2 times"):
        edit_within(known, known.cells[0], Replacement("x", "y"))
    everywhere = edit_within(known, known.cells[0], Replacement("x", "y", replace_all=True))
    assert everywhere.document.cells[0].source == "y = y"


def test_an_edit_keeps_the_cell_that_it_rests_on():
    known = document(code("a", "x"), markdown("b", "y"))
    first, second = known.cells
    assert replace_source(known, first, CellChange(new_source="z")).rests_on == (first,)
    assert move(known, first, second, "move_after").rests_on == (first, second)
    assert delete(known, second).document.cells == (first,)


def test_only_an_empty_notebook_takes_a_cell_without_a_place():
    assert len(insert_first(document(), CellChange("insert_after", new_source="x")).document.cells) == 1
    with pytest.raises(ToolError, match="Say where"):
        insert_first(document(code("a", "x")), CellChange("insert_after", new_source="x"))


def test_the_way_of_a_mode_is_its_last_word():
    assert (way("move_before"), way("insert_after")) == ("before", "after")
