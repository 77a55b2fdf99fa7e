"""What a model learns of a notebook before it reads it."""

import json
from pathlib import Path

import pytest

from cellwright import ToolError
from cellwright.tools.notebook_edit import notebook_edit
from cellwright.tools.notebook_outline import notebook_outline
from cellwright.tools.notebook_patch import notebook_patch
from cellwright.tools.notebook_read import notebook_read
from cellwright.tools.notebook_search import notebook_search

from .notebooks import code, env, markdown, stream, write


def outline(path: Path):
    return notebook_outline.execute({"path": path.name}, env(path.parent))


def test_each_cell_has_one_line_with_id_version_type_and_first_line(tmp_path: Path):
    error = {"output_type": "error", "ename": "ValueError", "evalue": "x", "traceback": []}
    path = write(tmp_path, [markdown("top", "# Title\n\ntext"), code("calc", "1 / 0", [stream("a"), error], 3)])
    output = outline(path)
    lines = output.content.splitlines()
    assert lines[0] == "a.ipynb: 2 cells, python, nbformat 4.5"
    assert lines[1].startswith("top markdown") and lines[1].endswith("markdown: # Title (3 lines)")
    assert lines[2].endswith("code [3]: 1 / 0 -> stdout, error ValueError")
    assert [(cell["id"], cell["index"]) for cell in output.value["cells"]] == [("top", 0), ("calc", 1)]


def test_cells_without_ids_are_called_by_their_index(tmp_path: Path):
    path = write(tmp_path, [code(None, "x = 1")], minor=4)
    assert outline(path).value["cells"][0]["id"] == "#0"


def test_a_problem_of_the_file_is_told_with_its_place(tmp_path: Path):
    path = write(tmp_path, [code("a", "x") | {"strange": 1}])
    assert "strange" in outline(path).content.splitlines()[1]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "empty"),
        ("[]", "object"),
        ("{}", "nbformat"),
        ('{"cells": []}', "nbformat"),
        ("<<<<<<< mine\n", "conflict"),
    ],
)
def test_a_file_that_is_no_notebook_is_refused_with_path_and_reason(tmp_path: Path, text: str, told: str):
    (tmp_path / "a.ipynb").write_text(text)
    with pytest.raises(ToolError) as caught:
        outline(tmp_path / "a.ipynb")
    assert "a.ipynb" in caught.value.message
    assert told in caught.value.message


def test_a_path_outside_the_working_folder_is_refused(tmp_path: Path):
    with pytest.raises(ToolError, match="outside the working folder"):
        notebook_outline.execute({"path": "../a.ipynb"}, env(tmp_path))


OLD_CELL = {"cell_type": "code", "input": ["x = 1"], "language": "python", "outputs": [], "metadata": {}}
OLD = {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": [OLD_CELL]}]}


@pytest.mark.parametrize("tool", [notebook_outline, notebook_read, notebook_search])
def test_a_notebook_of_format_3_is_read_and_says_how_to_upgrade(tmp_path: Path, tool):
    (tmp_path / "a.ipynb").write_text(json.dumps(OLD))
    args = {"path": "a.ipynb", **({"pattern": "x"} if tool is notebook_search else {})}
    content = tool.execute(args, env(tmp_path)).content
    assert "x = 1" in content
    assert "format 3.0 can be read but not edited" in content
    assert "jupyter nbconvert --to notebook --nbformat 4 --inplace a.ipynb" in content


@pytest.mark.parametrize("tool", [notebook_edit, notebook_patch])
def test_a_notebook_of_format_3_is_not_edited(tmp_path: Path, tool):
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps(OLD))
    change = {"cell_id": "#0", "version": "0" * 8, "edit_mode": "delete"}
    with pytest.raises(ToolError, match="nbconvert") as caught:
        tool.execute({"path": "a.ipynb", **(change if tool is notebook_edit else {"edits": [change]})}, env(tmp_path))
    assert (caught.value.code, json.loads(path.read_text())) == ("unsupported", OLD)
