"""Running a tool's function so that nothing it does can harm the run.

A sync function has a thread to itself and the caller's context variables; an async one has a task of its own;
of a generator, each step but the last is progress and the last is the value (or what a sync generator returns).
Whatever it raises, `SystemExit` included, comes back as an outcome. At the deadline, or when the run is stopped, the
function is asked to stop and given a short grace; what still runs after that is left behind and said to be running.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any, Literal

from msgspec import Struct

from cellwright.env import Env
from cellwright.messages import JsonObject
from cellwright.waiting.eager import begun
from cellwright.waiting.threads import Ending, Job, in_thread

GRACE = 0.2
"""Seconds a tool gets to end after it was asked to."""
TURN = 0.005
"""Seconds after which what awaits nothing (a generator, or a whole run) lets the event loop turn."""
MAX_WORDS = 2_000
"""Characters of a tool's last words that are kept."""


class Outcome(Struct, frozen=True):
    """How the running of a function ended."""

    ended: Literal["returned", "raised", "timeout", "cancelled"]
    value: Any = None
    error: BaseException | None = None
    last_progress: str = ""
    still_running: bool = False
    """It was asked to stop and has not."""
    finished: bool = False
    """It was asked to stop and came to its end before it could; what it does is done."""
    tries: int = 1
    """How often it was run."""


Function = Callable[[JsonObject, Env], Any]


class ProgressLine:
    """The last line of progress, told on the event loop; lines that come faster than the loop turns are skipped.

    A tool that could not be stopped goes on speaking after its end was told; then nobody listens any more.
    """

    def __init__(self, tell: Callable[[str], object]) -> None:
        self._tell = tell
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._line: str | None = None
        self._is_over = False

    def say(self, text: str) -> None:
        """Tells a line, from any thread."""
        if self._is_over:
            return
        with self._lock:
            waiting, self._line = self._line is not None, text
        if not waiting:
            self._loop.call_soon_threadsafe(self._flush)

    def end(self) -> None:
        """Tells the last line, if it waits to be told, and nothing from here on."""
        if self._line is not None:
            self._flush()
        self._is_over = True

    def _flush(self) -> None:
        with self._lock:
            line, self._line = self._line, None
        if line is not None and not self._is_over:
            self._tell(line)


class Speech:
    """What a function says on its way: its lines of progress and the steps that it yields.

    It is what an env has as `progress`. A step is told as progress once it is known not to be the value; the last words
    are kept for a failure's message.
    """

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._untold: str | None = None
        self.last = ""

    def __call__(self, text: str) -> None:
        """Tells a line; safe from any thread."""
        text = str(text)  # a tool may give anything; if it can't be told, that is the tool's own failure
        self.last = text[:MAX_WORDS]
        self._tell(text)

    def step(self, step: object) -> None:
        """Notes a step, and tells the one before it."""
        self.finish()
        self._untold = str(step)
        self.last = self._untold[:MAX_WORDS]

    def finish(self) -> None:
        """Tells the step that turned out not to be the value, if there is one."""
        if self._untold is not None:
            self._tell(self._untold)
        self._untold = None


async def run_function(function: Function, args: JsonObject, env: Env, timeout: float | None) -> Outcome:
    """Runs it to its end, its deadline (seconds, and the time that the run has left), or the cancellation of the
    caller, which is an outcome too."""
    running = Running(function, args, env)
    task = begun(running.go())
    ended: Literal["timeout", "cancelled"] = "timeout"
    try:
        if running.ending is None:
            await running.over(timeout)
    except asyncio.CancelledError:
        ended = "cancelled"
    if running.ending and ended == "timeout":
        value, error = running.ending
        return Outcome("raised" if error else "returned", value, error, running.speech.last)
    try:
        await running.stop(task)
    except asyncio.CancelledError:
        ended = "cancelled"
    still_running = not task.done()
    task.cancel()
    finished = running.ending is not None and running.ending[1] is None
    return Outcome(ended, None, None, running.speech.last, still_running, finished)


class Running:
    """A function that is run once."""

    def __init__(self, function: Function, args: JsonObject, env: Env) -> None:
        speech = env.progress
        if not isinstance(speech, Speech):
            speech = Speech(env.progress)
            env = env.for_call(env.call_id, env.stopping, speech)
        self.speech = speech
        self.ending: Ending | None = None
        """The value or the error, once it is there."""
        self._function, self._args, self._env = function, args, env
        self._jobs: list[Job] = []
        self._over: asyncio.Future[None] | None = None

    async def go(self) -> None:
        """Runs it. A `SystemExit` that escaped a task would end the event loop, so only a cancellation escapes."""
        try:
            self.ending = await self._value(), None
        except asyncio.CancelledError:
            if self._env.stopping.is_set():
                raise
            self.ending = None, RuntimeError("the tool cancelled itself")
        except BaseException as error:
            self.ending = None, error
        finally:
            if self._over and not self._over.done():
                self._over.set_result(None)

    async def over(self, timeout: float | None) -> None:
        """Waits for its end or the deadline. It is told of the end a turn of the loop before the task tells."""
        self._over = asyncio.get_running_loop().create_future()
        await self._env.spending.wait(self._over, timeout)

    async def stop(self, task: asyncio.Task[None]) -> None:
        """Asks the tool to stop and gives it its grace. A second cancellation ends the waiting.

        A thread can't be cancelled, only asked; its task is kept until the grace is over, since it ends with the job.
        """
        self._env.stopping.set()
        if not any(job.is_running for job in self._jobs):
            task.cancel()
        await asyncio.wait({task}, timeout=GRACE)

    async def _value(self) -> Any:  # noqa: ANN401 (a tool returns what it likes)
        function, args, env, speech = self._function, self._args, self._env, self.speech
        if inspect.iscoroutinefunction(function):
            return await function(args, env)
        if inspect.isasyncgenfunction(function):
            return await _last_of(function(args, env), speech)
        value = await in_thread(lambda: _exhaust(function(args, env), env, speech), self._jobs.append)
        if isinstance(value, AsyncGenerator):
            return await _last_of(value, speech)
        return await value if inspect.isawaitable(value) else value


async def _last_of(steps: AsyncGenerator[Any, None], speech: Speech) -> Any:  # noqa: ANN401 (any value)
    last, turned = None, time.monotonic()
    async with aclosing(steps):
        async for last in steps:
            speech.step(last)
            if time.monotonic() - turned > TURN:  # yielding a step does not let anything else go on
                await asyncio.sleep(0)
                turned = time.monotonic()
    return last


def _exhaust(value: Any, env: Env, speech: Speech) -> Any:  # noqa: ANN401 (any value)
    """The last step of a sync generator, or what it returns; anything else is its own value."""
    if not inspect.isgenerator(value):
        return value
    last = None
    try:
        while not env.stopping.is_set():
            last = next(value)
            speech.step(last)
    except StopIteration as end:
        if end.value is None:
            return last
        speech.finish()
        return end.value
    finally:
        value.close()
    raise InterruptedError("stopped between two steps")
