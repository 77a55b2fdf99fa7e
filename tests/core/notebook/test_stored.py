"""A notebook on disk is written only over what was read."""

import json
from pathlib import Path

import pytest

from cellwright import Env, ToolError
from cellwright.notebook.stored import MAX_BYTES, StoredNotebook, Written, cell_name, note_cells
from cellwright.runs.desk import ScriptedDesk

CELL = {"cell_type": "code", "execution_count": None, "id": "a", "metadata": {}, "outputs": [], "source": "x = 1"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "a.ipynb"
    file.write_text(json.dumps({"cells": [CELL], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    return file


def test_an_edit_of_a_file_that_changed_meanwhile_is_refused(path: Path):
    stored = StoredNotebook.read("a.ipynb", Env(path.parent.resolve()))
    edited = stored.document.replace_source(stored.document.cells[0], "x = 2")
    path.write_text(path.read_text() + "\n")
    with pytest.raises(ToolError) as caught:
        stored.write(edited, Env(path.parent.resolve()))
    assert caught.value.code == "stale"
    assert "x = 2" not in path.read_text()


def test_a_cell_is_held_against_the_version_that_was_noted(path: Path):
    env = Env(path.parent.resolve())
    note_cells(path.resolve(), StoredNotebook.read("a.ipynb", env).document.cells, env)
    path.write_text(path.read_text().replace("x = 1", "x = 5"))
    with pytest.raises(ToolError, match="x = 5"):
        StoredNotebook.read("a.ipynb", env).find("a", None, env)
    assert StoredNotebook.read("a.ipynb", env).find("a", None, env).source == "x = 5"


def test_a_cell_is_called_by_its_id_or_else_by_its_index(path: Path):
    env = Env(path.parent.resolve())
    assert cell_name(StoredNotebook.read("a.ipynb", env).document.cells[0]) == "a"
    path.write_text(path.read_text().replace('"id": "a", ', "").replace('"nbformat_minor": 5', '"nbformat_minor": 4'))
    assert cell_name(StoredNotebook.read("a.ipynb", env).document.cells[0]) == "#0"


def test_an_index_is_never_taken_for_the_cell_that_was_read_there(path: Path):
    env = Env(path.parent.resolve())
    stored = StoredNotebook.read("a.ipynb", env)
    env.ledger.note(path.resolve(), stored.document.cells[0].version, "#0")
    with pytest.raises(ToolError, match="needs the version"):
        stored.find("#0", None, env)


def test_a_notebook_of_an_old_format_is_read_and_never_written(path: Path):
    path.write_text(json.dumps({"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": []}]}))
    env = Env(path.parent.resolve())
    stored = StoredNotebook.read_any("a.ipynb", env)
    assert (stored.format, stored.document.cells) == ("3.0", ())
    for act in (lambda: StoredNotebook.read("a.ipynb", env), lambda: stored.write(stored.document, env)):
        with pytest.raises(ToolError, match="nbconvert --to notebook") as caught:
            act()
        assert caught.value.code == "unsupported"
    assert path.read_bytes() == stored.data


def test_a_notebook_may_be_larger_than_other_files_but_not_of_any_size(path: Path):
    with path.open("r+b") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(ToolError) as caught:
        StoredNotebook.read("a.ipynb", Env(path.parent.resolve()))
    assert caught.value.code == "too_large"


@pytest.fixture
def desk(path: Path) -> ScriptedDesk:
    """The notebook as it lies open, with what the person typed since."""
    typed = {**CELL, "source": "x = 1  # typed"}
    notebook = {"cells": [typed, {**CELL, "id": "b"}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return ScriptedDesk({path.resolve(): notebook})


def opened(desk: ScriptedDesk, path: Path) -> tuple[StoredNotebook, Env]:
    env = Env(path.parent.resolve(), desk=desk)
    return StoredNotebook.read("a.ipynb", env), env


def test_an_open_notebook_is_read_and_edited_where_it_is_open(path: Path, desk: ScriptedDesk):
    before = path.read_bytes()
    stored, env = opened(desk, path)
    assert stored.document.cells[0].source == "x = 1  # typed"
    written = stored.write(stored.document.replace_source(stored.document.cells[1], "x = 2"), env)
    assert (written.place, written.lines) == ("open notebook", ["[in the open notebook]"])
    assert [cell["source"] for cell in desk.documents[path.resolve()]["cells"]] == ["x = 1  # typed", "x = 2"]
    assert path.read_bytes() == before


def test_an_edit_of_a_cell_that_the_person_changed_meanwhile_is_refused_with_its_new_text(path, desk):
    stored, env = opened(desk, path)
    desk.documents[path.resolve()]["cells"][1]["source"] = "x = 3  # also typed"
    with pytest.raises(ToolError, match="x = 3  # also typed") as caught:
        stored.write(stored.document.replace_source(stored.document.cells[1], "x = 2"), env)
    assert caught.value.code == "stale"
    assert (desk.changes, env.ledger.seen(path.resolve(), "b")) == ([], stored.again(env).document.cells[1].version)


def test_what_the_person_types_in_other_cells_stands_in_no_edits_way(path: Path, desk: ScriptedDesk):
    stored, env = opened(desk, path)
    desk.documents[path.resolve()]["cells"][0]["source"] = "x = 3  # typed on"
    stored.write(stored.document.replace_source(stored.document.cells[1], "x = 2"), env)
    assert [cell["source"] for cell in desk.documents[path.resolve()]["cells"]] == ["x = 3  # typed on", "x = 2"]


def test_a_cell_below_one_that_the_person_deleted_meanwhile_is_not_inserted(path: Path, desk: ScriptedDesk):
    stored, env = opened(desk, path)
    del desk.documents[path.resolve()]["cells"][1]
    with pytest.raises(ToolError, match="There is no cell with the id 'b'"):
        stored.write(stored.document.insert("code", "new", after=stored.document.cells[1]), env)


def test_a_file_that_is_open_where_it_cannot_be_reached_is_not_written(path: Path):
    stored, env = opened(ScriptedDesk(elsewhere=[path.resolve()]), path)
    with pytest.raises(ToolError) as caught:
        stored.write(stored.document.delete(stored.document.cells[0]), env)
    assert (caught.value.code, path.read_bytes()) == ("open_elsewhere", stored.data)


def test_of_an_edit_in_the_file_there_is_nothing_to_say_but_its_problems():
    assert Written(("p",)).lines == ["This problem was in the file before: p"]
