"""Work that must be done in good time, on machines that charge a thread now and then with what others do there."""

import time
from collections.abc import Callable
from typing import TypeVar

TRIES = 3
Found = TypeVar("Found")


def in_time(seconds: float, act: Callable[[int], Found]) -> Found:
    """What the first try gives that takes less than so many seconds of this thread's processor time.

    `act` gets the number of its try, to be given new work where answers are remembered.
    """
    spent = []
    for number in range(TRIES):
        started = time.thread_time()
        found = act(number)
        spent.append(time.thread_time() - started)
        if spent[-1] < seconds:
            return found
    raise AssertionError(f"took {spent} seconds, not less than {seconds}")
