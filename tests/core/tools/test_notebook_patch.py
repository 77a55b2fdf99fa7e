"""Several changes of a notebook at once, as a model asks for them and as a person sees them."""

import json
from pathlib import Path

import nbformat
import pytest

from cellwright import Agent, Allow, ScriptedApprover, ScriptedModel, ToolError, Turn
from cellwright.tools.notebook_edit import notebook_edit
from cellwright.tools.notebook_outline import notebook_outline
from cellwright.tools.notebook_patch import notebook_patch
from cellwright.views.view import as_text

from ..properties import for_any
from .notebooks import cells, code, env, markdown, stream, write

LOOK = ("notebook_outline", {"path": "a.ipynb"})


@pytest.fixture
def notebook(tmp_path: Path) -> Path:
    made = [code("load", "x = 1\ny = 2", [stream("3\n")], 7), markdown("note", "old words"), code("end", "print(x)")]
    return write(tmp_path, made)


def patch(path: Path, *edits, surroundings=None):
    return notebook_patch.execute({"path": path.name, "edits": list(edits)}, surroundings or env(path.parent))


def refused(path: Path, *edits) -> ToolError:
    before = path.read_bytes()
    with pytest.raises(ToolError) as caught:
        patch(path, *edits)
    assert path.read_bytes() == before
    return caught.value


def test_edits_are_made_in_order_each_on_the_result_of_the_one_before(notebook: Path):
    output = patch(
        notebook,
        {"cell_id": "load", "edit_mode": "edit", "old_string": "x = 1", "new_string": "x = 5"},
        {"cell_id": "load", "edit_mode": "edit", "old_string": "x = 5", "new_string": "x = 6"},
        {"cell_id": "note", "edit_mode": "delete"},
        {"cell_id": "end", "edit_mode": "insert_before", "new_source": "# end", "cell_type": "markdown"},
    )
    assert [cell["source"] for cell in cells(notebook)] == ["x = 6\ny = 2", "# end", "print(x)"]
    assert output.value["edits"] == 4
    assert [cell["index"] for cell in output.value["changed_cells"]] == [0, 1]
    assert "outputs were cleared" in output.content
    nbformat.validate(nbformat.read(notebook, as_version=4))


def test_one_edit_that_can_not_be_made_leaves_the_file_and_is_named(notebook: Path):
    good = {"cell_id": "load", "new_source": "x = 3"}
    error = refused(notebook, good, {"cell_id": "nope", "edit_mode": "delete"}, good)
    assert error.code == "not_found"
    assert error.message.startswith("Nothing was written, because of edit 2 of 3, on the result of those before it")


def test_the_version_that_was_read_still_names_a_cell_that_an_earlier_edit_changed(tmp_path: Path):
    path = write(tmp_path, [code(None, "x = 1"), code(None, "x = 1")], minor=4)
    version = notebook_outline.execute({"path": "a.ipynb"}, env(tmp_path)).value["cells"][0]["version"]
    known = {"cell_id": "#0", "version": version, "edit_mode": "edit"}
    first = {**known, "old_string": "1", "new_string": "2"}
    patch(path, first, {**known, "old_string": "x", "new_string": "y"}, {**known, "old_string": "y", "new_string": "z"})
    assert [cell["source"] for cell in cells(path)] == ["z = 2", "x = 1"]
    assert refused(path, {**first, "version": None}).code == "version_required"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"cell_id": "load", "edit_mode": "split", "line": 2}, ["x = 1", "y = 2", "old words", "print(x)"]),
        ({"cell_id": "note", "edit_mode": "change_type", "cell_type": "code"}, None),
        ({"cell_id": "load", "edit_mode": "tags", "add_tags": ["parameters"]}, None),
        ({"cell_id": "load", "edit_mode": "metadata", "metadata": {"collapsed": True}}, None),
        ({"edit_mode": "metadata", "metadata": {"title": "T"}}, None),
        ({"cell_id": "load", "edit_mode": "clear_outputs"}, None),
        ({"edit_mode": "clear_outputs"}, None),
        ({"cell_id": "note", "edit_mode": "move_after", "target_id": "end"}, ["x = 1\ny = 2", "print(x)", "old words"]),
    ],
    ids=range(8),
)
def test_each_further_change_is_made_shown_and_leaves_a_valid_notebook(notebook: Path, change, expected):
    before = [cell["source"] for cell in cells(notebook)]
    shown = notebook_patch.present_call({"path": "a.ipynb", "edits": [change]}, env(notebook.parent))
    assert shown.cells or shown.facts
    output = patch(notebook, change)
    assert output.value["changed"] is True
    assert [cell["source"] for cell in cells(notebook)] == (expected or before)
    nbformat.validate(nbformat.read(notebook, as_version=4))
    again = patch(notebook, change) if expected is None or "target_id" in change else None
    assert again is None or again.value["changed"] is False


def test_merging_needs_the_cell_that_comes_next_by_name(notebook: Path):
    merging = {"cell_id": "load", "edit_mode": "merge", "target_id": "end"}
    assert "that is note" in refused(notebook, merging).message
    assert refused(notebook, {**merging, "target_id": "note"}).code == "invalid_cell_type"
    patch(notebook, {"cell_id": "note", "edit_mode": "delete"}, merging)
    assert [(cell["source"], cell["outputs"]) for cell in cells(notebook)] == [("x = 1\ny = 2\nprint(x)", [])]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"cell_id": "load", "edit_mode": "split"}, ("missing_field", "split needs line")),
        ({"cell_id": "load", "edit_mode": "split", "line": 1}, ("invalid_line", "2 to 2")),
        ({"cell_id": "end", "edit_mode": "split", "line": 2}, ("invalid_line", "it has one line")),
        ({"cell_id": "load", "new_source": "a", "line": 2}, ("unused_field", "no use for line")),
        ({"edit_mode": "delete"}, ("missing_field", "delete needs cell_id")),
        ({"cell_id": "load", "edit_mode": "tags"}, ("missing_field", "add_tags")),
        ({"cell_id": "load", "edit_mode": "tags", "add_tags": ["a,b"]}, ("invalid_notebook", "a,b")),
        ({"cell_id": "load", "edit_mode": "edit", "old_string": " ", "new_string": ""}, ("not_unique", "4 times")),
        ({"cell_id": "load", "edit_mode": "edit", "old_string": "z", "new_string": ""}, ("not_found", "not found")),
        ({"cell_id": "load", "version": "", "edit_mode": "delete"}, ("stale", "y = 2")),
        ({"edit_mode": "insert_after", "new_source": "z"}, ("invalid_position", "last cell of a.ipynb is end")),
    ],
    ids=range(11),
)
def test_a_change_that_can_not_be_made_says_what_to_do(notebook: Path, change, told):
    error = refused(notebook, change)
    assert (error.code, told[1] in error.message) == (told[0], True), error.message


def test_the_person_sees_one_change_of_all_edits_and_what_would_load_from_elsewhere(notebook: Path):
    edits = [
        {"cell_id": "load", "new_source": "x = 1\ny = 3"},
        {"cell_id": "note", "new_source": "![x](https://evil.test/a.png)"},
        {"cell_id": "end", "edit_mode": "tags", "add_tags": ["ask-first"]},
    ]
    before = notebook.read_bytes()
    text = as_text(notebook_patch.present_call({"path": "a.ipynb", "edits": edits}, env(notebook.parent)))
    for line in (
        "=== load · #0 · code · source, outputs changed",
        "    -y = 2",
        "    +y = 3",
        "    tags: (none) → ask-first",
    ):
        assert line in text
    assert "    note: when shown, this may load from other hosts: https://evil.test/a.png" in text
    assert notebook.read_bytes() == before


def test_a_source_that_looks_like_the_head_of_a_cell_is_no_head_in_the_diff(notebook: Path):
    args = {"path": "a.ipynb", "edits": [{"cell_id": "note", "new_source": "=== other · code"}]}
    assert "\n    +=== other · code" in as_text(notebook_patch.present_call(args, env(notebook.parent)))


def test_what_is_shown_while_asking_must_still_be_there_when_it_runs(notebook: Path):
    def meanwhile(old, new):
        def act(question):
            notebook.write_text(notebook.read_text().replace(old, new))
            return Allow()

        return act

    call = ("notebook_patch", {"path": "a.ipynb", "edits": [{"cell_id": "end", "edit_mode": "delete"}]})
    approver = ScriptedApprover([meanwhile("print(x)", "mine()"), meanwhile("old words", "new words")])
    model = ScriptedModel([Turn(calls=[LOOK]), Turn(calls=[call]), Turn(calls=[call]), "Oh."])
    tools = ["notebook_patch", "notebook_outline"]
    run = Agent(model, tools, cwd=notebook.parent, approver=approver).run_sync("Edit.")
    assert [result.ok for result in run.results] == [True, False, True]
    assert (run.results[1].metadata["code"], "mine()" in run.results[1].content) == ("stale", True)
    assert [cell["source"] for cell in cells(notebook)] == ["x = 1\ny = 2", "new words"]


@pytest.mark.parametrize(
    ("edits", "outcome"),
    [
        ([{"cell_id": "end", "edit_mode": "delete"}], "guard_denied"),
        ([{"cell_id": "end", "edit_mode": "insert_after", "new_source": "1"}], None),
        ([{"edit_mode": "clear_outputs"}], None),
        ([{"edit_mode": "clear_outputs"}, {"cell_id": "end", "new_source": "1"}], "guard_denied"),
    ],
    ids=range(4),
)
def test_a_cell_is_changed_only_by_a_model_that_has_read_it(notebook: Path, edits, outcome):
    turn = Turn(calls=[("notebook_patch", {"path": "a.ipynb", "edits": edits})])
    model = ScriptedModel([turn, "Done."])
    run = Agent(model, ["notebook_patch"], cwd=notebook.parent, policy="accept_edits").run_sync("Edit.")
    assert run.results[-1].error_type == outcome, run.results[-1].content


def test_a_file_with_two_cells_of_one_id_is_edited_by_index_and_version(tmp_path: Path):
    path = write(tmp_path, [code("a", "x = 1"), code("a", "x = 2")])
    error = refused(path, {"cell_id": "a", "new_source": "y"})
    version = error.message.split("#1 (version ")[1][:8]
    assert error.code == "ambiguous"
    output = patch(path, {"cell_id": "#1", "version": version, "new_source": "y"})
    assert [cell["source"] for cell in cells(path)] == ["x = 1", "y"]
    assert "was in the file before" in output.content


@pytest.mark.parametrize(
    ("targets", "told"),
    [
        (["#-1"], "3 cells, indexes 0 to 2"),
        (["#0", "#-1"], "#-1"),
        (["#0", "#99"], "#99"),
        (["load", "load"], "'load'"),
    ],
    ids=range(4),
)
def test_of_several_deletions_with_a_bad_one_none_is_made(notebook: Path, targets, told):
    first = notebook_outline.execute({"path": "a.ipynb"}, env(notebook.parent)).value["cells"][0]["version"]
    deletions = [{"cell_id": cell, "version": first, "edit_mode": "delete"} for cell in targets]
    assert told in refused(notebook, *deletions).message


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"cells": []}', "<<<<<<< mine\n", '{"nbformat": 4, "cells": [1]}'])
def test_a_file_that_is_no_notebook_is_refused_with_path_and_reason(tmp_path: Path, text):
    path = tmp_path / "a.ipynb"
    path.write_text(text)
    error = refused(path, {"edit_mode": "insert_after", "new_source": "x"})
    assert (error.code, error.message.startswith("a.ipynb can't be used as a notebook: ")) == ("not_a_notebook", True)


@for_any(order="order", examples=15)
def test_a_patch_of_plain_edits_is_the_same_as_the_edits_one_after_another(order, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pair")
    made = [code(f"c{number}", f"a{number}\nb", [stream("1")], 1) for number in range(4)]
    one, two = write(folder, made, name="one.ipynb"), write(folder, made, name="two.ipynb")
    left = ["c0", "c1", "c2", "c3"]
    edits = [plain_edit(order, left) for _ in range(4)]
    patch(one, *edits)
    surroundings = env(folder)
    for edit in edits:
        notebook_edit.execute({"path": two.name, **edit}, surroundings)
    assert one.read_bytes() == two.read_bytes()
    nbformat.validate(json.loads(one.read_text()))


def plain_edit(order, left):
    """One edit of the cells that are left; a deleted one is left no more."""
    cell, target = order.sample(left, 2)
    mode = order.choice(["replace", "delete", "move_before", "move_after"] if len(left) > 2 else ["replace"])
    if mode == "replace":
        return {"cell_id": cell, "new_source": order.choice(["", "p\nq", "é"])}
    if mode == "delete":
        left.remove(cell)
        return {"cell_id": cell, "edit_mode": mode}
    return {"cell_id": cell, "edit_mode": mode, "target_id": target}


CHANGES = (
    {"edit_mode": "edit", "old_string": "b", "new_string": "é\nb"},
    {"edit_mode": "split", "line": 2},
    {"edit_mode": "change_type", "cell_type": "markdown"},
    {"edit_mode": "tags", "add_tags": ["x", "y"]},
    {"edit_mode": "tags", "remove_tags": ["x"]},
    {"edit_mode": "metadata", "metadata": {"k": {"v": 1}, "tags": None}},
    {"edit_mode": "clear_outputs"},
    {"edit_mode": "insert_before", "new_source": "new"},
)


@for_any(order="order", examples=15)
def test_any_patch_is_its_edits_one_by_one_and_touches_no_other_cell(order, tmp_path_factory):
    folder = tmp_path_factory.mktemp("any")
    made = [code(f"c{number}", f"a{number}\nb", [stream("1")], 1) for number in range(5)]
    one, two = write(folder, made, name="one.ipynb"), write(folder, made, name="two.ipynb")
    edits = [{**order.choice(CHANGES), "cell_id": cell} for cell in order.choices(["c0", "c1", "c2"], k=4)]
    if patched(one, edits) and all(patched(two, [edit]) for edit in edits):
        assert told_apart(one) == told_apart(two)
    kept = write(folder, made[3:], name="kept.ipynb").read_bytes().partition(b"[\n")[2]
    assert one.read_bytes().endswith(kept)
    nbformat.validate(json.loads(one.read_text()))


def patched(path, edits):
    """Whether the patch was made; one that was not leaves the file as it was."""
    before = path.read_bytes()
    try:
        patch(path, *edits)
    except ToolError:
        assert path.read_bytes() == before
        return False
    return True


def told_apart(path):
    """The notebook with all new ids made the same, since they are made up."""
    found = json.loads(path.read_text())
    return [{**cell, "id": cell["id"] if len(cell["id"]) == 2 else "new"} for cell in found["cells"]]


def test_a_nan_in_the_metadata_keeps_nobody_from_a_patch(tmp_path: Path):
    path = write(tmp_path, [code("a", "x") | {"metadata": {"k": float("nan")}}, code("b", "y")])
    change = {"cell_id": "a", "edit_mode": "metadata", "metadata": {"k": 1}}
    shown = as_text(notebook_patch.present_call({"path": "a.ipynb", "edits": [change]}, env(tmp_path)))
    assert "metadata k: NaN → 1" in shown
    notebook_patch.execute({"path": "a.ipynb", "edits": [change]}, env(tmp_path))
    assert cells(path)[0]["metadata"] == {"k": 1}


def test_every_place_of_a_cell_is_edited_where_that_is_asked_for(tmp_path: Path):
    path = write(tmp_path, [code("a", "x = x"), code("b", "x")])
    everywhere = {"edit_mode": "edit", "old_string": "x", "new_string": "z", "replace_all": True}
    output = patch(path, {**everywhere, "cell_id": "a"}, {**everywhere, "cell_id": "b"})
    assert [cell["source"] for cell in cells(path)] == ["z = z", "z"]
    assert output.content.splitlines() == ["1. Changed a.", "2. Changed b."]


def test_cells_without_ids_are_told_of_again_as_they_are_in_the_end(tmp_path: Path):
    path = write(tmp_path, [code(None, "x"), code(None, "y")], minor=4)
    first, second = notebook_outline.execute({"path": "a.ipynb"}, env(tmp_path)).value["cells"]
    change = {"cell_id": "#1", "version": second["version"], "new_source": "z"}
    output = patch(path, change, {"cell_id": "#0", "version": first["version"], "edit_mode": "delete"})
    assert output.content.splitlines()[2:] == [f"now: #0 v:{output.value['changed_cells'][0]['version']}"]
