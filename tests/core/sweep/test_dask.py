"""The same sweep on a Dask cluster."""

import json
import subprocess
import sys
from pathlib import Path

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
