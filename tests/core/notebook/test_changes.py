"""All that a change of a notebook touches is in what the person sees."""

import random

import pytest

from cellwright.notebook import NotebookDocument
from cellwright.notebook.changes import notebook_diff
from cellwright.views.notebook_diff import notebook_diff_text

from ..tools.notebooks import code, markdown, stream
from ..tools.test_cell_edit import document
from .test_document import Generated

KNOWN = document(code("a", "x\ny", [stream("1")], 7), markdown("b", "t", attachments={"p.png": {"image/png": "AA"}}))
FIRST, SECOND = KNOWN.cells


COUNTED = KNOWN.set_outputs(FIRST, [], 8)


def touched(after, before=KNOWN):
    return {cell.name: cell.touched for cell in notebook_diff(before, after).cells}


@pytest.mark.parametrize(
    ("after", "cells", "line"),
    [
        (KNOWN.replace_source(FIRST, "z"), {"a": ("source", "outputs")}, "- stdout: 1"),
        (KNOWN.clear_outputs(FIRST), {"a": ("outputs",)}, "outputs dropped:"),
        (COUNTED.clear_outputs(COUNTED.cells[0]), {"a": ("outputs",)}, "execution count: 8 → (none)"),
        (KNOWN.change_metadata(SECOND, {"tags": ["x"]}), {"b": ("tags",)}, "tags: (none) → x"),
        (KNOWN.change_metadata(SECOND, {"k": [True]}), {"b": ("metadata",)}, "metadata k: (none) → [true]"),
        (KNOWN.change_own_metadata({"m": {"a": 1}}), {}, 'm: (none) → {"a": 1}'),
        (KNOWN.delete(SECOND), {"b": ("deleted",)}, "attachment p.png: image/png, 1 bytes → (none)"),
        (KNOWN.change_type(FIRST, "raw"), {"a": ("type", "outputs")}, "type: code → raw"),
        (KNOWN.insert("code", "new", after=FIRST), {"new cell": ("added",)}, "+new"),
        (KNOWN.split(FIRST, 2), {"a": ("source", "outputs"), "new cell": ("added",)}, "+y"),
        (KNOWN.insert("raw", ""), {"new cell": ("added",)}, "note: its source is empty"),
    ],
    ids=range(11),
)
def test_each_kind_of_change_has_its_words(after, cells, line):
    before = COUNTED if "8" in line else KNOWN
    assert touched(after, before) == cells
    assert f"    {line}" in notebook_diff_text(notebook_diff(before, after)).split("\n")


def test_a_moved_cell_is_the_one_that_was_asked_to():
    after = KNOWN.move(FIRST, after=SECOND)
    (cell,) = notebook_diff(KNOWN, after, [0]).cells
    assert (cell.name, cell.touched, cell.old, cell.new, cell.where) == ("a", ("moved",), 0, 1, "after #0 b")
    assert cell.excerpt == "x\ny"


def test_no_change_has_no_cell():
    view = notebook_diff(KNOWN, KNOWN)
    assert (view.cells, view.facts, view.total) == ((), (), 2)


def test_a_cell_of_which_only_the_layout_differs_is_shown():
    spaced = NotebookDocument.parse(KNOWN.data.replace(b'"source": "t"', b'"source":  "t"'), "a.ipynb")
    assert touched(spaced) == {"b": ("other",)}


def test_new_values_are_whole_and_old_ones_cut():
    before = KNOWN.change_metadata(SECOND, {"k": "o" * 5_000})
    after = before.change_metadata(before.cells[1], {"k": "n" * 5_000})
    ((_, old, new),) = notebook_diff(before, after).cells[0].facts
    assert (len(old) < 400, new) == (True, '"' + "n" * 5_000 + '"')


def test_what_the_eye_misses_is_noted():
    after = KNOWN.replace_source(SECOND, "t ![x](https://evil.test/a.png)")
    assert "evil.test" in notebook_diff(KNOWN, after).cells[0].notes[0]
    assert "trailing blanks changed" in notebook_diff(KNOWN, KNOWN.replace_source(FIRST, "x \ny")).cells[0].notes


def edited(made, chosen):
    cell = chosen.choice(made.cells) if made.cells else None
    if cell is None:
        return made.insert("code", "first")
    edits = [
        lambda: made.replace_source(cell, "neu\n"),
        lambda: made.insert("markdown", "p", before=cell),
        lambda: made.delete(cell),
        lambda: made.move(cell, after=made.cells[-1]),
        lambda: made.clear_outputs(cell),
        lambda: made.change_metadata(cell, {"k": [chosen.random()]}),
        lambda: made.change_type(cell, "raw"),
        lambda: made.split(cell, 2) if "\n" in cell.source else made,
    ]
    return chosen.choice(edits)()


@pytest.mark.parametrize("seed", range(60))
def test_whatever_is_done_each_cell_whose_text_changes_is_shown(seed):
    chosen = random.Random(seed)
    before = after = NotebookDocument.parse(Generated(seed).data, "nb.ipynb")
    for _ in range(4):
        after = edited(after, chosen)
    view = notebook_diff(before, after)
    kept = {(cell.id, bytes(cell.raw)) for cell in before.cells} & {(cell.id, bytes(cell.raw)) for cell in after.cells}
    shown = {cell.old for cell in view.cells}, {cell.new for cell in view.cells}
    assert {cell.index for cell in before.cells if (cell.id, bytes(cell.raw)) not in kept} <= shown[0]
    assert {cell.index for cell in after.cells if (cell.id, bytes(cell.raw)) not in kept} <= shown[1]
    assert all(cell.touched for cell in view.cells)
    assert (view.cells == ()) == (before.data == after.data)
