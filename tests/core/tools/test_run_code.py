"""Pieces of code in kernels that a run holds."""

import asyncio
import sys

import psutil
import pytest

from cellwright import Agent, Policy, ScriptedModel
from cellwright.catalogue import load
from cellwright.person.approval import AllowAll
from cellwright.views.table import Table
from cellwright.views.view import Code, Picture, as_text

from ..kernelspecs import install
from ..scene import calling, play_long
from .notebooks import code, env, write

run_code = load("run_code")
TOOLS = [run_code, *map(load, ("notebook_run", "wait", "run_command"))]


def pieces(*codes, **more):
    return [calling(("run_code", {"code": piece, **more})) for piece in codes]


def ran(folder, *turns, **conditions):
    conditions.setdefault("approver", AllowAll())
    return play_long([*turns, "done"], TOOLS, cwd=folder, **conditions).results


WELL = {
    "assign": "import os, time, threading\nx = 41; print('hi')\nx + 1",
    "again": "x",
    "fails": "def f():\n  return 1 / 0\nprint('so far')\nf()",
    "unknown": "%nope",
    "asks": "input('name? ')",
    "silent": "y = 2",
    "plot": "import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show()",
    "frame": "import pandas as pd\npd.DataFrame({'n': [1, 2]})",
    "late": "threading.Timer(0.3, print, ['late']).start(); 'done'",
    "sum": "2 + 2",
    "news": "time.sleep(0.6)",
    "dies": "print('last words'); os._exit(3)",
    "revived": "1 + 1",
}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    found = ran(tmp_path_factory.mktemp("code"), *pieces(*WELL.values()))
    return dict(zip(WELL, found, strict=True))


def test_variables_stay_for_the_next_piece(results):
    assert (results["assign"].content, results["again"].content) == ("hi\n42", "41")
    assert results["again"].value == {"output": "41", "kernel": "python3", "execution_count": 2, "notes": []}
    assert results["silent"].content == "(the code ran; it printed nothing and its last line has no value)"


def test_an_error_is_short_and_ends_with_the_failing_line(results):
    failed = results["fails"]
    assert (failed.error_type, failed.metadata["code"]) == ("tool_error", "code_failed")
    assert failed.content.startswith("so far\n") and len(failed.content.splitlines()) == 6
    assert failed.content.splitlines()[-2:] == ["----> 2   return 1 / 0", "ZeroDivisionError: division by zero"]


def test_an_error_that_ipython_prints_is_told_once(results):
    assert results["unknown"].metadata["code"] == "code_failed"
    assert results["unknown"].content == "[stderr]\nUsageError: Line magic function `%nope` not found."


def test_input_is_answered_by_an_error_that_says_what_to_do(results):
    assert "input() has no answer here" in results["asks"].content
    assert "write the value into the code" in results["asks"].content.splitlines()[-1]


def test_pictures_and_tables_are_views_and_short_text(results):
    assert [type(view) for view in results["plot"].view.views] == [Code, Picture] and len(results["plot"].images) == 1
    assert any(isinstance(view, Table) for view in results["frame"].view.views)
    assert results["plot"].content.startswith("[image/png") and "<td>" not in results["frame"].content


def test_what_comes_late_is_told_with_its_origin_and_never_as_part_of_another_result(results):
    assert [results[name].content for name in ("late", "sum")] == ["'done'", "4"]
    assert results["news"].content == "[what earlier code has put out since its end]\nlate"


def test_a_death_is_told_with_the_last_words_and_the_next_piece_says_what_is_lost(results):
    assert results["dies"].metadata["code"] == "kernel_died"
    assert results["dies"].content.startswith("last words\nThe kernel died: it ended itself with exit code 3.")
    assert results["revived"].content == (
        "2\nThis cell ran in a new kernel, because the kernel had died: variables of earlier cells are lost."
    )


def test_after_the_run_no_kernel_is_left(results):
    assert not [child for child in psutil.Process().children() if "ipykernel_launcher" in " ".join(child.cmdline())]


@pytest.mark.parametrize(("mode", "decision"), [("default", "ask"), ("accept_edits", "ask"), ("dont_ask", "deny")])
def test_a_person_is_asked_even_where_edits_are_accepted(tmp_path, mode, decision):
    assert Policy(mode).decide(run_code, {"code": "1"}, env(tmp_path)).decision == decision


def test_the_person_sees_the_code_and_where_it_will_run(tmp_path):
    shown = run_code.present_call({"code": "danger()", "timeout": 5}, env(tmp_path))
    assert as_text(shown) == "in the kernel python3, which is started for it, for 5 s at most\ndanger()"
    assert shown.views == (Code("danger()", "python"),)


def tagged(folder, tag):
    write(folder, [{**code("a", "launch()\n"), "metadata": {"tags": [tag]}}])
    return {"code": "x = 1\nlaunch()", "kernel": "a.ipynb"}


def test_a_cell_that_must_not_run_does_not_run_as_a_piece_of_code(tmp_path):
    args = tagged(tmp_path, "never-run")
    decision = Policy(allow={"run_code"}).decide(run_code, args, env(tmp_path))
    assert (decision.decision, decision.reason) == ("deny", "it is the code of cell #0 (id a), tagged never-run")


@pytest.mark.parametrize("tag", ["ask-first", "expensive"])
def test_a_marked_cell_is_asked_about_as_a_piece_of_code_too(tmp_path, tag):
    decision = Policy(allow={"run_code"}).decide(run_code, tagged(tmp_path, tag), env(tmp_path))
    assert (decision.decision, tag in decision.reason) == ("ask", True)


def test_code_in_the_background_that_nobody_waited_for_is_told_by_the_next_piece(tmp_path):
    begin = calling(("run_code", {"code": "print('from afar')", "background": True}))
    results = ran(
        tmp_path, begin, calling(("wait", {})), begin, calling(("run_command", {"command": "sleep 1"})), *pieces("1")
    )
    assert results[0].content.startswith("code-1 runs in the background in the kernel python3")
    assert results[1].content == "code-1 (ended):\nfrom afar"
    assert results[-1].content == "1\n[code-2 has ended]\nfrom afar"


async def run_after_a_failed_start(env):
    """The kernel `second` does not start for the first piece, and does for the second one."""
    try:
        await run_code.execute({"code": "1", "kernel": "second", "background": True}, env)
        await env.kernels.piece("code-1").wait(60)
        return await run_code.execute({"code": "6 * 7", "kernel": "second"}, env)
    finally:
        await env.kernels.close()


def test_a_piece_whose_kernel_did_not_start_is_told_and_takes_nothing_from_the_next_one(tmp_path, monkeypatch):
    script = f'mkdir "{tmp_path}/tried" || exec "{sys.executable}" -m ipykernel_launcher -f "$0"'
    install(tmp_path, monkeypatch, "second", argv=["sh", "-c", script, "{connection_file}"])
    told = asyncio.run(run_after_a_failed_start(env(tmp_path))).content
    assert told.startswith("42\n[code-1 has ended]\nThe kernel did not start")


def test_what_a_run_goes_on_from_had_variables_that_are_gone_and_that_is_told_once(tmp_path):
    model = ScriptedModel([*pieces("x = 1"), "done", *pieces("2"), *pieces("3"), "done"])
    agent = Agent(model, [run_code], cwd=tmp_path, approver=AllowAll())
    first = agent.run_sync("go")
    second = agent.run_sync("go on", after=first)
    lost = "the kernel of the earlier run has ended, and its variables with it; this is a new one"
    assert [result.content for result in second.results] == [f"2\n{lost}", "3"]


class Listening:
    """An observer that keeps the lines of progress."""

    def __init__(self):
        self.lines = []

    def on_event(self, event):
        self.lines += [event.data["text"]] if event.kind == "progress" else []


def test_what_code_prints_is_told_while_it_runs(tmp_path):
    listening = Listening()
    slow = "import time\nfor n in range(2): print('step', n, flush=True); time.sleep(0.15)"
    play_long([*pieces(slow), "done"], [run_code], cwd=tmp_path, approver=AllowAll(), observers=[listening])
    assert "step 0" in listening.lines[0]
