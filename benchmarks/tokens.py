"""What ten notebook tasks cost a model in tokens: ours, jupyter-mcp-server's tools, and reading the file itself.

Each side does each task with the calls that lead there soonest. What is counted is what a model is sent or writes: the
definitions of the tools, the calls, and the texts of the results; all by one tokenizer. The peer runs for real, with a
JupyterLab of its own.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from environment import Peer, python_of
from notebook_tasks import NAME, NEW_CELL, TASKS, written

from cellwright import Env, Policy, Registry
from cellwright.calls.conditions import Conditions, Standing
from cellwright.calls.passage import Setup
from cellwright.calls.pipeline import run_call
from cellwright.catalogue import load
from cellwright.log.events import Log
from cellwright.messages import Call
from cellwright.person.approval import AllowAll

PEER = Peer(
    "jupyter-mcp-server",
    "jupyter_mcp",
    (
        "jupyter-mcp-server==2.2.4",
        "jupyterlab==4.6.6",
        "jupyter-collaboration==5.0.4",
        "ipykernel",
        "bpe-openai==0.1.4",
    ),
    "",
)
TOOLS = ("notebook_outline", "notebook_read", "notebook_search", "notebook_edit", "notebook_patch", "notebook_run")


def edit(cell_id: str, old: str, new: str) -> dict[str, object]:
    """One place of a cell changed, as `notebook_patch` takes it."""
    return {"edit_mode": "edit", "cell_id": cell_id, "old_string": old, "new_string": new}


CALLS: tuple[tuple[tuple[str, dict[str, object]], ...], ...] = (
    (("notebook_outline", {}),),
    (("notebook_search", {"pattern": "revenue.*="}),),
    (("notebook_read", {"cells": ["table"]}),),
    (("notebook_patch", {"edits": [edit("price", "1.05", "1.07")]}),),
    (
        (
            "notebook_edit",
            {"edit_mode": "insert_before", "cell_id": "table", "cell_type": "markdown", "new_source": "## Head"},
        ),
    ),
    (
        ("notebook_edit", {"edit_mode": "insert_after", "cell_id": "price", "new_source": NEW_CELL}),
        ("notebook_run", {"cells": ["NEW"]}),
    ),
    (("notebook_edit", {"edit_mode": "delete", "cell_id": "note_3"}),),
    (("notebook_edit", {"edit_mode": "move_after", "cell_id": "note_0", "target_id": "intro"}),),
    (
        ("notebook_read", {"cells": ["broken"]}),
        ("notebook_patch", {"edits": [edit("broken", "grand_totl", "grand_total")]}),
    ),
    (
        (
            "notebook_patch",
            {"edits": [{**edit(f"region_{n}", "subset", "sold"), "replace_all": True} for n in range(4)]},
        ),
    ),
)


async def ours(folder: Path) -> dict[str, object]:
    """Our definitions, and each task's calls with what they gave."""
    written(folder)
    registry = Registry([load(name) for name in TOOLS])
    standing = Standing(Conditions(Policy("accept_edits", allow=set(TOOLS))))
    around = Setup(registry, Env(folder.resolve()), standing, approver=AllowAll(), log=Log())
    tasks, new = [], ""
    for number, calls in enumerate(CALLS):
        told = []
        for name, args in calls:
            given = json.dumps({"path": NAME, **args}, ensure_ascii=False).replace('"NEW"', json.dumps(new))
            result = await run_call(Call(f"call_{number}", name, given), around)
            if not result.ok:
                raise SystemExit(f"{name} failed at {TASKS[number]!r}: {result.content}")
            if name == "notebook_edit" and isinstance(result.value, dict):
                new = str(result.value["id"])
            told.append({"call": f"{name} {given}", "result": result.content})
        tasks.append(told)
    return {"definitions": registry.definitions_json().decode(), "tasks": tasks}


def counted() -> list[dict[str, object]]:
    """The rows of the table: who, and the tokens of definitions and of each task."""
    python, problem = python_of(PEER)
    if problem:
        print(f"{PEER.title} is left out: {problem}", file=sys.stderr)
        return []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "ours")
        folder.mkdir()
        mine = Path(place, "ours.json")
        mine.write_text(json.dumps(asyncio.run(ours(folder))), encoding="utf-8")
        command = [python, "-P", str(Path(__file__).parent / "peers" / "jupyter_mcp.py"), str(mine)]
        environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent), "PYTHONWARNINGS": "ignore"}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{PEER.title} failed: {done.stderr.strip()[-500:]}", file=sys.stderr)
        return []
    return json.loads(done.stdout.splitlines()[-1])


def show(rows: list[dict[str, object]]) -> None:
    """The table, with the sum in brackets as many times ours."""
    if not rows:
        return
    print("\ntokens of ten notebook tasks (o200k_base)")
    width = max(len(task) for task in TASKS)
    print(" " * width, *(f"{row['who']:>22}" for row in rows))
    for index, task in enumerate(("definitions of the tools", *TASKS)):
        print(f"{task:{width}}", *(f"{row['tokens'][index]:>22,}" for row in rows))
    for title, key in (("all, definitions once", "once"), ("all, as sent in each turn", "as_sent")):
        print(f"{title:{width}}", *(f"{row[key]:>13,} ({row[key] / rows[0][key]:5.2f}x)" for row in rows))


if __name__ == "__main__":
    show(counted())
