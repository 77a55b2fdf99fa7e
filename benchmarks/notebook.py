"""One cell of a 20 MB notebook edited through all stages, against its bytes copied and against nbformat."""

import asyncio
import json
import tempfile
from pathlib import Path

import nbformat
from clock import MS, answers, tell, wall, wall_awaited

from cellwright import Env, Policy, Registry
from cellwright.approval import DenyAll
from cellwright.catalogue import load
from cellwright.conditions import Conditions, Standing
from cellwright.events import Log
from cellwright.ledger import Ledger
from cellwright.messages import Call
from cellwright.passage import Setup
from cellwright.pipeline import run_call


async def edited(path: Path) -> float:
    """Seconds of the tool's edit."""
    tool = load("notebook_edit")
    env = Env(path.parent.resolve(), Ledger(by_person=True))
    around = Setup(Registry([tool]), env, Standing(Conditions(Policy("accept_edits"))), approver=DenyAll(), log=Log())
    numbers = iter(range(1000))

    async def edit() -> None:
        args = {"path": path.name, "cell_id": "cell-7", "new_source": f"x = {next(numbers)}"}
        answers((await run_call(Call("call_1", tool.name, json.dumps(args)), around)).ok, True)

    return await wall_awaited(edit, 3)


def with_nbformat(path: Path) -> None:
    """The same edit as a script would make it."""
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[7].source = "x = 1"
    nbformat.write(notebook, path)


def large_notebook() -> nbformat.NotebookNode:
    """Code cells with an output of 100 kB each, 150 kB as nbformat writes it."""
    output = nbformat.v4.new_output("stream", name="stdout", text="0123456789 abcdefghij\n" * 4545)
    cells = [nbformat.v4.new_code_cell(f"x = {n}", outputs=[output], id=f"cell-{n}") for n in range(134)]
    return nbformat.v4.new_notebook(cells=cells)


async def measured() -> dict[str, float]:
    """All of it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "large.ipynb")
        path.write_text(nbformat.writes(large_notebook()), encoding="utf-8")
        return {
            "notebook_ms": await edited(path) * MS,
            "copy_ms": wall(lambda: path.write_bytes(path.read_bytes())) * MS,
            "nbformat_ms": await asyncio.to_thread(wall, lambda: with_nbformat(path), 3) * MS,
        }


if __name__ == "__main__":
    tell(measured)
