"""An interrupt in a script."""

import asyncio
import os
import signal
import threading
from contextlib import suppress

import pytest

from cellwright.waiting.keyboard import run_until_interrupted


@pytest.fixture(autouse=True)
def heeds_interrupts():
    """As a program that a person starts; tests that run in the background of a shell ignore them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupt_from(thread_is_main):
    """Gives this process an interrupt that only the main thread, or only another one, can take."""
    if thread_is_main:
        os.kill(os.getpid(), signal.SIGINT)
    else:
        threading.Thread(target=signal.raise_signal, args=[signal.SIGINT]).start()


@pytest.mark.parametrize("thread_is_main", [True, False])
def test_an_interrupt_stops_what_is_awaited_whichever_thread_gets_it(thread_is_main):
    ended = []

    async def work():
        asyncio.get_running_loop().call_soon(interrupt_from, thread_is_main)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            ended.append("properly")
            raise

    with pytest.raises(KeyboardInterrupt):
        run_until_interrupted(work())
    assert ended == ["properly"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_what_is_not_interrupted_gives_its_value_and_what_is_cancelled_stays_cancelled():
    async def value():
        return 7

    async def cancels():
        raise asyncio.CancelledError

    assert run_until_interrupted(value()) == 7
    with pytest.raises(asyncio.CancelledError):
        run_until_interrupted(cancels())


def test_a_task_that_refuses_to_end_is_left_behind():
    async def refuse():
        while True:
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()

    async def work():
        left.append(asyncio.create_task(refuse()))
        await asyncio.sleep(0)
        return 7

    left = []
    assert run_until_interrupted(work()) == 7
    assert not left[0].done()
    left[0]._log_destroy_pending = False  # or the end of the test would tell of it


def test_who_ignores_interrupts_goes_on_ignoring_them():
    async def work():
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(0)
        return "went on"

    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert run_until_interrupted(work()) == "went on"
    finally:
        signal.signal(signal.SIGINT, before)


def test_another_thread_than_the_main_one_heeds_no_signals():
    async def value():
        return 7

    found = []
    thread = threading.Thread(target=lambda: found.append(run_until_interrupted(value())))
    thread.start()
    thread.join()
    assert found == [7]
