"""The measurements that a peer goes through, the same as ours. Its script says how each thing is done with it.

A peer's model is a class of its own that does nothing but answer, since the models that come for tests do much else.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial

from clock import MS, STEPS, US, cpu, cpu_awaited, per_step, wall_awaited

Play = Callable[[int, int], Awaitable[object]]
"""A run of so many steps with one call of `add` each, with so many tools."""
Turn = Callable[[str], Awaitable[object]]
"""A run of one turn with eight calls of a tool that takes 50 ms: `sync` or `async`."""


CALL = ("add", '{"a": 2, "b": 3}')
"""A call of `add` as a model makes it."""


async def add(a: int, b: int) -> int:
    """Adds."""
    return a + b


def sleep() -> str:
    """Sleeps."""
    time.sleep(0.05)
    return "slept"


async def wait() -> str:
    """Waits."""
    await asyncio.sleep(0.05)
    return "slept"


async def numbers(
    call: Callable[[], Awaitable[object]],
    play: Play,
    turn: Turn,
    build: Callable[[], object],
    kinds: str = "sync async",
) -> dict[str, float]:
    """What is measured of a peer: `call` is one call on its full path, `build` makes the list of a hundred tools."""
    one = await per_step(lambda n: play(n, 1), 100)
    hundred = await per_step(lambda n: play(n, 100), 100)
    return {
        "call_us": await cpu_awaited(call, 200) * US,
        **{f"step_ms_{n}": await per_step(lambda steps: play(steps, 1), n) * MS for n in STEPS},
        **{f"eight_{kind}_ms": await wall_awaited(partial(turn, kind), 3) * MS for kind in kinds.split()},
        "list_step_us": max(0.0, hundred - one) * US,
        "list_made_us": cpu(build) * US,
    }
