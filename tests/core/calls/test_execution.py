import asyncio
import functools
import threading
import time
from pathlib import Path

import pytest

from cellwright import Env
from cellwright.calls.execution import run_function


class Odd(BaseException):
    pass


def run(function, timeout=None, stop_after=None):
    """The outcome, and the lines of progress that were told."""
    told = []
    env = Env(Path("/"), progress=told.append)

    async def scene():
        task = asyncio.create_task(run_function(function, {}, env, timeout))
        if stop_after is not None:
            await asyncio.sleep(stop_after)
            task.cancel()
        outcome = await task
        assert asyncio.all_tasks() == {asyncio.current_task()} or outcome.still_running
        return outcome

    return asyncio.run(scene()), told


def sync(args, env):
    return "sync"


async def later(args, env):
    await asyncio.sleep(0)
    return "async"


def steps(args, env):
    yield "a"
    yield "b"


async def async_steps(args, env):
    yield "a"
    yield "b"


def returns_before_yielding(args, env):
    return {"error": "x"}
    yield


def returns_after_yielding(args, env):
    yield "a"
    return 0


def says(args, env):
    env.progress("half")
    return "whole"


class Callable:
    def __call__(self, args, env):
        return "called"

    async def method(self, args, env):
        return "method"


class AsyncCallable:
    async def __call__(self, args, env):
        return "awaited"


RETURNS = [
    (sync, "sync", []),
    (later, "async", []),
    (steps, "b", ["a"]),
    (async_steps, "b", ["a"]),
    (returns_before_yielding, {"error": "x"}, []),
    (returns_after_yielding, 0, ["a"]),
    (says, "whole", ["half"]),
    (Callable(), "called", []),
    (Callable().method, "method", []),
    (AsyncCallable(), "awaited", []),
    (lambda args, env: later(args, env), "async", []),
    (lambda args, env: async_steps(args, env), "b", ["a"]),
    (functools.partial(later), "async", []),
]


@pytest.mark.parametrize(("function", "value", "told"), RETURNS, ids=range(len(RETURNS)))
def test_each_sort_of_function_gives_its_value_and_its_progress(function, value, told):
    outcome, lines = run(function)
    assert (outcome.ended, outcome.value, lines) == ("returned", value, told)


def raising(error, sort):
    def now(args, env):
        env.progress("before")
        raise error

    async def soon(args, env):
        env.progress("before")
        raise error

    def generator(args, env):
        yield "before"
        raise error

    async def async_generator(args, env):
        yield "before"
        raise error

    return {"sync": now, "async": soon, "generator": generator, "async generator": async_generator}[sort]


ERRORS = [ValueError("boom"), SystemExit(3), KeyboardInterrupt(), Odd("odd"), StopAsyncIteration(), GeneratorExit()]


@pytest.mark.parametrize("sort", ["sync", "async", "generator", "async generator"])
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_whatever_is_raised_is_an_outcome_that_keeps_the_last_words(error, sort):
    outcome, _ = run(raising(error, sort))
    assert outcome.ended == "raised"
    assert outcome.last_progress == "before"
    assert outcome.error is error or isinstance(outcome.error, RuntimeError)


def test_a_stop_iteration_of_a_plain_function_is_an_error_and_no_value():
    def leaks(args, env):
        next(iter(()))

    outcome, _ = run(leaks)
    assert (outcome.ended, type(outcome.error.__cause__)) == ("raised", StopIteration)


def test_a_tool_that_cancels_itself_is_an_error_of_the_tool():
    async def cancels(args, env):
        raise asyncio.CancelledError

    assert str(run(cancels)[0].error) == "the tool cancelled itself"


closed = []


def endless(args, env):
    try:
        while True:
            yield "more"
            time.sleep(0.01)
    finally:
        closed.append("sync")


async def async_endless(args, env):
    try:
        while True:
            yield "more"
            await asyncio.sleep(0.01)
    finally:
        closed.append("async")


async def sleeps(args, env):
    try:
        await asyncio.sleep(60)
    finally:
        closed.append("sleeps")


def watches(args, env):
    env.stopping.wait(20)
    closed.append("watches")
    raise RuntimeError("stopped half way")


@pytest.mark.parametrize("ending", ["timeout", "cancelled"])
@pytest.mark.parametrize(
    ("function", "name"),
    [
        (endless, "sync"),
        (async_endless, "async"),
        (sleeps, "sleeps"),
        (watches, "watches"),
        (lambda args, env: sleeps(args, env), "sleeps"),
    ],
)
def test_what_can_be_stopped_is_stopped_and_closed(function, name, ending):
    closed.clear()
    outcome, _ = run(function, **({"timeout": 0.1} if ending == "timeout" else {"stop_after": 0.1}))
    assert (outcome.ended, outcome.still_running, outcome.finished) == (ending, False, False)
    assert closed == [name]


def test_a_thread_that_does_not_look_is_said_to_be_running():
    release = threading.Event()
    outcome, _ = run(lambda args, env: release.wait(20), timeout=0.05)
    assert (outcome.ended, outcome.still_running, release.is_set()) == ("timeout", True, False)
    release.set()


def test_a_coroutine_that_swallows_its_cancellation_is_said_to_be_running():
    async def deaf(args, env):
        for _ in range(8):
            try:
                await asyncio.sleep(0.1)
            except asyncio.CancelledError:
                continue

    async def scene():
        task = asyncio.create_task(run_function(deaf, {}, Env(Path("/")), None))
        await asyncio.sleep(0.05)
        task.cancel()
        outcome = await task
        left = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.wait(left, timeout=5)
        return outcome

    outcome = asyncio.run(scene())
    assert (outcome.ended, outcome.still_running) == ("cancelled", True)


def test_what_ended_in_its_grace_is_said_to_have_ended():
    outcome, _ = run(lambda args, env: time.sleep(0.15), stop_after=0.05)
    assert (outcome.ended, outcome.still_running, outcome.finished) == ("cancelled", False, True)


def test_a_cancellation_during_the_grace_of_a_timeout_is_not_lost():
    outcome, _ = run(lambda args, env: time.sleep(0.6), timeout=0.05, stop_after=0.15)
    assert (outcome.ended, outcome.still_running) == ("cancelled", True)


def test_very_long_last_words_are_cut():
    outcome, _ = run(lambda args, env: env.progress("x" * 10_000) or 1 / 0)
    assert (len(outcome.last_progress), type(outcome.error)) == (2000, ZeroDivisionError)


def test_an_async_generator_that_awaits_nothing_still_lets_the_event_loop_turn():
    async def endless(args, env):
        while not env.stopping.is_set():
            yield "step"

    outcome, _ = run(endless, timeout=0.05)
    assert outcome.ended == "timeout"
