"""The code of a notebook, each cell in its language, line for line."""

import json

import pytest

from cellwright.notebook.stored import StoredNotebook
from cellwright.outline.code_cells import code_cells

from ..tools.notebooks import code, env, markdown, write


def read(folder, cells, minor=5, **metadata):
    path = write(folder, cells, minor)
    document = json.loads(path.read_text())
    path.write_text(json.dumps({**document, "metadata": metadata}))
    found = code_cells(StoredNotebook.read_any("a.ipynb", env(folder)))
    return [(source.name, source.language.name, source.text) for _, source in found]


def test_code_cells_are_read_and_others_are_not(tmp_path):
    cells = [code("a", "x = 1"), markdown("b", "def f(): ..."), code("c", " \n")]
    assert read(tmp_path, cells) == [("a", "python", "x = 1")]


def test_a_cell_without_an_id_is_called_by_its_index(tmp_path):
    assert read(tmp_path, [markdown(None, "m"), code(None, "x = 1")], minor=4)[0][0] == "#1"


@pytest.mark.parametrize(
    "magic", ["%matplotlib inline", "!pip install x", "  !ls", "x?", "a.b??", "?x", "%%time", "%%capture out"]
)
def test_what_only_ipython_understands_leaves_a_blank_line(tmp_path, magic):
    assert read(tmp_path, [code("a", f"{magic}\ny = a % 2")]) == [("a", "python", "\ny = a % 2")]


@pytest.mark.parametrize(("first", "language"), [("%%R -i x", "r"), ("%%sql", "sql"), ("%%js", "javascript")])
def test_a_cell_may_say_another_language(tmp_path, first, language):
    assert read(tmp_path, [code("a", f"\n{first}\n%x")]) == [("a", language, "\n\n%x")]


@pytest.mark.parametrize("first", ["%%bash", "%%html", "%%writefile a.py"])
def test_a_cell_of_an_unknown_language_is_left_out(tmp_path, first):
    assert read(tmp_path, [code("a", f"{first}\nf")]) == []


def test_a_notebook_of_another_language_is_read_in_it(tmp_path):
    assert read(tmp_path, [code("a", "%x%")], kernelspec={"language": "R", "name": "ir"}) == [("a", "r", "%x%")]
    assert read(tmp_path, [code("a", "x")], language_info={"name": "bash"}) == []
