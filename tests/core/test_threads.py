import asyncio
import contextvars
import threading
import time

import pytest

from cellwright.threads import in_thread

user: contextvars.ContextVar[str] = contextvars.ContextVar("user")


def test_the_value_comes_from_another_thread_with_the_context_of_the_caller():
    async def scene():
        user.set("u1")
        return await in_thread(lambda: (user.get(), threading.current_thread() is threading.main_thread()))

    assert asyncio.run(scene()) == ("u1", False)


def test_a_change_of_context_stays_in_the_thread():
    async def scene():
        user.set("u1")
        await in_thread(lambda: user.set("u2"))
        return user.get()

    assert asyncio.run(scene()) == "u1"


@pytest.mark.parametrize(
    "error", [ValueError("x"), StopIteration(1), SystemExit(2), KeyboardInterrupt(), BaseException()]
)
def test_whatever_is_raised_reaches_the_one_who_waits(error):
    def raises():
        raise error

    async def scene():
        try:
            await in_thread(raises)
        except BaseException as caught:
            return caught

    caught = asyncio.run(scene())
    assert caught is error or caught.__cause__ is error


def test_the_event_loop_goes_on_meanwhile():
    async def scene():
        waiting = asyncio.create_task(in_thread(lambda: time.sleep(0.2)))
        turns = 0
        while not waiting.done():
            await asyncio.sleep(0.01)
            turns += 1
        return turns

    assert asyncio.run(scene()) > 5


def test_cancelling_stops_the_waiting_and_the_late_end_disturbs_nobody():
    release, ended = threading.Event(), threading.Event()

    async def scene():
        task = asyncio.create_task(in_thread(lambda: (release.wait(10), ended.set())))
        await asyncio.sleep(0.02)
        task.cancel()
        await asyncio.wait({task}, timeout=1)
        return task.cancelled()

    assert asyncio.run(scene())
    release.set()  # the loop is closed now
    assert ended.wait(5)
