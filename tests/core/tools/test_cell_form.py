"""What a change of a cell's form says that it does."""

from cellwright.tools.cell_change import CellChange
from cellwright.tools.cell_form import change_metadata, change_tags, change_type, clear_outputs, merge, split

from .notebooks import code, markdown, stream
from .test_cell_edit import document


def test_a_split_and_a_merge_name_both_cells_and_what_is_cleared():
    known = document(code("a", "x\ny", [stream("1")], 1), code("b", "z"))
    edit = split(known, known.cells[0], 2)
    assert [cell.source for cell in edit.document.cells] == ["x", "y", "z"]
    assert f"the new cell {edit.document.cells[1].id} at #1" in edit.done
    assert edit.done.endswith("1 output was cleared.")
    assert merge(known, *known.cells).done.startswith("Merged cell b into cell a (#0)")


def test_tags_are_added_once_and_the_last_one_leaves_nothing():
    known = document(code("a", "x"))
    more = change_tags(known, known.cells[0], CellChange(add_tags=["p", "q", "p"])).document
    assert more.cells[0].metadata == {"tags": ["p", "q"]}
    assert change_tags(more, more.cells[0], CellChange(add_tags=["q"])).document is more
    none = change_tags(more, more.cells[0], CellChange(remove_tags=["p", "q", "r"])).document
    assert none.data == known.data


def test_metadata_without_a_cell_is_the_notebooks_own():
    known = document(markdown("a", "x"))
    assert change_metadata(known, None, {"k": 1}).document.metadata == {"k": 1}
    assert change_metadata(known, known.cells[0], {"k": 1}).document.cells[0].metadata == {"k": 1}


def test_clearing_all_counts_the_cells_that_had_something():
    known = document(code("a", "x", [stream("1")], 1), code("b", "y"), markdown("c", "z"))
    assert clear_outputs(known, None).done == "Cleared the outputs of 1 cell."
    assert clear_outputs(known, known.cells[1]).document is known


def test_a_code_cell_made_markdown_says_that_its_outputs_are_gone():
    known = document(code("a", "x", [stream("1"), stream("2")], 1))
    assert change_type(known, known.cells[0], "markdown").done.endswith("2 outputs were cleared.")
