import json

import pytest

from cellwright import Env
from cellwright.notebook.stored import StoredNotebook

CELL = {"cell_type": "code", "execution_count": None, "id": "a", "metadata": {}, "outputs": [], "source": "x = 1"}
TWIN = (
    "Jupytext pairs it with a text file ({}), whose cells count when Jupyter opens it; to carry this edit over run: "
    "jupytext --sync a.ipynb"
)


def edited(folder, formats, source="x = 2", outputs=()):
    """What is said of an edit of a notebook with these formats."""
    (folder / "a.ipynb").write_text(
        json.dumps({"cells": [CELL], "metadata": {"jupytext": formats}, "nbformat": 4, "nbformat_minor": 5})
    )
    stored = StoredNotebook.read("a.ipynb", Env(folder.resolve()))
    document = stored.document.replace_source(stored.document.cells[0], source)
    document = document.set_outputs(document.cells[0], outputs, 1) if outputs else document
    return stored.write(document, Env(folder.resolve())).note


@pytest.mark.parametrize(
    ("formats", "twins"),
    [({"formats": "ipynb,py:percent"}, "py"), ({"formats": "notebooks///ipynb,scripts///py:light"}, "scripts///py")],
)
def test_an_edit_of_a_paired_notebook_tells_of_its_twin(tmp_path, formats, twins):
    (tmp_path / "a.py").write_text("x = 1\n")
    assert edited(tmp_path, formats) == TWIN.format(twins)


@pytest.mark.parametrize(
    "formats",
    [
        *({"formats": given} for given in ("ipynb,py", "ipynb", 3, "ipynb,." + "a" * 300, "a/\nb,a/`c`", "..,py\\x")),
        {},
        None,
        "py",
    ],
)
def test_a_notebook_without_a_twin_is_none(tmp_path, formats):
    assert edited(tmp_path, formats) == ""


def test_new_outputs_are_no_business_of_the_twin(tmp_path):
    (tmp_path / "a.py").write_text("x = 1\n")
    outputs = [{"output_type": "stream", "name": "stdout", "text": "1"}]
    assert edited(tmp_path, {"formats": "ipynb,py"}, "x = 1", outputs) == ""
