"""The lines of a notebook's cells that match, and what is said where none does."""

from pathlib import Path

import pytest

from cellwright import ToolError
from cellwright.notebook.stored import StoredNotebook
from cellwright.tools.notebook_edit import notebook_edit
from cellwright.tools.notebook_search import OUTPUT_ROOM, notebook_search

from .notebooks import PIXEL, code, env, markdown, stream, write

FAILED = {"output_type": "error", "ename": "KeyError", "evalue": "'total'", "traceback": ["\x1b[31mKeyError\x1b[0m"]}
SHOWN = {"output_type": "display_data", "metadata": {}, "data": {"image/png": PIXEL, "text/plain": "<Figure>"}}


@pytest.fixture
def notebook(tmp_path: Path) -> Path:
    made = [
        markdown("top", "# Sales\n\nthe total"),
        code("sum", "a = 1\ntotal = a", [stream("total: 1\nok"), FAILED], 3),
    ]
    return write(tmp_path, [*made, code("plot", "show()", [SHOWN])])


def search(path: Path, pattern: str, surroundings=None, **more):
    args = {"path": path.name, "pattern": pattern, **more}
    assert notebook_search.input_schema.problems(args) == ()
    return notebook_search.execute(args, surroundings or env(path.parent))


def places(output):
    return [(match["id"], match["where"], match["line"]) for match in output.value["matches"]]


def test_sources_outputs_and_errors_are_searched_and_each_line_names_its_cell(notebook: Path):
    output = search(notebook, "total")
    expected = [("top", "source", 3), ("sum", "source", 2), ("sum", "output", 1), ("sum", "error", 1)]
    assert places(output) == expected
    version = StoredNotebook.read("a.ipynb", env(notebook.parent)).document.cells[1].version
    assert output.value["matches"][1]["version"] == version
    assert "sum code\n  source:2: total = a\n  output:1: total: 1\n  error:1: " in output.content


def test_pictures_are_no_text_and_no_match_says_how_many_cells_were_searched(notebook: Path):
    output = search(notebook, PIXEL[:20])
    assert (output.value["matches"], output.content) == (
        [],
        f"no match for {PIXEL[:20]!r}: 3 cells searched in a.ipynb",
    )


def test_the_syntax_is_that_of_search_code(notebook: Path):
    assert places(search(notebook, r"^(?=t)\w+ =")) == [("sum", "source", 2)]
    assert places(search(notebook, "SALES", ignore_case=True)) == [("top", "source", 1)]
    for pattern, told in (("(", "at character 1"), ("", "must not be empty"), ("a\n", "line break")):
        with pytest.raises(ToolError, match=told) as caught:
            search(notebook, pattern)
        assert caught.value.code == "invalid_pattern"


def test_what_is_beyond_the_limit_is_counted(notebook: Path):
    output = search(notebook, "a", limit=1)
    assert len(output.value["matches"]) == 1
    assert f"{output.value['total'] - 1} more matching lines" in output.content


def test_odd_lines_keep_their_numbers(tmp_path: Path):
    path = write(tmp_path, [code("a", "\ufeffx\u2028y\x0c\r\n'?\0'\nhit\n\n" + "z" * 5000 + "hit")])
    path.write_text(path.read_text().replace("?", "\\ud800"))
    output = search(path, "hit")
    assert places(output) == [("a", "source", 3), ("a", "source", 5)]
    assert "(cut: the line has 5,003 characters)" in output.value["matches"][1]["text"]


def test_a_huge_output_is_searched_at_its_beginning_and_says_so(tmp_path: Path):
    lines = "".join(f"{number}\n" for number in range(OUTPUT_ROOM // 6))
    path = write(tmp_path, [code("a", "x", [stream(f"first\n{lines}last")])])
    output = search(path, "first|last")
    assert places(output) == [("a", "output", 1)]
    assert "characters of the output of cell a, after the first 2,000,000" in output.content


def test_an_empty_notebook_and_one_without_ids_are_searched(tmp_path: Path):
    assert search(write(tmp_path, []), "x").value["total"] == 0
    assert places(search(write(tmp_path, [code(None, "x")], minor=4), "x")) == [("#0", "source", 1)]


def test_a_cell_that_was_found_counts_as_read(notebook: Path):
    surroundings = env(notebook.parent)
    search(notebook, "show", surroundings)
    args = {"path": "a.ipynb", "cell_id": "plot", "new_source": "show(1)"}
    assert notebook_edit.unread(args, surroundings) is None
    assert notebook_edit.unread({**args, "cell_id": "top"}, surroundings) is not None
