"""Which cells a model wants to be run."""

import pytest

from cellwright.errors import ToolError
from cellwright.notebook.stored import StoredNotebook
from cellwright.tools.cell_choice import chosen_cells

from .notebooks import code, env, markdown, write

CELLS = [code("a", "1"), markdown("m", "text"), code("b", "2"), code("c", "3")]


def chosen(folder, *names, cells=CELLS, note=None, minor=5):
    write(folder, cells, minor)
    run = env(folder)
    stored = StoredNotebook.read("a.ipynb", run)
    if note is not None:
        run.ledger.note(stored.path, stored.document.cells[note].version, f"#{note}")
    return "".join(cell.source for cell in chosen_cells(stored, names, run))


def version(folder, index, cells=CELLS):
    write(folder, cells)
    return StoredNotebook.read("a.ipynb", env(folder)).document.cells[index].version


@pytest.mark.parametrize(
    ("names", "expected"),
    [(["b"], "2"), (["c", "a"], "13"), (["a..b"], "12"), (["a .. c"], "123"), (["m..c"], "23"), (["b..b", "a"], "12")],
)
def test_cells_are_named_one_by_one_or_as_a_range(tmp_path, names, expected):
    assert chosen(tmp_path, *names) == expected


@pytest.mark.parametrize(
    ("names", "error"),
    [
        ([], "invalid_arguments"),
        (["m"], "not_code"),
        (["zz"], "not_found"),
        (["a..zz"], "not_found"),
        (["c..a"], "invalid_arguments"),
        (["m..m"], "invalid_arguments"),
        ([".."], "not_found"),
        (["#9"], "invalid_index"),
        (["#2"], "version_required"),
        (["#0..#2"], "version_required"),
        (["#2@00000000"], "stale"),
    ],
)
def test_what_names_no_cell_to_run_is_refused(tmp_path, names, error):
    with pytest.raises(ToolError) as caught:
        chosen(tmp_path, *names)
    assert caught.value.code == error


def test_an_index_names_only_the_cell_that_was_read_there(tmp_path):
    first, last = version(tmp_path, 0), version(tmp_path, 2)
    assert chosen(tmp_path, f"#0@{first}..#2@{last}") == "12"
    assert chosen(tmp_path, "#2", note=2) == "2"
    with pytest.raises(ToolError) as caught:
        chosen(tmp_path, f"#2@{last}", cells=CELLS[1:])
    assert caught.value.code == "stale"


def test_an_id_that_looks_like_a_range_is_an_id(tmp_path):
    assert chosen(tmp_path, "a..b", cells=[code("a..b", "5"), code("a", "1"), code("b", "2")]) == "5"
