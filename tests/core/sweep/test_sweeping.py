"""Many runs at once."""

import asyncio
import json
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import psutil
import pytest
from msgspec.structs import replace

from cellwright import ScriptedModel, UsageError
from cellwright.sweep import Candidate, Task, sweep

from . import candidates as c

PROBLEM = Task("Write the answer", "write", check=c.is_written)


def candidate(model, **more):
    return Candidate(model, tools=c.tools, policy="accept_edits", **more)


def swept(folder, tasks, models, **more):
    return asyncio.run(sweep(tasks, models, folder=folder / "out", workers=2, **more))


def test_each_candidate_tries_each_task_and_a_check_says_how_well(tmp_path):
    results = swept(tmp_path, [PROBLEM, "Say it"], [candidate(c.writes), candidate(c.talks)])
    rows = {(row.task, row.model): row for row in results}
    assert len(rows) == 4 and all(row.stop_reason == "answered" for row in results)
    row = rows["write", "writes"]
    assert (row.score, row.steps, row.calls, row.input_tokens, row.cached_tokens) == (1.0, 2, 1, 250, 50)
    assert "the check failed: FileNotFoundError" in rows["write", "talks"].error
    assert rows["Say it", "talks"].score is None and rows["Say it", "talks"].answer == "the answer is 42"


def test_a_run_that_crashes_or_hangs_costs_one_row(tmp_path):
    bad = [candidate(c.ends), candidate(c.hangs), candidate(c.is_no_model), candidate(c.talks)]
    results = swept(tmp_path, ["go"], bad, seconds=8)
    rows = {row.model: row for row in results}
    assert {name: row.stop_reason for name, row in rows.items()} == {
        "ends": "crashed", "hangs": "timeout", "is_no_model": "crashed", "talks": "answered",
    }  # fmt: skip
    assert "about to end" in rows["ends"].error and "it took more than 8 s" in rows["hangs"].error
    assert "'model' is no model" in rows["is_no_model"].error
    assert "end_process" in Path(rows["ends"].log).read_text()


def test_each_run_works_in_a_copy_of_its_tasks_folder(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "data.txt").write_text("kept")
    task = Task("go", folder=tmp_path / "in", check=lambda folder, answer: (folder / "data.txt").read_text() == "kept")
    (row,) = swept(tmp_path, [task], [candidate(c.writes)])
    assert row.score == 1.0
    assert os.listdir(tmp_path / "in") == ["data.txt"]


def test_a_sweep_that_is_begun_again_makes_only_the_runs_that_have_no_row_and_says_so(tmp_path, capsys):
    (first,) = swept(tmp_path, [PROBLEM], [candidate(c.writes)])
    assert capsys.readouterr().out == ""
    again = swept(tmp_path, [PROBLEM], [candidate(c.writes), candidate(c.talks)], repeats=2)
    assert again[0] == first
    assert [(row.model, row.attempt) for row in again] == [("writes", 1), ("talks", 1), ("writes", 2), ("talks", 2)]
    said = capsys.readouterr().out
    assert said.startswith(f"1 of 4 runs are taken from {tmp_path / 'out'} ") and "sweep(..., anew=True)" in said
    (anew,) = swept(tmp_path, [PROBLEM], [candidate(c.writes)], anew=True)
    assert anew.log != first.log and capsys.readouterr().out == ""


def test_an_edited_candidate_is_made_anew_and_only_the_rows_asked_for_come_back(tmp_path):
    def says(words):
        def mine():
            return ScriptedModel([words])

        return candidate(mine)

    rows = [
        [(row.model, row.answer) for row in swept(tmp_path, ["go"], models)]
        for models in ([candidate(c.talks)], [says("7")], [says("42")], [says("7")])
    ]
    assert rows == [[("talks", "the answer is 42")], [("mine", "7")], [("mine", "42")], [("mine", "7")]]


def test_an_edited_check_looks_at_the_runs_that_were_kept(tmp_path, capsys):
    def raises(folder, answer):
        return {}["none"]

    rows = [
        swept(tmp_path, [replace(PROBLEM, check=check)], [candidate(c.writes)])[0]
        for check in (raises, c.is_written, lambda folder, answer: answer == "spoken", None)
    ]
    assert [(row.score, row.error) for row in rows] == [
        (None, "the check failed: KeyError: 'none'"), (1.0, ""), (0.0, ""), (None, ""),
    ]  # fmt: skip
    assert len({row.log for row in rows}) == 1 and capsys.readouterr().out.count("1 of 1 runs are taken") == 3


def test_a_sweep_that_is_stopped_leaves_no_process_and_keeps_its_rows(tmp_path):
    async def stopped():
        task = asyncio.create_task(
            sweep(["go"], [candidate(c.talks), candidate(c.hangs)], folder=tmp_path / "out", workers=2)
        )
        while not (tmp_path / "out" / "results.jsonl").exists():
            await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(stopped())
    left = [child.cmdline() for child in psutil.Process().children() if "cellwright.sweep.child" in child.cmdline()]
    assert left == []
    assert (tmp_path / "out" / "results.jsonl").read_text().count("\n") == 1


def test_any_executor_can_make_the_runs(tmp_path):
    with ThreadPoolExecutor(1) as executor:
        rows = [swept(tmp_path, [PROBLEM], [candidate(c.writes)], executor=executor)[0] for _ in range(2)]
    assert rows[0] == rows[1] and (rows[0].answer, rows[0].score) == ("written", 1.0)


@pytest.mark.parametrize(
    ("tasks", "models", "more", "words"),
    [
        ([3], ["scripted:tour"], {}, "3 is no task; write Task"),
        (["go"], [c.talks], {}, "is no candidate; write Candidate"),
        (["go"], ["scripted:tour"], {"repeats": 0}, "repeats=0 is no number from 1"),
        (["go", "go"], ["scripted:tour"], {}, "two tasks are called 'go'; give each a name="),
        (["go"], [Candidate(partial(print, threading.Lock()))], {}, "can't be sent to a process"),
    ],
)
def test_what_can_be_no_sweep_is_said_before_anything_runs(tmp_path, tasks, models, more, words):
    with pytest.raises(UsageError) as caught:
        swept(tmp_path, tasks, models, **more)
    assert words in str(caught.value)


PROGRAM = """
import asyncio, json, sys
from distributed import Client, LocalCluster
from cellwright import ScriptedModel
from cellwright.sweep import Candidate, Task, sweep

def short():
    return ScriptedModel(["42"])

if __name__ == "__main__":
    with LocalCluster(n_workers=1, threads_per_worker=2, dashboard_address=None) as cluster, Client(cluster) as client:
        tasks = [Task("first", check=lambda folder, answer: answer == "42"), Task("second")]
        results = asyncio.run(sweep(tasks, [Candidate(short)], folder=sys.argv[1], executor=client.get_executor()))
    print(json.dumps([row.as_json() for row in results]))
"""


def test_a_cluster_makes_the_runs_and_their_logs_come_back(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    ended = subprocess.run(
        [sys.executable, "program.py", "out"], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert ended.returncode == 0, ended.stderr
    rows = {row["task"]: row for row in json.loads(ended.stdout.splitlines()[-1])}
    assert {name: (row["answer"], row["score"]) for name, row in rows.items()} == {
        "first": ("42", 1.0), "second": ("42", None),
    }  # fmt: skip
    assert all("run_ended" in Path(row["log"]).read_text() for row in rows.values())
