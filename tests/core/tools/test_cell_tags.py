"""Tags and titles of cells."""

import pytest

from cellwright.notebook.document import NotebookDocument
from cellwright.tools.cell_tags import cell_title, tags

from .notebooks import code, write


def cell(folder, metadata, cell_id="a"):
    path = write(folder, [{**code(cell_id, "1"), "metadata": metadata}], minor=5 if cell_id else 4)
    return NotebookDocument.parse(path.read_bytes(), "a.ipynb").cells[0]


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({}, ()),
        ({"tags": ["never-run", "x"]}, ("never-run", "x")),
        ({"tags": "never-run"}, ()),
        ({"tags": [3]}, ("3",)),
    ],
)
def test_tags_are_read_as_they_stand_and_nothing_else_is_one(tmp_path, metadata, expected):
    assert tags(cell(tmp_path, metadata)) == expected


@pytest.mark.parametrize(("cell_id", "title"), [("a1", "#0 (id a1)"), (None, "#0")])
def test_a_title_has_the_index_and_the_id_if_there_is_one(tmp_path, cell_id, title):
    assert cell_title(cell(tmp_path, {}, cell_id)) == title
