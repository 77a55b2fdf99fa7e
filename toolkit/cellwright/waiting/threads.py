"""A blocking function in a thread, awaited.

Not `asyncio.to_thread`: its pool is small and shared with the rest of the process, and a function that never ends
would keep the interpreter from exiting. Here there is always a thread for one more call, and it is a daemon; since
starting one costs more than most calls, it stays for a few seconds and serves another. Each function has a copy of
the context variables of its caller. The rules that must never break: whatever the function raises reaches the one
who awaits, and nobody else; a thread serves again only once its function has come to its end.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

IDLE = 5.0
"""Seconds that a thread waits for another function."""
MOST_IDLE = 8
"""Threads that wait at most; how many work at once has no limit here."""

Ending = tuple[Any, BaseException | None]


class Job:
    """A function in a thread."""

    def __init__(self, function: Callable[[], Any], tell: Callable[[Ending], None]) -> None:
        self.is_running = True
        """Whether it has not come to its end."""
        self._function = function
        self._tell = tell

    def do(self, free: Callable[[], None]) -> None:
        """Calls it, makes the thread free and tells the ending."""
        ending: Ending
        try:
            ending = self._function(), None
        except BaseException as error:
            ending = None, error
        del self._function  # first, so that nothing of it is kept alive for who is told
        free()  # and so that they can have the thread
        self._tell(ending)
        self.is_running = False


async def in_thread(function: Callable[[], Any], started: Callable[[Job], None] = lambda job: None) -> Any:  # noqa: ANN401 (what the function returns)
    """The function's value; `started` is told the job. Cancelling stops the waiting, not the function."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Ending] = loop.create_future()

    def settle(ending: Ending) -> None:
        if not future.done():  # an exception travels as a value: a future refuses StopIteration
            future.set_result(ending)

    def tell(ending: Ending) -> None:
        try:
            loop.call_soon_threadsafe(settle, ending)
        except RuntimeError:
            return  # the loop is closed: nobody waits any more

    job = Job(partial(contextvars.copy_context().run, function), tell)
    started(job)
    _threads.begin(job)
    value, error = await future
    if error is not None:
        raise error
    return value


def are_working() -> bool:
    """Whether a function is in a thread now, be it one that nobody waits for any more."""
    return _threads.working > 0


def on_loop(loop: asyncio.AbstractEventLoop, act: Callable[[], None]) -> None:
    """Does something on a running event loop, from any thread: at once if this is its own."""
    try:
        is_here = asyncio.get_running_loop() is loop
    except RuntimeError:
        is_here = False
    if is_here:
        act()
    else:
        loop.call_soon_threadsafe(act)


class Worker(threading.Thread):
    """A thread that does one job after another, and ends when none comes for a while."""

    def __init__(self, threads: Threads) -> None:
        super().__init__(name="cellwright", daemon=True)
        self.jobs: SimpleQueue[Job] = SimpleQueue()
        self._threads = threads

    def run(self) -> None:
        """Takes jobs until it is not needed any more."""
        while True:
            try:
                job = self.jobs.get(timeout=self._threads.patience())
            except Empty:
                if self._threads.leaves(self):
                    return
                continue  # it was just taken: a job is on its way
            job.do(partial(self._threads.free, self))
            del job  # an idle thread keeps nothing alive


class Threads:
    """The threads of this process that wait for a job.

    They are shared by all runs, for what a thread keeps from job to job is nothing of ours.
    """

    def __init__(self) -> None:
        self.working = 0
        """Threads that have a job."""
        self._idle: list[Worker] = []
        self._lock = threading.Lock()

    def begin(self, job: Job) -> None:
        """Gives the job to a thread that waits, or to a new one."""
        worker = self._waiting()
        with self._lock:
            self.working += 1
        if worker is None:
            worker = Worker(self)
            worker.start()
        worker.jobs.put(job)

    def free(self, worker: Worker) -> None:
        """Takes a thread back whose job is done."""
        with self._lock:
            self.working -= 1
            self._idle.append(worker)

    def patience(self) -> float:
        """Seconds that a thread should wait for a job."""
        return IDLE if len(self._idle) <= MOST_IDLE else 0.0

    def leaves(self, worker: Worker) -> bool:
        """Whether the thread may end: nobody has taken it meanwhile."""
        with self._lock:
            if worker in self._idle:
                self._idle.remove(worker)
                return True
            return False

    def _waiting(self) -> Worker | None:
        with self._lock:
            while self._idle:
                worker = self._idle.pop()
                if worker.is_alive():  # in a forked process none of them is
                    return worker
        return None


_threads = Threads()
