"""The notebook edit tool, as a model calls it and as a person sees it."""

import json
from pathlib import Path

import nbformat
import pytest

from cellwright import Agent, Allow, Deny, Env, ScriptedApprover, ScriptedModel, ToolError, Turn
from cellwright.runs.desk import ScriptedDesk
from cellwright.tools.notebook_edit import notebook_edit
from cellwright.tools.notebook_read import notebook_read
from cellwright.views.view import as_text

from .notebooks import cells, code, env, markdown, stream, write


@pytest.fixture
def notebook(tmp_path: Path) -> Path:
    return write(
        tmp_path,
        [
            code("load", "x = 1\ny = 2", [stream("3\n")], 7),
            markdown("note", "old words ![d](attachment:d.png)", attachments={"d.png": {"image/png": "AAAA"}}),
            code("end", "print(x)"),
        ],
    )


def edit(path: Path, surroundings=None, **args):
    return notebook_edit.execute({"path": path.name, **args}, surroundings or env(path.parent))


LOOK = ("notebook_outline", {"path": "a.ipynb"})


def refused(path: Path, **args) -> ToolError:
    before = path.read_bytes()
    with pytest.raises(ToolError) as caught:
        edit(path, **args)
    assert path.read_bytes() == before
    return caught.value


def test_replacing_a_source_clears_its_outputs_and_touches_nothing_else(notebook: Path):
    before = cells(notebook)
    output = edit(notebook, cell_id="load", new_source="x = 6 * 9")
    after = cells(notebook)
    assert (after[0]["source"], after[0]["outputs"], after[0]["execution_count"]) == ("x = 6 * 9", [], None)
    assert after[1:] == before[1:]
    assert "outputs were cleared" in output.content
    nbformat.validate(nbformat.read(notebook, as_version=4))


def test_the_same_source_again_writes_nothing(notebook: Path):
    before = notebook.read_bytes()
    output = edit(notebook, cell_id="load", new_source="x = 1\ny = 2")
    assert notebook.read_bytes() == before
    assert output.value["changed"] is False
    assert output.content.startswith("No change")


@pytest.mark.parametrize(("mode", "place"), [("insert_before", 1), ("insert_after", 2)])
def test_a_cell_is_inserted_where_it_was_asked_for(notebook: Path, mode: str, place: int):
    output = edit(notebook, cell_id="note", edit_mode=mode, new_source="# New", cell_type="markdown")
    found = cells(notebook)[place]
    assert (found["cell_type"], found["source"]) == ("markdown", "# New")
    assert (output.value["id"], output.value["index"]) == (found["id"], place)


def test_an_insert_without_a_place_is_refused_with_the_last_cell_named(notebook: Path):
    error = refused(notebook, edit_mode="insert_after", new_source="z = 9")
    assert error.code == "invalid_position"
    assert "The last cell of a.ipynb is end (#2" in error.message


def test_the_first_cell_of_an_empty_notebook_needs_no_place(tmp_path: Path):
    path = write(tmp_path, [])
    edit(path, edit_mode="insert_after", new_source="z = 9")
    assert ["".join(cell["source"]) for cell in cells(path)] == ["z = 9"]


def test_a_deleted_cell_is_gone_and_the_others_stay(notebook: Path):
    edit(notebook, cell_id="note", edit_mode="delete")
    assert [cell["id"] for cell in cells(notebook)] == ["load", "end"]


def test_a_moved_cell_keeps_everything_it_has(notebook: Path):
    before = cells(notebook)
    edit(notebook, cell_id="load", edit_mode="move_after", target_id="end")
    assert cells(notebook) == [before[1], before[2], before[0]]


def test_moving_a_cell_to_where_it_is_writes_nothing(notebook: Path):
    before = notebook.read_bytes()
    assert edit(notebook, cell_id="end", edit_mode="move_after", target_id="note").value["changed"] is False
    assert edit(notebook, cell_id="end", edit_mode="move_before", target_id="end").value["changed"] is False
    assert notebook.read_bytes() == before


@pytest.mark.parametrize(
    ("args", "code_", "told"),
    [
        ({"cell_id": "lod", "new_source": "x"}, "not_found", "Nearest: 'load'"),
        ({"cell_id": "load", "version": "00000000", "new_source": "x"}, "stale", "x = 1\ny = 2"),
        ({"cell_id": "#0", "new_source": "x"}, "version_required", "needs the version"),
        ({"cell_id": "#9", "version": "00000000", "new_source": "x"}, "invalid_index", "3 cells, indexes 0 to 2"),
        ({"cell_id": "#-1", "version": "00000000", "edit_mode": "delete"}, "invalid_index", "#-1"),
        ({"cell_id": "load"}, "missing_source", "new_source"),
        ({"cell_id": "load", "edit_mode": "insert_after"}, "missing_source", "new_source"),
        ({"cell_id": "load", "edit_mode": "move_after"}, "invalid_position", "target_id"),
        ({"edit_mode": "delete"}, "invalid_position", "cell_id"),
    ],
)
def test_an_edit_that_can_not_be_made_says_what_to_do_and_changes_nothing(notebook: Path, args, code_, told):
    error = refused(notebook, **args)
    assert error.code == code_
    assert told in error.message


def test_a_missing_file_and_a_file_that_is_no_notebook_are_told_apart(tmp_path: Path):
    (tmp_path / "b.ipynb").write_text("[]")
    assert refused(tmp_path / "b.ipynb", cell_id="x", new_source="y").code == "not_a_notebook"
    with pytest.raises(ToolError, match="does not exist"):
        edit(tmp_path / "none.ipynb", cell_id="x", new_source="y")


def test_a_cell_that_changed_since_it_was_read_is_not_overwritten(notebook: Path):
    surroundings = env(notebook.parent)
    edit(notebook, surroundings, cell_id="end", new_source="print(y)")
    notebook.write_text(notebook.read_text().replace("print(y)", "print(z)"))
    with pytest.raises(ToolError, match="print\\(z\\)") as caught:
        edit(notebook, surroundings, cell_id="end", new_source="print(0)")
    assert caught.value.code == "stale"
    edit(notebook, surroundings, cell_id="end", new_source="print(0)")  # the refusal showed the new text
    assert cells(notebook)[2]["source"] == "print(0)"


def test_a_file_without_ids_is_edited_by_index_and_version_and_gets_no_ids(tmp_path: Path):
    path = write(tmp_path, [code(None, "x = 1"), markdown(None, "# end")], minor=4)
    with pytest.raises(ToolError) as caught:
        edit(path, cell_id="#0", version="0" * 8, new_source="")
    version = caught.value.message.split("now version ")[1][:8]
    edit(path, cell_id="#0", version=version, edit_mode="insert_after", new_source="y = 2")
    assert [cell["source"] for cell in cells(path)] == ["x = 1", "y = 2", "# end"]
    assert not any("id" in cell for cell in cells(path))
    nbformat.validate(json.loads(path.read_text()))


def test_the_preview_is_the_diff_of_the_cell_and_changes_nothing(notebook: Path):
    before = notebook.read_bytes()
    args = {"path": "a.ipynb", "cell_id": "load", "new_source": "x = 1\ny = 3"}
    view = notebook_edit.present_call(args, env(notebook.parent))
    (cell,) = view.cells
    assert "-y = 2\n+y = 3\n" in cell.unified
    assert (cell.touched, cell.outputs_before) == (("source", "outputs"), ("stdout: 3",))
    assert notebook.read_bytes() == before


@pytest.mark.parametrize(
    "source", ["![x](https://evil.test/a.png)", '<img src="//evil.test/a.png">', "[a]: http://evil.test/b"]
)
def test_markdown_that_would_load_from_elsewhere_is_marked(notebook: Path, source: str):
    args = {"path": "a.ipynb", "cell_id": "note", "new_source": source}
    assert "evil.test" in notebook_edit.present_call(args, env(notebook.parent)).cells[0].notes[0]


def test_what_was_invalid_before_is_reported_and_not_blocked(tmp_path: Path):
    path = write(tmp_path, [code("a", "x = 1") | {"strange": True}, code("b", "y = 2")])
    output = edit(path, cell_id="b", new_source="y = 3")
    assert "was in the file before" in output.content
    assert cells(path)[0]["strange"] is True


def test_nobody_is_asked_about_an_edit_that_can_not_be_made(notebook: Path):
    approver = ScriptedApprover([Allow()])
    call = ("notebook_edit", {"path": "a.ipynb", "cell_id": "nope", "new_source": "x", "version": "0" * 8})
    model = ScriptedModel([Turn(calls=[call]), "Oh."])
    run = Agent(model, ["notebook_edit"], cwd=notebook.parent, approver=approver).run_sync("Edit.")
    assert approver.questions == []
    assert run.results[0].metadata["code"] == "not_found"


def test_what_is_shown_while_asking_must_still_be_there_when_it_runs(notebook: Path):
    def meanwhile(question):
        notebook.write_text(notebook.read_text().replace("print(x)", "print('mine')"))
        return Allow()

    call = ("notebook_edit", {"path": "a.ipynb", "cell_id": "end", "new_source": "print(1)"})
    approver = ScriptedApprover([meanwhile, Deny()])
    model = ScriptedModel([Turn(calls=[LOOK]), Turn(calls=[call]), "Oh."])
    agent = Agent(model, ["notebook_edit", "notebook_outline"], cwd=notebook.parent, approver=approver)
    run = agent.run_sync("Edit.")
    assert run.results[1].metadata["code"] == "stale"
    assert cells(notebook)[2]["source"] == "print('mine')"


def test_the_text_of_a_move_names_both_places(notebook: Path):
    args = {"path": "a.ipynb", "cell_id": "load", "edit_mode": "move_after", "target_id": "end"}
    assert "=== load · #0 → #2 · code · moved · after #1 end" in as_text(
        notebook_edit.present_call(args, env(notebook.parent))
    )


@pytest.mark.parametrize(
    ("calls", "outcome"),
    [
        ([{"cell_id": "end", "new_source": "1"}], "guard_denied"),
        ([{"cell_id": "end", "edit_mode": "delete"}], "guard_denied"),
        ([{"cell_id": "end", "edit_mode": "insert_after", "new_source": "1"}], None),
        (
            [
                {"cell_id": "end", "edit_mode": "insert_after", "new_source": "1"},
                {"cell_id": "end", "edit_mode": "delete"},
            ],
            "guard_denied",
        ),
        ([LOOK, {"cell_id": "end", "new_source": "1"}], None),
    ],
    ids=range(5),
)
def test_a_cell_is_changed_only_by_a_model_that_has_read_it(notebook: Path, calls, outcome):
    turns = [Turn(calls=[c if c is LOOK else ("notebook_edit", {"path": "a.ipynb", **c})]) for c in calls]
    tools = ["notebook_edit", "notebook_outline"]
    run = Agent(ScriptedModel([*turns, "Done."]), tools, cwd=notebook.parent, policy="accept_edits").run_sync("Edit.")
    assert run.results[-1].error_type == outcome, run.results[-1].content


def opened(path: Path, **typed: str) -> Env:
    """The env of a run before which the notebook lies open, with what the person typed into cells."""
    document = json.loads(path.read_text())
    for cell in document["cells"]:
        cell["source"] = typed.get(cell["id"], cell["source"])
    return Env(path.parent.resolve(), desk=ScriptedDesk({path.resolve(): document}))


SAME = [
    {"cell_id": "load", "new_source": "x = 6 * 9"},
    {"cell_id": "note", "edit_mode": "delete"},
    {"cell_id": "end", "edit_mode": "move_before", "target_id": "load"},
    {"cell_id": "note", "cell_type": "raw", "new_source": "raw"},
    {"cell_id": "end", "new_source": "print(x)"},
]


@pytest.mark.parametrize("args", SAME)
def test_an_open_notebook_is_edited_by_the_same_words_with_the_same_outcome(notebook: Path, args):
    surroundings, before = opened(notebook), notebook.read_bytes()
    in_page = edit(notebook, surroundings, **args)
    assert notebook.read_bytes() == before
    in_file = edit(notebook, **args)
    found = json.loads(surroundings.desk.read(notebook.resolve()).data)["cells"]
    assert found == cells(notebook)
    assert {**in_page.value, "place": ""} == {**in_file.value, "place": ""}
    assert in_page.content.replace("\n[in the open notebook]", "") == in_file.content
    assert in_page.view == in_file.view


def test_a_cell_that_the_person_changed_in_the_page_since_it_was_read_is_refused(notebook: Path):
    surroundings = opened(notebook, end="print(y)")
    notebook_read.execute({"path": notebook.name}, surroundings)
    surroundings.desk.documents[notebook.resolve()]["cells"][2]["source"] = "print(y, x)"
    with pytest.raises(ToolError, match=r"print\(y, x\)") as caught:
        edit(notebook, surroundings, cell_id="end", new_source="print(z)")
    assert caught.value.code == "stale"


def test_what_was_read_in_a_page_that_is_gone_is_held_against_the_file(notebook: Path):
    surroundings = opened(notebook, end="print(y)")
    notebook_read.execute({"path": notebook.name}, surroundings)
    surroundings.desk.documents.clear()
    with pytest.raises(ToolError, match=r"print\(x\)"):
        edit(notebook, surroundings, cell_id="end", new_source="print(z)")
    assert edit(notebook, surroundings, cell_id="load", new_source="x = 3").value["place"] == "file"
    assert [cell["source"] for cell in cells(notebook)][::2] == ["x = 3", "print(x)"]
