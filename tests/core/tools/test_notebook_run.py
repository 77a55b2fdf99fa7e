"""Notebooks run in real kernels."""

import asyncio
import json
import time

import nbformat
import psutil
import pytest
from msgspec.structs import replace

from cellwright import Agent, Deny, Grant, ScriptedApprover, ScriptedModel, Turn
from cellwright.calls.execution import run_function
from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.permission.policy import Policy
from cellwright.tools.notebook_outline import notebook_outline
from cellwright.tools.notebook_run import notebook_run, run_notebook
from cellwright.tools.run_plan import plan_run
from cellwright.views.table import Table
from cellwright.views.view import Group, Picture, as_text

PLOT = "import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show()"
FRAME = "import pandas as pd\npd.DataFrame({'n': [1, 2]})"


@pytest.fixture
def env(tmp_path):
    return Env(cwd=tmp_path.resolve())


def written(env, *sources, tags=(), minor=5, indent=3):
    cells = [
        {"cell_type": "code", "execution_count": 9, "id": f"c{n}", "metadata": {}, "outputs": [], "source": source}
        for n, source in enumerate(sources)
    ]
    for index, tag in tags:
        cells[index]["metadata"] = {"tags": [tag]}
    if minor < 5:
        cells = [{key: value for key, value in cell.items() if key != "id"} for cell in cells]
    notebook = {"nbformat": 4, "nbformat_minor": minor, "metadata": {"odd key": "\u00e9"}, "cells": cells}
    (env.cwd / "nb.ipynb").write_text(json.dumps(notebook, indent=indent))
    return "nb.ipynb"


async def called(env, cells=None):
    outcome = await run_function(notebook_run.execute, {"path": "nb.ipynb", "cells": cells}, env, 60)
    if outcome.error:
        raise outcome.error
    return outcome.value


async def closing(env, work):
    """What comes of it, and no kernel after it."""
    try:
        return await work
    finally:
        await env.kernels.close()


def ran(env, cells=None):
    return asyncio.run(closing(env, called(env, cells)))


def stopped(env, cell_timeout=30.0):
    with pytest.raises(ToolError) as caught:
        asyncio.run(closing(env, run_notebook(plan_run("nb.ipynb", None, env), env, cell_timeout)))
    return caught.value


def saved(env):
    text = (env.cwd / "nb.ipynb").read_text()
    json.loads(text, parse_constant=lambda name: pytest.fail(name))
    notebook = nbformat.reads(text, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    return notebook.cells


def texts(cell):
    return [output.get("text", output.get("ename")) for output in cell.outputs]


def flat(view):
    return [inner for part in view.views for inner in flat(part)] if isinstance(view, Group) else [view]


def test_a_run_saves_outputs_and_reports_to_model_and_person(env):
    written(env, "print('hi')", PLOT, FRAME)
    output = ran(env)
    assert [cell["status"] for cell in output.value["cells"]] == ["ok"] * 3 and output.value["status"] == "ok"
    assert "#0 (id c0) [1] ok" in output.content and "hi\n" in output.content and "[image/png, " in output.content
    assert {Picture, Table} <= {type(view) for view in flat(output.view)} and len(output.images) == 1
    assert [cell.execution_count for cell in saved(env)] == [1, 2, 3]
    assert "image/png" in saved(env)[1].outputs[0].data


def test_only_outputs_and_counts_change_in_the_file(env):
    written(env, "print('hi')", "")
    head, tail = (env.cwd / "nb.ipynb").read_text().split('"outputs": []', 1)
    ran(env)
    after = (env.cwd / "nb.ipynb").read_text()
    assert after.startswith(head.replace('"execution_count": 9', '"execution_count": 1')) and after.endswith(tail)


@pytest.mark.parametrize(
    ("source", "code", "name", "last"),
    [
        ("print('so far'); 1/0", "cell_failed", "error", "ZeroDivisionError"),
        ("import time; print('so far'); time.sleep(60)", "cell_timeout", "timeout", "KeyboardInterrupt"),
        ("import os; print('so far'); os.kill(os.getpid(), 9)", "kernel_died", "kernel died", "KernelDied"),
    ],
)
def test_a_failing_cell_is_one_error_that_names_it(env, source, code, name, last):
    written(env, "print('first')", source, "print('never')")
    error = stopped(env, 2.0)
    assert error.code == code and f"stopped at cell #1 (id c1): {name}" in error.message
    assert "so far" in error.message and "not run: #2 (id c2)" in error.message
    first, second, third = saved(env)
    assert (texts(first), texts(second)) == (["first\n"], ["so far\n", last])
    assert (third.outputs, third.execution_count) == ([], 9)


def test_tags_allow_an_error_and_forbid_a_run(env):
    written(env, "1/0", "print('never')", "print('after')", tags=[(0, "raises-exception"), (1, "skip-execution")])
    output = ran(env)
    assert [cell["status"] for cell in output.value["cells"]] == ["error", "skipped", "ok"]
    assert "skipped, because tagged skip-execution: #1 (id c1)" in output.content
    assert [texts(cell) for cell in saved(env)] == [["ZeroDivisionError"], [], ["after\n"]]


def test_cells_without_ids_are_named_by_index(env):
    written(env, "x = 1", "print(x)", "print('not this')", minor=4)
    version = notebook_outline.execute({"path": "nb.ipynb"}, Env(cwd=env.cwd)).value["cells"][1]["version"]
    assert [cell["id"] for cell in ran(env, [f"#1@{version}"]).value["cells"]] == ["#0", "#1"]
    assert [texts(cell) for cell in saved(env)] == [[], ["1\n"], []]


def test_a_cell_changed_during_the_run_keeps_its_outputs_and_the_rest_is_saved(env):
    swap = "import pathlib\np = pathlib.Path('nb.ipynb')\np.write_text(p.read_text().replace('x = ' + '1', 'x = 2'))"
    written(env, "x = 1", swap + "; print('saved')")
    error = stopped(env)
    assert error.code == "stale" and "NOT saved: #0 (id c0)" in error.message
    assert [cell.source[:5] for cell in saved(env)] == ["x = 2", "impor"]
    assert texts(saved(env)[1]) == ["saved\n"]


def test_a_run_that_is_stopped_saves_what_ran_and_leaves_no_kernel(env):
    written(env, "print('first')", "import time; time.sleep(60)")
    said = []
    env = replace(env, progress=said.append)

    async def stopped_in_the_second_cell():
        task = asyncio.create_task(run_function(notebook_run.execute, {"path": "nb.ipynb"}, env, 60))
        while "cell 2 of 2" not in said:
            await asyncio.sleep(0.05)
        task.cancel()
        started = time.monotonic()
        return await task, time.monotonic() - started

    outcome, seconds = asyncio.run(closing(env, stopped_in_the_second_cell()))
    assert (outcome.ended, outcome.still_running) == ("cancelled", False) and seconds < 1
    assert texts(saved(env)[0]) == ["first\n"]
    assert not [child for child in psutil.Process().children() if "ipykernel_launcher" in child.cmdline()]


def test_the_cells_run_in_the_folder_of_the_notebook_and_silent_ones_share_a_line(env):
    (env.cwd / "sub").mkdir()
    written(env, "import os", "x = 1", "print(os.getcwd())")
    (env.cwd / "nb.ipynb").rename(env.cwd / "sub" / "nb.ipynb")
    running = run_function(notebook_run.execute, {"path": "sub/nb.ipynb"}, env, 60)
    output = asyncio.run(closing(env, running)).value
    assert output.content.splitlines()[1::2] == ["ok, no output: c0, c1", f"{env.cwd}/sub"]


def edited(env, old, new):
    path = env.cwd / "nb.ipynb"
    path.write_text(path.read_text().replace(old, new))


COUNTED = ("n = 0", "n += 1; print('b', n)", "print('c', n)", "print('d', n)")


async def worked_on(env):
    """A notebook that is run, edited, and run again in the kernel that it has."""
    seen = [await called(env), await called(env, ["c1"])]
    seen.append(await called(env, "stale"))
    edited(env, "'c'", "'C'")
    seen += [await called(env, ["c3"]), await called(env, "stale"), await called(env, ["c0..c1"])]
    (pid,) = [child.pid for child in psutil.Process().children() if "ipykernel_launcher" in child.cmdline()]
    psutil.Process(pid).kill()
    while env.kernels.find("nb.ipynb").kernel.is_alive:
        await asyncio.sleep(0.01)
    return [*seen, await called(env, ["c2"])]


def test_a_cell_runs_with_what_is_out_of_date_above_it_and_nothing_else(env):
    written(env, *COUNTED)
    outputs = asyncio.run(closing(env, worked_on(env)))
    ran = ["".join(cell["id"][1] for cell in output.value["cells"]) for output in outputs]
    assert ran == ["0123", "1", "23", "23", "", "01", "012"]
    assert [output.value["fresh_kernel"] for output in outputs] == [True] + [False] * 5 + [True]
    assert ["".join(name[1] for name in output.value["stale"]) for output in outputs] == [
        "",
        "23",
        "",
        "",
        "",
        "23",
        "3",
    ]
    assert "in the python3 kernel of this notebook, where 1 above have run as they are now" in outputs[1].content
    assert "below these, not run since the cells above them: c2, c3" in outputs[1].content
    assert "nothing to run" in outputs[4].content
    assert [texts(cell) for cell in saved(env)] == [[], ["b 1\n"], ["C 1\n"], ["d 2\n"]]


async def dies_between(env):
    """The kernel is killed while the run is between two cells, which only a child that waits can bring about."""
    killer = "import os, subprocess\nsubprocess.Popen(['sh', '-c', f'sleep 0.2; kill -9 {os.getpid()}'])"
    written(env, killer, "import time; time.sleep(30)", "print('never')")
    return await called(env)


def test_a_kernel_that_is_killed_from_outside_ends_the_run_at_once(env):
    started = time.monotonic()
    with pytest.raises(ToolError, match="SIGKILL") as caught:
        asyncio.run(closing(env, dies_between(env)))
    assert (caught.value.code, time.monotonic() - started < 15) == ("kernel_died", True)
    assert "not run: #2 (id c2)" in caught.value.message


@pytest.mark.parametrize(("mode", "decision"), [("default", "ask"), ("accept_edits", "ask"), ("dont_ask", "deny")])
def test_a_person_is_asked_even_where_edits_are_accepted(env, mode, decision):
    assert Policy(mode).decide(notebook_run, {"path": written(env, "1")}, env).decision == decision


def test_the_person_sees_the_code_before_it_runs(env):
    text = as_text(notebook_run.present_call({"path": written(env, "danger()")}, env))
    assert "danger()" in text and "1 code cell in a fresh python3 kernel" in text


@pytest.mark.parametrize("tag", ["ask-first", "expensive"])
def test_a_marked_cell_is_asked_about_whatever_rule_or_grant_allows_the_run(env, tag):
    written(env, "1", "2", tags=[(1, tag)])
    policy, approver = Policy("accept_edits", allow={"notebook_run"}), ScriptedApprover([Deny("not now")])
    model = ScriptedModel([Turn(calls=[("notebook_run", {"path": "nb.ipynb"})]), "done"])
    agent = Agent(model, ["notebook_run"], policy=policy, approver=approver, cwd=env.cwd)
    agent.grants.add(Grant("session", ("notebook_run",)))
    run = agent.run_sync("go")
    (question,) = approver.questions
    assert (question.reason, question.offers) == (f"it runs #1 (id c1), tagged {tag}", ())
    assert run.results[0].error_type == "approval_denied"
    assert policy.decide(notebook_run, {"path": "nb.ipynb", "cells": ["c0"]}, env).by == "allow_rule"
