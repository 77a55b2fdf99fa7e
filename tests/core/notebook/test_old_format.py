import json

import pytest

from cellwright.errors import ToolError
from cellwright.notebook.old_format import read_old

OUTPUTS = [
    {"output_type": "pyout", "prompt_number": 1, "metadata": {}, "text": ["2"]},
    {"output_type": "stream", "stream": "stdout", "text": ["hi\n", "there"]},
    {"output_type": "pyerr", "ename": "E", "evalue": "v", "traceback": ["t"]},
]
CODE = {"cell_type": "code", "collapsed": False, "input": ["x\n", "y"], "language": "python", "metadata": {}}
CELLS = [
    {**CODE, "prompt_number": 1, "outputs": OUTPUTS},
    {"cell_type": "heading", "level": 2, "metadata": {}, "source": ["H é"]},
]
NOTEBOOK = {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": "n"}, "worksheets": [{"cells": CELLS}]}


def written(**changes):
    return json.dumps({**NOTEBOOK, **changes}, ensure_ascii=False).encode("utf-8", "surrogatepass")


def test_cells_and_outputs_of_format_3_are_read_as_those_of_format_4():
    document, own = read_old(written(), "nb.ipynb")
    assert own == "3.0"
    assert [(cell.cell_type, cell.source) for cell in document.cells] == [("code", "x\ny"), ("markdown", "## H é")]
    assert [output["output_type"] for output in document.cells[0].outputs] == ["execute_result", "stream", "error"]
    assert document.problems == ()


def test_cells_get_no_ids_so_that_two_readings_are_the_same():
    first, second = read_old(written(), "nb.ipynb")[0], read_old(written(), "nb.ipynb")[0]
    assert first.data == second.data
    assert all(cell.id is None for cell in first.cells)


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b'{"nbformat": 4}', b'{"nbformat": 5}', b"\xff"])
def test_what_is_of_no_old_format_is_left_to_others(data):
    assert read_old(data, "nb.ipynb") is None


@pytest.mark.parametrize("worksheets", ["x", [{}], None, [{"cells": [{"cell_type": "code"}]}]])
def test_a_file_that_only_says_that_it_is_one_is_refused_with_path_and_reason(worksheets):
    with pytest.raises(ToolError, match=r"nb\.ipynb says it is a notebook of format 3") as caught:
        read_old(written(worksheets=worksheets), "nb.ipynb")
    assert caught.value.code == "not_a_notebook"
