"""An edit is worked out on the file as it is now, from cells as they were read."""

from pathlib import Path

import pytest

from cellwright import ToolError
from cellwright.notebook.stored import StoredNotebook, note_cells
from cellwright.tools.cell_change import CellChange
from cellwright.tools.edit_plan import unread, work_out_all
from cellwright.tools.notebook_edit import notebook_edit
from cellwright.tools.notebook_patch import notebook_patch

from .notebooks import cells, code, env, markdown, write


def read(path: Path):
    """Surroundings in which all cells have been read."""
    surroundings = env(path.parent)
    note_cells(path.resolve(), StoredNotebook.read(path.name, surroundings).document.cells, surroundings)
    return surroundings


def changed_by_another(path: Path, **sources):
    made = [{**cell, "source": sources.get(cell.get("id"), cell["source"])} for cell in cells(path)]
    write(path.parent, [markdown("new", "from elsewhere"), *made], name=path.name)


@pytest.mark.parametrize("tool", [notebook_edit, notebook_patch])
def test_what_others_changed_in_other_cells_is_kept_and_the_edit_is_made(tmp_path: Path, tool):
    path = write(tmp_path, [code("a", "x = 1"), code("b", "y = 1"), code("c", "z = 1")])
    surroundings = read(path)
    changed_by_another(path, b="y = 2")
    change = {"cell_id": "a", "new_source": "x = 3"}
    tool.execute({"path": path.name, **(change if tool is notebook_edit else {"edits": [change]})}, surroundings)
    assert [cell["source"] for cell in cells(path)] == ["from elsewhere", "x = 3", "y = 2", "z = 1"]


@pytest.mark.parametrize("tool", [notebook_edit, notebook_patch])
def test_an_edit_of_a_cell_that_others_changed_is_refused_with_its_new_text(tmp_path: Path, tool):
    path = write(tmp_path, [code("a", "x = 1"), code("b", "y = 1")])
    surroundings = read(path)
    changed_by_another(path, a="x = 'theirs'")
    before = path.read_bytes()
    change = {"cell_id": "a", "new_source": "x = 3"}
    with pytest.raises(ToolError, match="x = 'theirs'") as caught:
        tool.execute({"path": path.name, **(change if tool is notebook_edit else {"edits": [change]})}, surroundings)
    assert (caught.value.code, path.read_bytes()) == ("stale", before)


def test_an_index_needs_its_version_even_if_the_cell_was_read(tmp_path: Path):
    path = write(tmp_path, [code(None, "x = 1"), code(None, "x = 1")], minor=4)
    surroundings = read(path)
    for tool, args in ((notebook_edit, {}), (notebook_patch, {"edits": [{"cell_id": "#1", "edit_mode": "delete"}]})):
        args = args or {"cell_id": "#1", "edit_mode": "delete"}
        with pytest.raises(ToolError) as caught:
            tool.execute({"path": path.name, **args}, surroundings)
        assert caught.value.code == "version_required"


def test_an_empty_version_is_a_version_that_fits_no_cell(tmp_path: Path):
    path = write(tmp_path, [code("a", "x = 1")])
    with pytest.raises(ToolError, match="x = 1") as caught:
        notebook_edit.execute({"path": path.name, "cell_id": "a", "version": "", "new_source": ""}, read(path))
    assert caught.value.code == "stale"


def test_a_cell_that_was_not_read_is_named_before_anything_is_worked_out(tmp_path: Path):
    path = write(tmp_path, [code("a", "x = 1")])
    assert "cell 'a' of a.ipynb was not read" in (unread("a.ipynb", [{"cell_id": "a"}], env(tmp_path)) or "")
    assert unread("a.ipynb", [{"cell_id": "a"}], read(path)) is None
    assert unread("a.ipynb", [{"cell_id": "a", "version": "0"}, {"edit_mode": "metadata"}], env(tmp_path)) is None


@pytest.mark.parametrize(("cell_id", "reason"), [("A1", "Nearest: 'a'"), ("", "Existing ids: 'a'"), ("#7", "1 cell")])
def test_a_cell_that_is_not_there_is_told_so_and_not_asked_to_be_read(tmp_path: Path, cell_id: str, reason: str):
    path = write(tmp_path, [code("a", "x = 1")])
    told = unread("a.ipynb", [{"cell_id": cell_id, "new_source": ""}], read(path)) or ""
    assert reason in told and "read it first" not in told


def test_edits_of_one_cell_may_go_on_from_the_version_that_was_read(tmp_path: Path):
    path = write(tmp_path, [code("a", "x\ny"), code("b", "x\ny")])
    stored = StoredNotebook.read("a.ipynb", env(tmp_path))
    version = stored.document.cells[0].version
    changes = [CellChange("split", "a", version, line=2), CellChange(cell_id="a", version=version, new_source="z")]
    changes.append(CellChange("delete", "b", version))
    edits = work_out_all(stored, changes, env(tmp_path))
    assert [cell.source for cell in edits[-1].document.cells] == ["z", "y"]
    assert path.read_bytes() == stored.data
