"""Running a tool's function so that nothing it does can harm the run.

A sync function runs in a thread of its own with the caller's context variables; an async one in a task of its own;
of a generator, each step but the last is progress and the last is the value (or what a sync generator returns).
Whatever it raises, `SystemExit` included, comes back as an outcome. At the deadline, or when the run is stopped, the
function is asked to stop and given a short grace; what still runs after that is left behind and said to be running.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Literal

from cellwright.env import Env
from cellwright.messages import JsonObject
from cellwright.threads import in_thread

GRACE = 0.2
"""Seconds a tool gets to end after it was asked to."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the running of a function ended."""

    ended: Literal["returned", "raised", "timeout", "cancelled"]
    value: Any = None
    error: BaseException | None = None
    last_progress: str = ""
    still_running: bool = False


Function = Callable[[JsonObject, Env], Any]
Progress = Callable[[object], None]
Ending = tuple[Any, BaseException | None]


async def run_function(function: Function, args: JsonObject, env: Env, timeout: float | None) -> Outcome:
    """Runs it to its end, its deadline (seconds), or the cancellation of the caller, which is an outcome too."""
    said: list[str] = []
    threads: list[threading.Thread] = []

    def progress(step: object) -> None:
        said[:] = [str(step)]
        env.progress(str(step))

    task = asyncio.create_task(_guarded(_call(function, args, env, progress, threads.append), env))
    try:
        done, _ = await asyncio.wait({task}, timeout=timeout)
        if done:
            value, error = task.result()
            return Outcome("raised" if error else "returned", value, error, "".join(said))
        still = await _stop(task, env, threads)
        return Outcome("timeout", last_progress="".join(said), still_running=still)
    except asyncio.CancelledError:
        still = await _stop(task, env, threads)
        return Outcome("cancelled", last_progress="".join(said), still_running=still)


async def _guarded(work: Coroutine[Any, Any, Any], env: Env) -> Ending:
    """A `SystemExit` that escaped a task would end the event loop, so nothing but a cancellation escapes."""
    try:
        return await work, None
    except asyncio.CancelledError:
        if env.stopping.is_set():
            raise
        return None, RuntimeError("the tool cancelled itself")
    except BaseException as error:
        return None, error


async def _call(
    function: Function,
    args: JsonObject,
    env: Env,
    progress: Progress,
    started: Callable[[threading.Thread], None],
) -> Any:  # noqa: ANN401
    if inspect.isasyncgenfunction(function):
        return await _last_of(function(args, env), progress)
    if inspect.iscoroutinefunction(function):
        return await function(args, env)
    value = await in_thread(lambda: _exhaust(function(args, env), env, progress), started)
    if isinstance(value, AsyncGenerator):
        return await _last_of(value, progress)
    return await value if inspect.isawaitable(value) else value


async def _last_of(steps: AsyncGenerator[Any, None], progress: Progress) -> Any:  # noqa: ANN401
    last, started = None, False
    async with aclosing(steps):
        async for step in steps:
            if started:
                progress(last)
            last, started = step, True
    return last


def _exhaust(value: Any, env: Env, progress: Progress) -> Any:  # noqa: ANN401
    """The last step of a sync generator, or what it returns; anything else is its own value."""
    if not inspect.isgenerator(value):
        return value
    last, started = None, False
    try:
        while not env.stopping.is_set():
            step = next(value)
            if started:
                progress(last)
            last, started = step, True
    except StopIteration as end:
        return last if end.value is None else end.value
    finally:
        value.close()
    return last


async def _stop(task: asyncio.Task[Ending], env: Env, threads: list[threading.Thread]) -> bool:
    """Asks the tool to stop; whether it still runs after the grace. A second cancellation ends the waiting.

    A thread can't be cancelled, only asked; its task is kept until the grace is over, since it ends with the thread.
    """
    env.stopping.set()
    if not threads:
        task.cancel()
    try:
        await asyncio.wait({task}, timeout=GRACE)
    except asyncio.CancelledError:
        return not task.done()
    finally:
        still_running = not task.done()
        task.cancel()
    return still_running
