"""What Cellwright costs, as ratios measured in one run: `make bench`.

Each measurement holds the thing itself against the least that does the same work, on the same machine within the same
second, so that the ratio means the same everywhere. Nothing here passes or fails; the numbers are read by a person.
"""

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat

from cellwright import Agent, Env, Policy, Registry, ScriptedModel, Tool, Turn
from cellwright.approval import DenyAll
from cellwright.catalogue import load
from cellwright.events import Log
from cellwright.messages import Call
from cellwright.passage import Setup
from cellwright.pipeline import run_call
from cellwright.scheduler import run_calls

MS = 1000
SCHEMA = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"], "additionalProperties": False}


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: two times in milliseconds, and what they are of."""

    name: str
    ours: float
    ours_is: str
    plain: float
    plain_is: str


def best(act: Callable[[], object], times: int = 5) -> float:
    """Milliseconds of the fastest of a few tries: the one that the machine disturbed least."""
    return min(_timed(act) for _ in range(times)) * MS


def _timed(act: Callable[[], object]) -> float:
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def repeat(make: Callable[[], Awaitable[object]], count: int) -> float:
    """Milliseconds of one of many awaited in a row, the best of five rounds."""

    async def rounds() -> None:
        for _ in range(count):
            await make()

    return best(lambda: asyncio.run(rounds())) / count


def setup(*tools: Tool, folder: Path, log: Path | None = None) -> Setup:
    """The surroundings of a call, everything on."""
    return Setup(Registry(tools), Env(folder.resolve()), Policy(), DenyAll(), Log(path=log))


def one_call(folder: Path) -> Iterator[Row]:
    """A call through all stages, with its events in memory and then in a file, against the function alone."""

    async def double(args, env):
        return {"doubled": args["x"] * 2}

    tool = Tool.from_schema("double", "Doubles.", SCHEMA, double)
    tool = Tool(tool.name, tool.description, tool.input_schema, double, read_only=True)
    call = Call("call_1", "double", '{"x": 21}')

    async def bare():
        return await double(json.loads(call.arguments), None)

    plain = repeat(bare, 2000)
    for name, log in (("one call, log in memory", None), ("one call, log on disk", folder / "log.jsonl")):
        around = setup(tool, folder=folder, log=log)
        ours = repeat(lambda around=around: run_call(call, around), 200)
        around.log.close()
        yield Row(name, ours, "all 13 stages", plain, "json.loads and await f()")


def loop(folder: Path) -> Iterator[Row]:
    """A step of the loop late in a long run against one in a short run; it should not grow."""
    tool = Tool.from_schema("look", "Looks.", {"type": "object"}, lambda args, env: "seen")
    tool = Tool(tool.name, tool.description, tool.input_schema, tool.execute, read_only=True)

    def per_step(steps: int) -> float:
        turns = [*(Turn(calls=[("look", {})]) for _ in range(steps)), "done"]
        agent = Agent(ScriptedModel(turns), [tool], cwd=folder, max_steps=steps + 1)
        return best(lambda: agent_run(agent, turns), 1 if steps > 500 else 3) / steps

    yield Row("a step of the loop", per_step(1000), "in 1000 steps", per_step(100), "in 100 steps")


def agent_run(agent: Agent, turns: list) -> None:
    """A whole run, from the beginning of the script."""
    agent.model = ScriptedModel(turns)
    agent.run_sync("go")


def overlap(folder: Path) -> Iterator[Row]:
    """Eight blocking tools of 50 ms that may overlap, against one of them."""

    def wait(args, env):
        time.sleep(0.05)
        return "waited"

    tool = Tool.from_schema("wait", "Waits.", {"type": "object"}, wait)
    tool = Tool(tool.name, tool.description, tool.input_schema, wait, read_only=True, concurrency_safe=True)
    calls = [Call(f"call_{number}", "wait", "{}") for number in range(8)]
    ours = repeat(lambda: run_calls(calls, setup(tool, folder=folder)), 1)
    yield Row("8 blocking tools", ours, "8 calls of 50 ms", best(lambda: time.sleep(0.05)), "sleep(0.05)")


def definitions(folder: Path) -> Iterator[Row]:
    """What the model is sent each turn for 100 tools, against writing it out anew."""
    tools = [Tool.from_schema(f"tool_{n}", "Does one thing. " * 10, SCHEMA, lambda args, env: None) for n in range(100)]
    registry = Registry(tools)
    registry.definitions_json()
    ours = best(lambda: [registry.definitions_json() for _ in range(1000)]) / 1000
    yield Row(
        "definitions of 100 tools", ours, "kept", best(lambda: Registry(tools).definitions_json()), "written anew"
    )


def notebook_edit(folder: Path) -> Iterator[Row]:
    """One cell of a 20 MB notebook, through all stages, against its bytes read and written, and against nbformat."""
    path = folder / "large.ipynb"
    path.write_text(nbformat.writes(large_notebook()), encoding="utf-8")
    tool = load("notebook_edit")
    around = Setup(Registry([tool]), Env(folder.resolve()), Policy("accept_edits"), DenyAll(), Log())
    numbers = iter(range(1000))

    async def edit():
        args = {"path": path.name, "cell_id": "cell-7", "new_source": f"x = {next(numbers)}"}
        result = await run_call(Call("call_1", tool.name, json.dumps(args)), around)
        if not result.ok:
            raise SystemExit(result.content)

    ours = best(lambda: asyncio.run(edit()), 3)
    size = f"{path.stat().st_size / 1e6:.0f} MB"
    yield Row(
        f"edit a cell of {size}", ours, "notebook_edit", best(lambda: path.write_bytes(path.read_bytes())), "copy"
    )
    yield Row(f"edit a cell of {size}", ours, "notebook_edit", best(lambda: with_nbformat(path), 3), "nbformat")


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


def importing(folder: Path) -> Iterator[Row]:
    """A Python that imports Cellwright against one that imports nothing."""

    def started(code: str) -> float:
        return statistics.median(
            _timed(lambda: subprocess.run([sys.executable, "-c", code], check=True)) for _ in range(5)
        )

    plain = started("") * MS
    yield Row("start of Python", started("import cellwright") * MS, "import cellwright", plain, "nothing")
    yield Row("start of Python", started("import nbformat") * MS, "import nbformat", plain, "nothing")


def main() -> None:
    """Prints the table."""
    print(f"{'what':24} {'ms':>10}  {'of':24} {'ms':>10}  {'against':24} {'ratio':>8}")
    for measure in (one_call, loop, overlap, definitions, notebook_edit, importing):
        with tempfile.TemporaryDirectory() as folder:
            for row in measure(Path(folder)):
                print(
                    f"{row.name:24} {row.ours:10.4f}  {row.ours_is:24} {row.plain:10.4f}  {row.plain_is:24}",
                    f"{row.ours / row.plain:8.3g}",
                )


if __name__ == "__main__":
    main()
