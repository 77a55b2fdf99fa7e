import asyncio

import pytest

from cellwright.hearing import heard


def test_what_is_said_is_heard():
    async def say():
        await asyncio.sleep(0)
        return "yes"

    assert asyncio.run(heard(say())) == "yes"


def test_an_interrupt_that_was_said_is_raised():
    async def say():
        return KeyboardInterrupt()

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(heard(say()))


def test_who_stops_waiting_is_not_held_back_by_who_asks():
    begun, done = asyncio.Event(), []

    async def hold_on():
        while not done:
            begun.set()
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                continue

    async def go():
        waiting = asyncio.create_task(heard(hold_on()))
        await begun.wait()
        waiting.cancel()
        await asyncio.wait({waiting})
        done.append(True)
        return waiting.cancelled()

    assert asyncio.run(go())
