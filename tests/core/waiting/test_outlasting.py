import asyncio

import pytest

from cellwright.waiting.outlasting import outlast


def test_what_is_over_is_not_waited_for():
    async def never():
        raise AssertionError

    asyncio.run(outlast(lambda: True, never))


def test_the_waiting_ends_with_what_is_waited_for_and_passes_its_cancelling_on():
    async def scene():
        over = asyncio.Event()
        waiting = asyncio.create_task(outlast(over.is_set, over.wait))
        for _ in range(3):
            await asyncio.sleep(0)
            waiting.cancel()
        await asyncio.sleep(0)
        assert not waiting.done()
        over.set()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(scene())


def test_a_wait_that_fails_is_told_at_once():
    async def fails():
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        asyncio.run(outlast(lambda: False, fails))
