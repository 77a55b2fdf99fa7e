"""The notebooks that are open before the person, and the steps that change them."""

import json
from pathlib import Path

import pytest

from cellwright import ToolError
from cellwright.runs.desk import (
    Annotate,
    Attach,
    Delete,
    Insert,
    Move,
    Results,
    Retype,
    Rewrite,
    ScriptedDesk,
    moved_on,
    step_json,
)

from ..tools.notebooks import code, markdown

PATH = Path("/somewhere/a.ipynb")


def desk(*cells) -> ScriptedDesk:
    return ScriptedDesk({PATH: {"cells": list(cells), "metadata": {"old": 1}, "nbformat": 4, "nbformat_minor": 5}})


def after(there: ScriptedDesk, *steps):
    """The document once these steps were made."""
    there.change(there.read(PATH), steps)
    return json.loads(there.read(PATH).data)


def test_on_an_empty_desk_the_file_counts():
    empty = ScriptedDesk()
    assert (empty.read(PATH), empty.before_writing(PATH)) == (None, "")


def test_a_file_that_is_open_elsewhere_is_not_to_be_written():
    with pytest.raises(ToolError) as caught:
        ScriptedDesk(elsewhere=[PATH]).before_writing(PATH)
    assert caught.value.code == "open_elsewhere"


MADE = [
    (Insert("n", "", code("n", "new")), ["n", "a", "b", "m"]),
    (Insert("n", "a", code("n", "new")), ["a", "n", "b", "m"]),
    (Delete("a", "1"), ["b", "m"]),
    (Delete("gone", "1"), ["a", "b", "m"]),
    (Move("m", "a"), ["a", "m", "b"]),
    (Move("b", ""), ["b", "a", "m"]),
]


@pytest.mark.parametrize(("step", "ids"), MADE)
def test_steps_say_where_a_cell_goes(step, ids):
    made = after(desk(code("a", "1"), code("b", "2"), markdown("m", "text")), step)
    assert [cell["id"] for cell in made["cells"]] == ids


CHANGED = [
    (Rewrite("a", "1", "10"), {"source": "10"}),
    (Rewrite("a", "0", "1"), {"source": "1"}),
    (Retype("a", "1", markdown("a", "1")), {"cell_type": "markdown"}),
    (Annotate("a", {"tags": ["t"]}), {"metadata": {"tags": ["t"]}}),
    (Attach("a", {"d.png": {}}), {"attachments": {"d.png": {}}}),
    (Results("a", "1", [{"output_type": "stream"}], 3), {"outputs": [{"output_type": "stream"}], "execution_count": 3}),
]


@pytest.mark.parametrize(("step", "values"), CHANGED)
def test_steps_change_what_they_name_of_a_cell(step, values):
    made = after(desk(code("a", "1"), code("b", "2")), step)
    assert {key: made["cells"][0][key] for key in values} == values
    assert made["cells"][1] == code("b", "2")


def test_the_notebook_has_metadata_of_its_own():
    assert after(desk(), Annotate("", {"new": 2}, ("old",)))["metadata"] == {"new": 2}


REFUSED = [
    Insert("n", "gone", code("n", "")),
    Insert("b", "a", code("b", "other")),
    Delete("a", "what was read"),
    Move("gone", ""),
    Move("a", "gone"),
    Rewrite("a", "what was read", "new"),
    Rewrite("gone", "1", "new"),
    Retype("a", "what was read", markdown("a", "")),
    Annotate("gone", {}),
    Attach("gone", {}),
    Results("a", "what was read", [], None),
    Results("m", "text", [], None),
]


@pytest.mark.parametrize("step", REFUSED)
def test_a_step_that_rests_on_what_is_not_there_stops_all_of_them(step):
    there = desk(code("a", "1"), code("b", "2"), markdown("m", "text"))
    before = there.read(PATH).data
    with pytest.raises(ToolError) as caught:
        after(there, Rewrite("b", "2", "20"), step)
    assert caught.value.code == moved_on("").code == "stale"
    assert there.read(PATH).data == before


def test_a_change_that_is_made_twice_is_made_once():
    there = desk(code("a", "1"), code("b", "2"))
    steps = (Rewrite("a", "1", "10"), Insert("n", "a", code("n", "new")), Delete("b", "2"))
    assert after(there, *steps) == after(there, *steps)


def test_a_step_is_sent_as_plain_json_that_says_what_to_do():
    sent = json.loads(json.dumps(step_json(Annotate("a", {"x": 1}, ("y",)))))
    assert sent == {"do": "annotate", "key": "a", "values": {"x": 1}, "gone": ["y"]}


def test_cells_without_ids_keep_the_names_they_got():
    there = desk(code(None, "1"), code(None, "2"))
    first, second = there.read(PATH).keys
    after(there, Move(second, ""))
    assert there.read(PATH).keys == (second, first)
