"""How the time of something is taken; needs nothing but Python, since it runs in the environments of the peers, too.

What a machine does besides only ever adds time, so the smallest of several rounds is the one to believe. Processor time
is taken where the work is all there is, and time on the wall where waiting is what is measured.
"""

import asyncio
import gc
import json
import time
from collections.abc import Awaitable, Callable

US, MS = 1e6, 1e3
PATIENCE = 0.8
"""Seconds after which no further round is begun."""
STEPS = (100, 300, 1000)
"""How long the runs are whose steps are measured."""


def cpu(act: Callable[[], object], count: int = 1, rounds: int = 7) -> float:
    """Processor seconds of one of `count` acts in a row, in the best round."""

    def made() -> None:
        for _ in range(count):
            act()

    return _best(made, time.process_time, rounds) / count


def wall(act: Callable[[], object], rounds: int = 5) -> float:
    """Seconds on the wall, in the best round."""
    return _best(act, time.perf_counter, rounds)


async def cpu_awaited(make: Callable[[], Awaitable[object]], count: int = 1, rounds: int = 7) -> float:
    """The same as `cpu` for what is awaited, on the event loop that is running."""

    async def made() -> None:
        for _ in range(count):
            await make()

    return await _best_awaited(made, time.process_time, rounds) / count


async def wall_awaited(make: Callable[[], Awaitable[object]], rounds: int = 5) -> float:
    """The same as `wall` for what is awaited."""
    return await _best_awaited(make, time.perf_counter, rounds)


def _best(made: Callable[[], object], now: Callable[[], float], rounds: int) -> float:
    best, ends = float("inf"), time.perf_counter() + PATIENCE
    for round_ in range(rounds):
        if round_ and time.perf_counter() > ends:
            break
        gc.collect()
        started = now()
        made()
        best = min(best, now() - started)
    return best


async def _best_awaited(made: Callable[[], Awaitable[object]], now: Callable[[], float], rounds: int) -> float:
    best, ends = float("inf"), time.perf_counter() + PATIENCE
    for round_ in range(rounds):
        if round_ and time.perf_counter() > ends:
            break
        gc.collect()
        started = now()
        await made()
        best = min(best, now() - started)
    return best


async def per_step(run: Callable[[int], Awaitable[object]], steps: int) -> float:
    """Processor seconds of one step of a run of so many."""
    await run(3)
    return await cpu_awaited(lambda: run(steps)) / steps


def answers(value: object, wanted: object) -> None:
    """Ends the measuring where what is measured does not do its work."""
    if value != wanted:
        raise SystemExit(f"gave {value!r}, not {wanted!r}: nothing was measured")


def tell(measured: Callable[[], Awaitable[dict[str, float]]]) -> None:
    """Prints what was measured as one line of JSON: the name of each measurement and its number."""
    print(json.dumps(asyncio.run(measured())))
