"""A notebook of 20 MB through all stages of a call, against its bytes read and written, and against nbformat.

A notebook of so many bytes holds few cells and large outputs, so what counts is how often all its bytes are gone
through. The bytes are read and written twice for comparison: as a program does that leaves the rest to the system, and
as one that has them on the disk before it says so, which is what the tool does.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path
from time import perf_counter

from clock import MS, answers, tell, wall, wall_awaited

from cellwright import Env, Policy, Registry
from cellwright.calls.conditions import Conditions, Standing
from cellwright.calls.passage import Setup
from cellwright.calls.pipeline import run_call
from cellwright.catalogue import load
from cellwright.files.ledger import Ledger
from cellwright.log.events import Log
from cellwright.messages import Call
from cellwright.notebook import NotebookDocument, check
from cellwright.person.approval import DenyAll

CELLS, MANY_CELLS = 134, 800
"""Cells of 150 kB in a notebook of 20 MB and in one of 120 MB."""
IN_A_ROW = 100
ROUNDS = 9


def calling(path: Path) -> Callable[[str], Awaitable[None]]:
    """A call of `notebook_edit` or `notebook_outline` on this file, through all stages."""
    tools = [load("notebook_edit"), load("notebook_outline")]
    env = Env(path.parent.resolve(), Ledger(by_person=True))
    around = Setup(Registry(tools), env, Standing(Conditions(Policy("accept_edits"))), approver=DenyAll(), log=Log())
    numbers = count()

    async def call(name: str) -> None:
        args = {"path": path.name}
        if name == "notebook_edit":
            args |= {"cell_id": "cell-7", "new_source": f"x = {next(numbers)}"}
        result = await run_call(Call("call_1", name, json.dumps(args)), around)
        answers((result.ok, result.content[:200] * (not result.ok)), (True, ""))

    return call


def document_alone(data: bytes) -> None:
    """The edit without a file: parsed, changed, judged and put together again."""
    before = NotebookDocument.parse(data, "large.ipynb")
    after = before.replace_source(before.find("cell-7"), "x = 1")
    answers((check(before, after), len(b"".join(after.pieces)) > 1_000_000), ((), True))


def copied(path: Path, flush: bool) -> None:
    """The bytes of the file read and written to another."""
    data = path.read_bytes()
    with path.with_suffix(".copy").open("wb") as file:
        file.write(data)
        if flush:
            os.fsync(file.fileno())


def with_nbformat(path: Path) -> None:
    """The same edit as a script would make it."""
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    notebook.cells[7].source = "x = 1"
    nbformat.validate(notebook)
    nbformat.write(notebook, path)


async def in_a_row(call: Callable[[str], Awaitable[None]]) -> float:
    """How many times longer the last ten edits of a hundred take than the first ten."""
    times = []
    for _ in range(IN_A_ROW):
        started = perf_counter()
        await call("notebook_edit")
        times.append(perf_counter() - started)
    return sorted(times[-10:])[5] / sorted(times[:10])[5]


def written(path: Path, cells: int) -> Path:
    """A notebook of code cells with an output of 100 kB each, 150 kB as Jupyter writes it."""
    output = {"name": "stdout", "output_type": "stream", "text": ["0123456789 abcdefghij\n"] * 4545}
    code = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [output]}
    made = [{**code, "id": f"cell-{n}", "source": [f"x = {n}"]} for n in range(cells)]
    notebook = {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(notebook, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return path


def memory(path: Path) -> float:
    """How many times the size of the file a process that edits it takes at most, beside what it takes before."""
    command = [sys.executable, "-P", __file__, str(path)]
    done = subprocess.run(command, env=os.environ, capture_output=True, text=True, check=True)
    return float(done.stdout) / path.stat().st_size


async def peak_of(path: Path) -> None:
    """Prints the bytes that an edit adds to the most that this process has taken."""
    call, before = calling(path), _peak()
    await call("notebook_edit")
    print(_peak() - before)


def _peak() -> int:
    """The most bytes that this process has had in memory; what the kernel counts for a child begins with its parent."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text(encoding="utf-8").splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


async def measured() -> dict[str, float]:
    """All of it."""
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder, "large.ipynb"), CELLS)
        data, call = path.read_bytes(), calling(path)
        numbers = {
            "notebook_ms": await wall_awaited(lambda: call("notebook_edit"), ROUNDS) * MS,
            "outline_ms": await wall_awaited(lambda: call("notebook_outline"), ROUNDS) * MS,
            "document_ms": wall(lambda: document_alone(data), ROUNDS) * MS,
            "copy_ms": wall(lambda: copied(path, flush=False), ROUNDS) * MS,
            "copy_flushed_ms": wall(lambda: copied(path, flush=True), ROUNDS) * MS,
            "in_a_row": await in_a_row(call),
            "nbformat_ms": await asyncio.to_thread(wall, lambda: with_nbformat(path), 3) * MS,
        }
        return {**numbers, "notebook_memory": memory(written(Path(folder, "larger.ipynb"), MANY_CELLS))}


if __name__ == "__main__":
    if len(sys.argv) > 1:
        asyncio.run(peak_of(Path(sys.argv[1])))
    else:
        tell(measured)
