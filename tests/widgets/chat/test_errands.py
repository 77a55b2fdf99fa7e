import asyncio
import threading

from cellwright import UsageError
from cellwright_widgets.chat.errands import Errands


def fail(error):
    raise error


def test_what_is_done_runs_on_the_loop_whatever_thread_it_comes_from():
    async def act():
        done, here = asyncio.Event(), []
        errands = Errands(asyncio.get_running_loop(), lambda *told: None)
        thread = threading.Thread(
            target=lambda: errands.do(lambda: (here.append(threading.current_thread()), done.set()))
        )
        thread.start()
        await done.wait()
        return here == [threading.main_thread()]

    assert asyncio.run(act())


def test_what_goes_wrong_is_said_at_once_or_later():
    async def act():
        told, twice = [], asyncio.Event()
        errands = Errands(asyncio.get_running_loop(), lambda *said: (told.append(said), len(told) == 2 and twice.set()))

        async def later():
            fail(ValueError("broken"))

        errands.do(lambda: fail(UsageError("not so")))
        errands.begin(later)
        await twice.wait()
        return told

    assert asyncio.run(act()) == [
        ("not so", "cw-warning"),
        ("This did not work: ValueError: broken", "cw-danger"),
    ]
