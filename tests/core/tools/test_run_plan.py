import json

import pytest

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.kernels.kernel_ledger import KernelLedger
from cellwright.notebook.stored import StoredNotebook
from cellwright.tools.run_plan import check_as_shown, marked_cells, plan_run, present_run, stale_cells
from cellwright.views.view import as_text


def cell(name, source, kind="code", *tags):
    fields = {"cell_type": kind, "id": name, "metadata": {"tags": list(tags)} if tags else {}, "source": source}
    return {**fields, "outputs": [], "execution_count": None} if kind == "code" else fields


CELLS = [
    cell("a", "x = 1"),
    cell("m", "# text", "markdown"),
    cell("b", "x += 1", "code", "expensive"),
    cell("e", "  \n"),
    cell("n", "danger()", "code", "never-run"),
    cell("c", "x"),
]


@pytest.fixture
def env(tmp_path):
    return Env(cwd=tmp_path.resolve())


def written(env, cells=CELLS, **metadata):
    notebook = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    (env.cwd / "nb.ipynb").write_text(json.dumps(notebook))
    return "nb.ipynb"


def names(cells):
    return [cell.id for cell in cells]


def test_all_code_cells_run_from_the_top_except_those_that_never_may(env):
    plan = plan_run(written(env), None, env)
    assert (names(plan.cells), names(plan.skipped), plan.kernel.kernel_name) == (["a", "b", "c"], ["n"], "python3")
    assert plan.notes == ("skipped, because tagged never-run: #4 (id n)",)


@pytest.mark.parametrize(("wanted", "run"), [(["a"], ["a"]), (["b"], ["a", "b"]), (["c", "a"], ["a", "b", "c"])])
def test_the_cells_above_the_last_one_wanted_run_too(env, wanted, run):
    assert names(plan_run(written(env), wanted, env).cells) == run


def test_a_kernel_that_is_missing_is_replaced_only_for_python(env):
    missing = {"name": "gone", "display_name": "Gone"}
    plan = plan_run(written(env, kernelspec={**missing, "language": "python"}), None, env)
    assert plan.kernel.kernel_name == "python3" and "'gone', which is not installed" in plan.notes[0]
    with pytest.raises(ToolError, match="'gone' for R") as caught:
        plan_run(written(env, kernelspec={**missing, "language": "R"}), None, env)
    assert caught.value.code == "no_kernel"


def test_the_person_sees_all_code_that_runs_and_none_that_does_not(env):
    text = as_text(present_run({"path": written(env)}, env))
    assert "3 code cells in a fresh python3 kernel" in text and "#2 (id b), tagged expensive" in text
    assert "x += 1" in text and "danger()" not in text and "# text" not in text


def test_code_that_runs_is_shown_whole_however_much_it_is(env):
    cells = [*(cell(f"c{n}", f"n = {n}") for n in range(200)), cell("long", "x\n" * 5000 + "danger()\n" + "y\n" * 5000)]
    text = as_text(present_run({"path": written(env, cells)}, env))
    assert all(f"\nn = {n}\n" in text for n in range(200)) and "\nx\ndanger()\ny\n" in text


def test_a_notebook_that_changed_after_it_was_shown_is_not_run(env):
    present_run({"path": written(env)}, env)
    written(env, [cell("a", "danger()")])
    with pytest.raises(ToolError, match="nothing was run") as caught:
        check_as_shown(plan_run("nb.ipynb", None, env), env)
    assert caught.value.code == "stale"
    check_as_shown(plan_run("nb.ipynb", None, env), env)


def test_what_was_shown_may_run_and_so_may_what_needed_no_showing(env):
    plan = plan_run(written(env), None, env)
    check_as_shown(plan, env)
    present_run({"path": "nb.ipynb"}, env)
    check_as_shown(plan, env)


def test_the_person_may_choose_other_cells_than_those_shown(env):
    present_run({"path": written(env)}, env)
    check_as_shown(plan_run("nb.ipynb", ["a"], env), env)


@pytest.mark.parametrize("changed", [cell("n", "danger()"), cell("n", "worse()", "code", "never-run")], ids=range(2))
def test_a_cell_that_was_skipped_when_shown_is_part_of_what_was_shown(env, changed):
    present_run({"path": written(env)}, env)
    written(env, [changed if c["id"] == "n" else c for c in CELLS])
    with pytest.raises(ToolError, match="nothing was run"):
        check_as_shown(plan_run("nb.ipynb", None, env), env)


MARKED = [
    (None, "it runs #2 (id b), tagged expensive; #5 (id c), tagged slow, ask-first"),
    (["a"], None),
    (["b"], "it runs #2 (id b), tagged expensive"),
    (["n"], "it runs #2 (id b), tagged expensive"),
    (["zz"], None),
]


@pytest.mark.parametrize(("wanted", "reason"), MARKED)
def test_a_run_asks_for_each_marked_cell_that_it_would_run_and_for_no_other(env, wanted, reason):
    cells = [
        *CELLS[:4],
        cell("n", "danger()", "code", "never-run", "ask-first"),
        cell("c", "x", "code", "slow", "ask-first"),
    ]
    assert marked_cells({"path": written(env, cells), "cells": wanted}, env) == reason


def test_what_is_no_list_of_tags_marks_nothing_and_a_missing_notebook_is_told_elsewhere(env):
    odd = {**cell("a", "1"), "metadata": {"tags": "ask-first"}}
    assert marked_cells({"path": written(env, [odd, cell("m", "# x", "markdown", "ask-first")])}, env) is None
    assert marked_cells({"path": "gone.ipynb"}, env) is None


def test_nothing_has_run_in_a_kernel_that_was_not_started(env):
    plan = plan_run(written(env), "stale", env)
    assert (names(plan.cells), plan.is_fresh, plan.above, plan.where) == (
        ["a", "b", "c"],
        True,
        0,
        "in a fresh python3 kernel",
    )


def test_a_cell_counts_as_out_of_date_unless_it_and_all_above_have_run(env):
    stored, ledger = StoredNotebook.read(written(env), env), KernelLedger()
    assert names(stale_cells(stored, ledger)) == ["a", "b", "c"]
    for cell in stored.document.cells[:3]:
        ledger.note(cell.id, cell.version)
    assert names(stale_cells(stored, ledger)) == ["c"]
