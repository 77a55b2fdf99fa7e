"""What differs between two states of a notebook becomes steps that make the one of the other."""

import json
from pathlib import Path
from random import Random

import pytest

from cellwright.notebook import NotebookDocument
from cellwright.notebook.steps import steps_between
from cellwright.runs.desk import Annotate, Delete, Insert, Move, Results, Retype, Rewrite, ScriptedDesk

from ..tools.notebooks import code, markdown, stream

PATH = Path("/somewhere/a.ipynb")
CELLS = [code("a", "1", [stream("1")], 3), code("b", "2"), markdown("m", "text"), code("c", "3")]


def notebook(cells, minor=5):
    return {"cells": cells, "metadata": {"title": "t"}, "nbformat": 4, "nbformat_minor": minor}


def document(sheet) -> NotebookDocument:
    return NotebookDocument.parse(sheet.data, "a.ipynb")


def said(found: NotebookDocument):
    return [found.metadata, *({**json.loads(cell.text), "source": cell.source} for cell in found.cells)]


def made(change, cells=CELLS, minor=5):
    """The steps of a change, once it is sure that they lead where it leads."""
    desk = ScriptedDesk({PATH: notebook(cells, minor)})
    sheet = desk.read(PATH)
    before = document(sheet)
    wanted = change(before)
    steps = steps_between(before, wanted, sheet.keys)
    desk.change(sheet, steps)
    assert said(document(desk.read(PATH))) == said(wanted)
    return steps


KINDS = [
    (lambda d: d, []),
    (lambda d: d.replace_source(d.cells[1], "20"), [Rewrite]),
    (lambda d: d.replace_source(d.cells[0], "10"), [Rewrite, Results]),
    (lambda d: d.insert("code", "new", before=d.cells[0]), [Insert]),
    (lambda d: d.insert("markdown", "new"), [Insert]),
    (lambda d: d.delete(d.cells[1]), [Delete]),
    (lambda d: d.move(d.cells[0], after=d.cells[3]), [Move]),
    (lambda d: d.move(d.cells[3], before=d.cells[0]), [Move]),
    (lambda d: d.change_type(d.cells[1], "markdown"), [Retype]),
    (lambda d: d.change_metadata(d.cells[1], {"tags": ["t"]}), [Annotate]),
    (lambda d: d.change_own_metadata({"title": None, "by": "me"}), [Annotate]),
    (lambda d: d.set_outputs(d.cells[1], [stream("2\n2\n")], 4), [Results]),
    (lambda d: d.clear_outputs(d.cells[0]), [Results]),
    (lambda d: d.merge(d.cells[0]), [Delete, Rewrite, Results]),
    (
        lambda d: d.replace_source(d.cells[1], "1\n2").split(d.replace_source(d.cells[1], "1\n2").cells[1], 2),
        [Rewrite, Insert],
    ),
]


@pytest.mark.parametrize(("change", "kinds"), KINDS)
def test_each_kind_of_change_has_its_steps(change, kinds):
    assert [type(step) for step in made(change)] == kinds


@pytest.mark.parametrize("minor", [4, 5])
def test_a_cell_that_is_the_same_in_both_is_in_no_step(minor):
    cells = CELLS if minor == 5 else [{k: v for k, v in cell.items() if k != "id"} for cell in CELLS]
    steps = made(lambda d: d.replace_source(d.cells[1], "something else entirely"), cells, minor)
    assert [type(step) for step in steps] == [Rewrite]


def test_outputs_are_sent_with_their_texts_in_one_piece():
    data = {"text/html": "<b>\n</b>", "application/json": [1, 2]}
    outputs = [stream("1\n2\n"), {"output_type": "display_data", "data": data, "metadata": {}}]
    listed = notebook([{**code("a", "1"), "source": ["1"]}])  # as Jupyter writes files
    before = NotebookDocument.parse(json.dumps(listed).encode(), "a.ipynb")
    (step,) = steps_between(before, before.set_outputs(before.cells[0], outputs, 1), ["a"])
    assert step == Results("a", "1", outputs, 1)


CHANGES = [
    lambda d, cell, other: d.delete(cell),
    lambda d, cell, other: d.move(cell, before=other),
    lambda d, cell, other: d.move(cell, after=other),
    lambda d, cell, other: d.insert("code", f"new {len(d.cells)}", after=cell),
    lambda d, cell, other: d.replace_source(cell, cell.source + " more"),
    lambda d, cell, other: d.change_metadata(cell, {"tags": [cell.source]}),
]


@pytest.mark.parametrize("seed", range(12))
def test_any_changes_in_a_row_come_out_as_they_would_in_the_file(seed):
    chance = Random(seed)
    minor = chance.choice([4, 5])
    cells = [code(f"c{i}" if minor == 5 else None, f"cell {i}") for i in range(8)]

    def change(found: NotebookDocument) -> NotebookDocument:
        for _ in range(6):
            found = chance.choice(CHANGES)(found, chance.choice(found.cells), chance.choice(found.cells))
        return found

    made(change, cells, minor)
