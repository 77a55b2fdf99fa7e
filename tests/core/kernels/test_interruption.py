"""Interrupts that are meant for one coroutine, in this very process."""

import asyncio
import os
import signal
import threading
import time

import pytest

from cellwright.kernels.interruption import Interruption, Steps


async def interrupted(work, seconds, patience=20):
    """Runs it under an interruption; what it is like after."""
    interruption = Interruption(work, seconds)
    interruption.begin()
    try:
        await asyncio.wait({interruption.task}, timeout=patience)
    finally:
        interruption.end()
    return interruption


async def computes():
    while True:
        time.sleep(0.01)


async def awaits():
    await asyncio.sleep(60)


def press():
    """What the stop button does."""
    os.kill(os.getpid(), signal.SIGINT)


@pytest.fixture(autouse=True)
def heard():
    """What whoever had the interrupt before hears; it is given back to them, whatever happened."""
    heard = []

    def hear(number, frame):
        heard.append(number)

    before = signal.signal(signal.SIGINT, hear)
    yield heard
    assert signal.signal(signal.SIGINT, before) is hear


def test_what_computes_gets_a_keyboard_interrupt_at_its_time_limit_and_nobody_else_does():
    done = asyncio.run(interrupted(computes(), 0.05))
    assert isinstance(done.task.result(), KeyboardInterrupt)
    assert (done.by_clock, done.by_person) == (1, False)


def test_what_awaits_is_cancelled_at_its_time_limit():
    done = asyncio.run(interrupted(awaits(), 0.05))
    assert (done.task.cancelled(), done.by_clock) == (True, 1)


@pytest.mark.parametrize("work", [computes, awaits])
def test_a_person_can_interrupt_and_is_told_from_the_clock(work):
    async def play():
        timer = threading.Timer(0.05, press)
        timer.start()
        done = await interrupted(work(), 60)
        timer.join()
        return done

    done = asyncio.run(play())
    assert (done.by_person, done.by_clock, done.task.done()) == (True, 0, True)


def test_whoever_had_the_interrupt_before_hears_of_the_persons_and_not_of_the_clocks(heard):
    async def play():
        asyncio.get_running_loop().call_later(0.05, press)
        await interrupted(awaits(), 60)
        await interrupted(awaits(), 0.05)

    asyncio.run(play())
    assert heard == [signal.SIGINT]


def test_what_ends_in_time_is_let_alone_and_gives_its_value():
    async def five():
        await asyncio.sleep(0)
        return 5

    done = asyncio.run(interrupted(five(), 60))
    assert (done.task.result(), done.by_clock, done.by_person) == (5, 0, False)


def test_what_swallows_its_interrupt_is_interrupted_again():
    async def stubborn():
        swallowed = 0
        while swallowed < 2:
            try:
                time.sleep(0.01)
            except KeyboardInterrupt:
                swallowed += 1
        return swallowed

    done = asyncio.run(interrupted(stubborn(), 0.05))
    assert (done.task.result(), done.by_clock) == (2, 2)


def test_steps_pass_on_values_exceptions_and_cancellations_as_await_does():
    async def inner():
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            await asyncio.sleep(0)
            raise ValueError("told") from None

    async def outer():
        return await Steps(inner())

    async def play():
        task = asyncio.create_task(outer())
        await asyncio.sleep(0.01)
        task.cancel()
        await task

    with pytest.raises(ValueError, match="told"):
        asyncio.run(play())
