import json

import pytest

from cellwright.errors import ToolError
from cellwright.notebook import NotebookDocument
from cellwright.notebook.seam import united_tags

from .test_document import Generated, code, markdown, parsed


def refusal(act):
    with pytest.raises(ToolError) as caught:
        act()
    return caught.value.code, caught.value.message


def same_around(before, after, place):
    """The bytes before the cell of this place and after it are the same."""
    start, end = before.parts, after.parts
    same_cells = [c.text for c in before.cells[:place]] == [c.text for c in after.cells[:place]]
    rest = len(before.cells) - place - 1
    same_rest = [c.text for c in before.cells[place + 1 :]] == [c.text for c in after.cells[len(after.cells) - rest :]]
    return (start.head, start.tail, start.bom, same_cells, same_rest) == (end.head, end.tail, end.bom, True, True)


@pytest.mark.parametrize("seed", range(60))
def test_a_split_touches_one_cell_and_a_merge_takes_it_back(seed):
    document = NotebookDocument.parse(Generated(seed).data, "nb.ipynb")
    for place, cell in enumerate(document.cells):
        cleared = document.clear_outputs(cell)
        cell = cleared.cells[place]
        for line in range(2, cell.source.count("\n") + 2):
            halves = cleared.split(cell, line)
            assert same_around(document, halves, place)
            assert NotebookDocument.parse(halves.data, "nb.ipynb").data == halves.data
            again = halves.merge(halves.cells[place])
            assert again.cells[place].members.keys() == cell.members.keys()
            assert again.cells[place].source == cell.source
            assert same_around(document, again, place)


def test_a_split_of_a_notebook_as_jupyter_writes_it_is_undone_to_the_byte():
    pictures = {"d.png": {"image/png": "AAAA"}}
    document = parsed([code("a", ["é = 1\n", "\n", "b\n", "c"]), markdown("m", ["x\n", "y"], attachments=pictures)])
    for place, lines in ((0, (2, 3, 4)), (1, (2,))):
        for line in lines:
            halves = document.split(document.cells[place], line)
            assert halves.merge(halves.cells[place]).data == document.data


def test_both_halves_keep_tags_attachments_and_unknown_keys_and_the_second_gets_an_id():
    made = {**code("a", ["x\n", "y"]), "metadata": {"tags": ["never-run"]}, "strange": 1}
    document = parsed([made])
    first, second = json.loads(document.split(document.cells[0], 2).data)["cells"]
    assert (first["source"], second["source"], first["id"]) == (["x"], ["y"], "a")
    assert second["metadata"] == {"tags": ["never-run"]}
    assert second["strange"] == 1
    assert second["id"] not in ("a", None)


def test_no_id_is_added_where_the_format_has_none():
    made = [{key: value for key, value in code("", ["x\n", "y"]).items() if key != "id"}]
    document = parsed(made, minor=4)
    assert b'"id"' not in document.split(document.cells[0], 2).data


def test_joining_unites_tags_and_attachments_and_keeps_what_the_first_says():
    first = {**markdown("a", ["1"], attachments={"p": {}}), "metadata": {"tags": ["x"], "k": 1}}
    second = {**markdown("b", ["2"], attachments={"q": {}}), "metadata": {"tags": ["y", "x"], "k": 2, "n": 3}}
    document = parsed([first, second])
    (cell,) = document.merge(document.cells[0]).cells
    assert (cell.source, cell.id, cell.attachments) == ("1\n2", "a", {"p": {}, "q": {}})
    assert cell.metadata == {"tags": ["x", "y"], "k": 1, "n": 3}
    assert united_tags(*document.cells) == ["x", "y"]


def test_what_can_not_be_joined_without_a_loss_is_refused():
    one = markdown("a", ["1"], attachments={"p": {"image/png": "A"}})
    two = markdown("b", ["2"], attachments={"p": {"image/png": "B"}})
    document = parsed([one, two, code("c", ["3"])])
    assert refusal(lambda: document.merge(document.cells[0]))[0] == "invalid_notebook"
    assert "change the type" in refusal(lambda: document.merge(document.cells[1]))[1]
    assert refusal(lambda: document.merge(document.cells[2]))[0] == "invalid_position"
