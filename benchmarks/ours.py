"""Cellwright itself, through the entry points that everybody uses: `run_call` with a setup, and `Agent.run`.

Events, guards, rules and the log in memory are on, as they always are. Prints JSON; `run.py` makes a table of it.
"""

import asyncio
import json
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from functools import partial
from pathlib import Path

from clock import MS, STEPS, US, answers, cpu, cpu_awaited, per_step, tell, wall_awaited
from msgspec.structs import replace

from cellwright import Agent, Env, Policy, Registry, Tool
from cellwright.arguments import read_arguments
from cellwright.calls.conditions import Conditions, Standing
from cellwright.calls.passage import Setup
from cellwright.calls.pipeline import run_call
from cellwright.deferral import THRESHOLD, Threshold
from cellwright.hooks.hook import Hook
from cellwright.log.events import Log
from cellwright.messages import Call
from cellwright.models.model import CallPart, EndPart, Part, Request, TextPart
from cellwright.person.approval import DenyAll
from cellwright.runs.budget import Budget
from cellwright.schema import Schema
from cellwright.surface import Surface

NUMBERS = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
    "required": ["a", "b"],
    "additionalProperties": False,
}
SIX_FIELDS = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "minLength": 1},
        "pattern": {"type": "string"},
        "limit": {"type": "integer", "minimum": 1, "maximum": 1000},
        "mode": {"enum": ["content", "files", "count"]},
        "ignore_case": {"type": "boolean"},
        "globs": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["path", "pattern"],
    "additionalProperties": False,
}
SIX_VALUES = {
    "path": "src/pkg/module.py",
    "pattern": "def \\w+",
    "limit": 50,
    "mode": "content",
    "ignore_case": True,
    "globs": ["*.py", "*.md"],
}
CALL = Call("call_1", "add", '{"a": 2, "b": 3}')


async def add(args: dict, env: Env) -> int:
    """The tool of all measurements."""
    return args["a"] + args["b"]


def sleep(args: dict, env: Env) -> str:
    """A tool that blocks the thread it runs in."""
    time.sleep(0.05)
    return "slept"


async def wait(args: dict, env: Env) -> str:
    """One that waits as asynchronous code does."""
    await asyncio.sleep(0.05)
    return "slept"


def read_tool(execute: object, name: str = "", schema: dict | None = None) -> Tool:
    """A tool that may run without a question and beside others."""
    schema = Schema(schema or {"type": "object"}, "tool")
    return Tool(name or execute.__name__, "Does it.", schema, execute, read_only=True, concurrency_safe=True)


async def look(args: dict, env: Env) -> int:
    """A tool that is given a path."""
    return 5 if env.path(args["path"]).is_file() else 0


ADD = read_tool(add, schema=NUMBERS)
LOOK = replace(read_tool(look, schema={"type": "object", "properties": {"path": {"type": "string"}}}), paths=("path",))


class Calling:
    """A model that does nothing but call, so many turns long, then ends."""

    name = "calling"

    def __init__(self, turns: int, calls: Sequence[tuple[str, str]] = (("add", CALL.arguments),)) -> None:
        self.left = turns
        self.calls = calls

    async def stream(self, request: Request) -> AsyncIterator[Part]:
        """The next turn."""
        self.left -= 1
        if self.left < 0:
            yield TextPart("done")
        for index, (name, arguments) in enumerate(self.calls if self.left >= 0 else ()):
            yield CallPart(index, f"call_{self.left}_{index}", name, arguments)
        yield EndPart("calls" if self.left >= 0 else "end")


async def play(steps: int, tools: Sequence[Tool] = (ADD,), folder: Path = Path(), **conditions: object) -> None:
    """A run of so many steps with one call each."""
    run = await Agent(Calling(steps), Registry(tools), cwd=folder, budget=Budget(steps=None), **conditions).run("go")
    answers((run.stop_reason, run.steps, all(r.ok for r in run.results)), ("answered", steps + 1, True))


def setup(folder: Path, tool: Tool = ADD, policy: Policy | None = None, hooks: tuple[Hook, ...] = ()) -> Setup:
    """The surroundings of a call."""
    env = Env(folder.resolve())
    return Setup(
        Registry([tool]), env, Standing(Conditions(policy or Policy())), approver=DenyAll(), log=Log(), hooks=hooks
    )


async def one_call(folder: Path, call: Call = CALL, count: int = 200, rounds: int = 7, **conditions: object) -> float:
    """Microseconds of one call through all stages; each round begins with an empty log."""
    result = await run_call(call, setup(folder, **conditions))
    answers((result.ok, result.content), (True, "5"))
    best = float("inf")
    for _ in range(rounds):
        around = setup(folder, **conditions)
        best = min(best, await cpu_awaited(partial(run_call, call, around), count, 1))
    return best * US


async def calls(folder: Path) -> dict[str, float]:
    """One call: as it is, with rules and hooks for others, with a hook before and after it, and its arguments alone."""
    kinds = {kind: [f"tool_{kind}_{n}" for n in range(33)] for kind in ("allow", "ask", "deny")}
    kinds["deny"].append("edit_file(secret/*)")
    crowd = tuple(Hook("before_call", pass_by, {f"tool_{n}"}) for n in range(100))
    listening = (Hook("before_call", pass_by), Hook("after_call", pass_by))
    path = folder / "src" / "package" / "module.py"
    path.parent.mkdir(parents=True)
    path.touch()
    naming = Call("call_1", "look", json.dumps({"path": "src/package/module.py"}))
    schema = Schema(SIX_FIELDS, "tool")
    text = json.dumps(SIX_VALUES)
    return {
        "call_us": await one_call(folder),
        "call_path_us": await one_call(folder, naming, tool=LOOK),
        "call_rules_us": await one_call(folder, policy=Policy(**kinds), hooks=crowd),
        "call_hooked_us": await one_call(folder, policy=Policy(**kinds), hooks=(*crowd, *listening)),
        "validate_us": cpu(lambda: schema.problems(SIX_VALUES), 2000) * US,
        "arguments_us": cpu(lambda: schema.problems(read_arguments(text, schema)[0]), 1000) * US,
    }


async def pass_by(occasion: object) -> None:
    """A hook that says nothing."""


async def loop(folder: Path) -> dict[str, float]:
    """A step of the loop in runs of growing length."""
    steps = {f"step_ms_{n}": await per_step(partial(play, folder=folder), n) * MS for n in (*STEPS, 5000)}
    return steps | {"step_disk_ms": await on_disk(folder) * MS}


async def on_disk(folder: Path) -> float:
    """The same in a hundred steps with the log written to disk."""
    numbers = iter(range(1000))
    return await per_step(lambda n: play(n, folder=folder, log=folder / f"{next(numbers)}.jsonl"), 100)


async def overlap(folder: Path) -> dict[str, float]:
    """Eight calls of 50 ms in one turn, on the wall; a whole run around them."""

    async def turn(execute: object) -> None:
        model = Calling(1, [(execute.__name__, "{}")] * 8)
        run = await Agent(model, [read_tool(execute)], cwd=folder).run("go")
        answers([r.content for r in run.results], ["slept"] * 8)

    return {
        f"eight_{kind}_ms": await wall_awaited(partial(turn, f)) * MS for kind, f in (("sync", sleep), ("async", wait))
    }


ALL = Threshold(tools=1000, chars=10**9)


async def hundred_tools(folder: Path) -> dict[str, float]:
    """The list of a hundred tools: made ready for one turn, and what it adds to a step over a list of one."""
    many = [ADD, *(read_tool(add, f"tool_{n}", SIX_FIELDS) for n in range(99))]
    whole, waiting = (replace(setup(folder), registry=Registry(many), surface=Surface(t)) for t in (ALL, THRESHOLD))
    answers([len(around.listing().definitions) for around in (whole, waiting)], [100, 1])
    one, hundred = [await per_step(partial(play, tools=tools, folder=folder), 300) for tools in ([ADD], many)]
    return {
        "list_us": cpu(whole.listing, 10_000) * US,
        "list_waiting_us": cpu(waiting.listing, 10_000) * US,
        "list_step_us": max(0.0, hundred - one) * US,
        "list_made_us": cpu(lambda: replace(whole, registry=Registry(many), surface=Surface(ALL)).listing()) * US,
    }


async def early_start(folder: Path) -> dict[str, float]:
    """From the end of a call's block in the stream, which goes on for 100 ms, to the start of the tool."""
    ended, started = 0.0, 0.0

    async def note(args: dict, env: Env) -> None:
        nonlocal started
        started = started or time.perf_counter()

    class Slow(Calling):
        async def stream(self, request: Request) -> AsyncIterator[Part]:
            nonlocal ended
            self.left -= 1
            if self.left < 0:
                yield EndPart("end")
                return
            yield CallPart(0, "call_0", "note", "{}")
            ended = time.perf_counter()
            yield CallPart(1, "call_1", "note", "{")
            await asyncio.sleep(0.1)
            yield CallPart(1, "call_1", "note", "}")
            yield EndPart("calls")

    best = float("inf")
    for _ in range(3):
        started = 0.0
        await Agent(Slow(1), [read_tool(note)], cwd=folder).run("go")
        best = min(best, started - ended)
    return {"start_ms": best * MS}


async def measured() -> dict[str, float]:
    """All of it."""
    with tempfile.TemporaryDirectory() as folder:
        parts = [await part(Path(folder)) for part in (calls, loop, overlap, hundred_tools, early_start)]
    return {name: number for part in parts for name, number in part.items()}


if __name__ == "__main__":
    tell(measured)
