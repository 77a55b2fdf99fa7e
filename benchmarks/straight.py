"""The least code that does the same work, written straight down: no events, no rules, no log.

A call is read, validated, run under a time limit and written as JSON; the loop is a list that grows. The validator is
the fastest for any JSON Schema, the pool of threads its own.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

from clock import MS, STEPS, US, answers, cpu, cpu_awaited, per_step, tell, wall_awaited
from jsonschema_rs import Draft202012Validator
from ours import NUMBERS, SIX_FIELDS, SIX_VALUES, read_tool

VALIDATOR = Draft202012Validator(NUMBERS)
SIX = Draft202012Validator(SIX_FIELDS)
ARGUMENTS = '{"a": 2, "b": 3}'


async def add(a: int, b: int) -> int:
    """The tool."""
    return a + b


async def one_call(arguments: str) -> str:
    """A call with what no call can do without."""
    args = json.loads(arguments)
    if not VALIDATOR.is_valid(args):
        raise SystemExit(f"{args!r} does not fit the schema")
    async with asyncio.timeout(30):
        value = await add(**args)
    return json.dumps(value)


async def play(steps: int) -> None:
    """A run of so many steps with one call each."""
    messages: list[dict] = [{"role": "user", "content": "go"}]
    for number in range(steps):
        call = {"id": f"call_{number}", "name": "add", "arguments": ARGUMENTS}
        messages.append({"role": "assistant", "calls": [call]})
        messages.append({"role": "tool", "call_id": call["id"], "content": await one_call(call["arguments"])})
    answers(len(messages), 2 * steps + 1)


async def eight_blocking() -> None:
    """Eight blocking calls at once."""
    with ThreadPoolExecutor(16) as pool:
        loop = asyncio.get_running_loop()
        await asyncio.gather(*(loop.run_in_executor(pool, time.sleep, 0.05) for _ in range(8)))


async def eight_waiting() -> None:
    """Eight waiting calls at once."""
    await asyncio.gather(*(asyncio.sleep(0.05) for _ in range(8)))


def written_anew() -> Callable[[], str]:
    """What a list of a hundred tools costs where it is written anew each turn."""
    tools = [read_tool(add, f"tool_{n}", SIX_FIELDS) for n in range(100)]
    plain = [{"name": t.name, "description": t.description, "input_schema": t.input_schema.json} for t in tools]
    return lambda: json.dumps(plain, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


async def measured() -> dict[str, float]:
    """All of it."""
    text = json.dumps(SIX_VALUES)
    waits: dict[str, Callable[[], Awaitable[None]]] = {"sync": eight_blocking, "async": eight_waiting}
    return {
        "call_us": await cpu_awaited(lambda: one_call(ARGUMENTS), 2000) * US,
        "validate_us": cpu(lambda: SIX.is_valid(SIX_VALUES), 2000) * US,
        "arguments_us": cpu(lambda: SIX.is_valid(json.loads(text)), 2000) * US,
        **{f"step_ms_{n}": await per_step(play, n) * MS for n in (*STEPS, 5000)},
        **{f"eight_{kind}_ms": await wall_awaited(make) * MS for kind, make in waits.items()},
        "list_made_us": cpu(written_anew()) * US,
    }


if __name__ == "__main__":
    tell(measured)
