import asyncio
import contextvars
import os
import subprocess
import sys
import threading
import time
import weakref

import pytest

from cellwright.waiting.threads import MOST_IDLE, in_thread, on_loop

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


class Held:
    """Something that a function holds."""

    def value(self):
        return 1


def test_what_the_function_held_is_let_go_before_its_value_is_told():
    async def scene():
        held = Held()
        watched = weakref.ref(held)
        waiting = in_thread(held.value)
        del held
        return await waiting, watched()

    assert [asyncio.run(scene()) for _ in range(100)] == [(1, None)] * 100


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


def test_a_thread_serves_again_and_knows_nothing_of_the_call_before():
    def leave(name):
        before = user.get(None)
        user.set(name)
        return before, threading.get_ident()

    async def scene():
        return [await in_thread(lambda name=name: leave(name)) for name in ("u1", "u2", "u3")]

    seen = asyncio.run(scene())
    assert [before for before, _ in seen] == [None, None, None]
    assert len({thread for _, thread in seen}) == 1


def stuck(release, threads):
    threads.append(threading.current_thread())
    release.wait(20)


def test_functions_that_do_not_end_keep_no_other_waiting_and_their_threads_serve_nobody():
    release, threads = threading.Event(), []

    async def scene():
        waiting = [asyncio.create_task(in_thread(lambda: stuck(release, threads))) for _ in range(40)]
        await asyncio.sleep(0)
        for task in waiting[:20]:
            task.cancel()
        free = [await in_thread(threading.current_thread) for _ in range(3)]
        release.set()
        await asyncio.wait(waiting)
        return free

    free = asyncio.run(scene())
    assert (len(threads), len(set(threads)), set(threads) & set(free)) == (40, 40, set())


def test_of_many_threads_only_a_few_wait_for_more():
    release, threads = threading.Event(), []

    async def scene():
        waiting = [asyncio.create_task(in_thread(lambda: stuck(release, threads))) for _ in range(30)]
        await asyncio.sleep(0)
        release.set()
        await asyncio.wait(waiting)

    asyncio.run(scene())
    ends = time.monotonic() + 10
    while sum(thread.is_alive() for thread in threads) > MOST_IDLE + 1 and time.monotonic() < ends:
        time.sleep(0.01)
    assert sum(thread.is_alive() for thread in threads) <= MOST_IDLE + 1
    assert all(thread.daemon for thread in threads)


def test_a_job_runs_until_its_function_has_ended():
    release, jobs = threading.Event(), []

    async def scene():
        task = asyncio.create_task(in_thread(lambda: release.wait(20), jobs.append))
        await asyncio.sleep(0)
        before = jobs[0].is_running
        release.set()
        await task
        return before

    assert asyncio.run(scene())
    ends = time.monotonic() + 10
    while jobs[0].is_running and time.monotonic() < ends:
        time.sleep(0.001)
    assert not jobs[0].is_running


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that forks")
def test_a_forked_process_has_threads_of_its_own():
    program = (
        "import asyncio, os, warnings\n"
        "from cellwright.waiting.threads import in_thread\n"
        "warnings.simplefilter('ignore')\n"
        "asyncio.run(in_thread(lambda: 1))\n"
        "if os.fork() == 0:\n"
        "    os._exit(asyncio.run(in_thread(lambda: 7)))\n"
        "print(os.waitstatus_to_exitcode(os.wait()[1]))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.returncode) == ("7\n", 0), done.stderr


def test_what_belongs_on_a_loop_is_done_there_and_at_once_if_it_is_here():
    async def scene():
        loop, done, told = asyncio.get_running_loop(), [], asyncio.Event()

        def note():
            done.append(asyncio.get_running_loop() is loop)
            told.set()

        on_loop(loop, note)
        at_once = list(done)
        told.clear()
        await in_thread(lambda: on_loop(loop, note))
        await asyncio.wait_for(told.wait(), 20)
        return at_once, done

    assert asyncio.run(scene()) == ([True], [True, True])
