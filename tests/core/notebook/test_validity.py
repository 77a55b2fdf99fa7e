import json
import random

import nbformat
import pytest

from cellwright.errors import ToolError
from cellwright.notebook.cell import Cell
from cellwright.notebook.validity import problems_of, require_no_new

FRAME = {"metadata": {}, "nbformat": 4, "nbformat_minor": 5}
GOOD = {"cell_type": "markdown", "id": "a", "metadata": {}, "source": "x"}


def judged(*fields, **frame):
    cells = [Cell.of(index, json.dumps(one).encode()) for index, one in enumerate(fields)]
    return problems_of({**FRAME, **frame}, cells)


@pytest.mark.parametrize(
    "wrong",
    [
        {**GOOD, "extra": 1},
        {**GOOD, "source": 5},
        {**GOOD, "cell_type": "code"},
        {**GOOD, "cell_type": "sql"},
        {**GOOD, "id": "not an id!"},
        {"cell_type": "raw"},
    ],
)
def test_whatever_nbformat_refuses_is_a_problem_with_its_place(wrong):
    with pytest.raises(nbformat.ValidationError):
        nbformat.validate({**FRAME, "cells": [{**GOOD, "id": "b"}, {"id": "c", **wrong}]})
    found = judged({**GOOD, "id": "b"}, {"id": "c", **wrong})
    assert found
    assert all(str(problem).startswith("cell 1 (") for problem in found)


def test_a_valid_notebook_has_no_problems_and_a_frame_can_have_some():
    assert judged(GOOD) == ()
    assert "notebook: metadata" in str(judged(GOOD, metadata=5)[0])


def test_doubled_and_missing_ids_are_told_and_nothing_is_mended():
    fields = [GOOD, dict(GOOD), {key: value for key, value in GOOD.items() if key != "id"}]
    told = " ".join(map(str, judged(*fields)))
    assert "2 cells have the id 'a'" in told and "cell 2: 'id' is a required property" in told
    assert "id" not in fields[2] and fields[0]["id"] == fields[1]["id"]


@pytest.mark.parametrize("cell_type", [5, None, ["x"], {"a": 1}])
def test_a_cell_type_that_is_not_text_is_a_problem(cell_type):
    assert judged({**GOOD, "cell_type": cell_type})


def test_a_problem_that_only_moved_is_not_new():
    bad = {**GOOD, "id": "b", "extra": 1}
    require_no_new(judged(bad, GOOD), judged(GOOD, bad))


def test_a_second_problem_of_the_same_kind_is_new():
    bad, worse = {**GOOD, "id": "b", "extra": 1}, {**GOOD, "extra": 1}
    with pytest.raises(ToolError, match="cell 1"):
        require_no_new(judged(bad, GOOD), judged(bad, worse))


VALUES = (None, 5, 1.5, True, "", "x y", [], ["a", 1], {}, {"a": ["b"]}, [{"output_type": "stream"}])
OUTPUTS = (
    {"output_type": "stream", "name": "stdout", "text": ["a"]},
    {"output_type": "display_data", "metadata": {}, "data": {"text/plain": "a", "application/json": [1]}},
    {"output_type": "error", "ename": "E", "evalue": "e", "traceback": []},
)


def damaged(chooser):
    """A code cell, or one in which a member of it or of an output has another value or is missing."""
    outputs = [dict(output) for output in chooser.sample(OUTPUTS, 2)]
    cell = {"cell_type": "code", "execution_count": 1, "metadata": {"tags": ["a"]}, "outputs": outputs, "source": "x"}
    if chooser.random() < 0.5:
        victim = chooser.choice([cell, cell["metadata"], *outputs])
        key = chooser.choice([name for name in (*victim, "more") if name != "cell_type"])
        victim[key] = chooser.choice(VALUES)
    if chooser.random() < 0.1:
        cell.pop(chooser.choice(list(cell)))
    return cell


@pytest.mark.parametrize("minor", range(6))
def test_there_are_problems_exactly_where_nbformat_finds_some(minor):
    chooser, valid = random.Random(minor), 0
    for _ in range(30):
        cells = [damaged(chooser) for _ in range(2)]
        if minor > 4:
            cells = [{**cell, "id": f"c{index}"} for index, cell in enumerate(cells)]
        is_valid = nbformat.validator.isvalid({**FRAME, "nbformat_minor": minor, "cells": cells}, version=4)
        assert (judged(*cells, nbformat_minor=minor) == ()) == is_valid, cells
        valid += is_valid
    assert 0 < valid < 30
