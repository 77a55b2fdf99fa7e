import json

import pytest

from cellwright.errors import ToolError
from cellwright.notebook.address import find_cell
from cellwright.notebook.cell import Cell


def cells(*ids):
    made = [{"cell_type": "code", "source": f"v = {index}", "id": name} for index, name in enumerate(ids)]
    return [Cell.of(index, json.dumps(fields).encode()) for index, fields in enumerate(made)]


def refusal(known, cell_id, version=None):
    with pytest.raises(ToolError) as caught:
        find_cell(known, cell_id, version)
    return caught.value.code, caught.value.message


def test_an_id_that_looks_like_an_index_is_an_id():
    known = cells("1", "0", "abc")
    assert find_cell(known, "0", None).index == 1
    assert find_cell(known, "0", known[1].version).index == 1


@pytest.mark.parametrize("wrong", ["cell-0", "ABC", "nope", "2", "", "#", "# 1", "#\uff11"])
def test_an_unknown_id_is_refused_and_the_existing_ones_are_listed(wrong):
    code, message = refusal(cells("1", "0", "abc"), wrong)
    assert code == "not_found"
    assert "'1', '0', 'abc'" in message


def test_the_nearest_id_is_named_in_a_long_notebook():
    known = cells(*(f"{number:08x}" for number in range(100)), "Plot-Data")
    code, message = refusal(known, "plot-dta")
    assert (code, "Nearest: 'Plot-Data'" in message, "71 more" in message) == ("not_found", True, True)


def test_a_stale_version_is_refused_with_the_new_version_and_text():
    known = cells("a", "b")
    code, message = refusal(known, "b", "00000000")
    assert code == "stale"
    assert known[1].version in message and "v = 1" in message


def test_an_index_needs_a_version():
    known = cells(None, None)
    assert find_cell(known, "#1", known[1].version) is known[1]
    assert refusal(known, "#1")[0] == "version_required"
    assert refusal(known, "#1", known[0].version)[0] == "stale"


@pytest.mark.parametrize("index", [-1, 5, 99])
def test_an_index_out_of_range_is_named_with_the_number_of_cells(index):
    code, message = refusal(cells("a", "b", "c", "d", "e"), f"#{index}", "00000000")
    assert code == "invalid_index"
    assert f"#{index}" in message and "5 cells" in message


def test_an_id_of_two_cells_is_ambiguous_until_one_is_named_by_index():
    known = cells("a", "b", "a")
    code, message = refusal(known, "a", known[0].version)
    assert code == "ambiguous"
    assert f"#2 (version {known[2].version})" in message
    assert find_cell(known, "#2", known[2].version).index == 2


def test_a_notebook_without_ids_says_how_to_name_a_cell():
    assert "use #INDEX" in refusal(cells(None), "a")[1]
    assert "no cells" in refusal([], "a")[1]
