"""A program with all that it started: ended as one.

A program that is started in a session of its own leads a group, and what it starts belongs to the group unless it
leaves it on purpose. So a signal to the group reaches children that their parent has forgotten. One that has left it
is found as long as its parent is there; once that is gone, too, it is a daemon, and can only be noticed. The rule that
must never break: nothing here waits longer than it says.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Literal

PATIENCE = 1.0
"""Seconds until a killed program that is still there is left behind."""
LOOKS = 0.02
"""Seconds between two looks whether it is time to end."""


def signal_group(process: subprocess.Popen[bytes] | asyncio.subprocess.Process, how: Literal["ask", "kill"]) -> None:
    """Asks the program and all of its group to end, or kills them; does not wait."""
    try:
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL if how == "kill" else signal.SIGTERM)
        elif how == "kill":
            process.kill()
        else:
            process.terminate()
    except (ProcessLookupError, PermissionError):
        pass  # nothing of it is left, or it became another user's


class Strays:
    """What a program that still runs has started and what has left its group since, as `setsid` does."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        import psutil  # type: ignore[import-untyped]  # comes with ipykernel; seldom needed, and slow to import

        self._found = []
        with suppress(psutil.Error):
            for child in psutil.Process(process.pid).children(recursive=True):
                with suppress(psutil.Error, OSError):
                    if os.name != "posix" or os.getpgid(child.pid) != process.pid:
                        self._found.append(child)

    def signal(self, how: Literal["ask", "kill"]) -> None:
        """Asks them to end, or kills them; does not wait. One whose number was given to another is left alone."""
        import psutil

        for child in self._found:
            with suppress(psutil.Error, OSError):
                child.kill() if how == "kill" else child.terminate()


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Ends the program and what it left behind in its group."""
    signal_group(process, "kill")
    with suppress(subprocess.TimeoutExpired):
        process.wait(PATIENCE)


@contextmanager
def killed_once(is_time: Callable[[], bool], process: subprocess.Popen[bytes]) -> Iterator[threading.Event]:
    """While it is entered, kills the program as soon as it is time; the event tells that it was.

    Who waits for the program's output in there is woken by that, since the output ends.
    """
    done, killed = threading.Event(), threading.Event()

    def watch() -> None:
        while not done.wait(LOOKS):
            if is_time():
                killed.set()
                process.kill()
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield killed
    finally:
        done.set()
        watcher.join()


def has_group(process: subprocess.Popen[bytes]) -> bool:
    """Whether anything is in the group of a program, itself included. To see who it is takes longer."""
    if os.name != "posix":
        return False
    try:
        os.killpg(process.pid, 0)
    except OSError:
        return False
    return True


def left_in_group(process: subprocess.Popen[bytes]) -> tuple[str, ...]:
    """What a program that has ended left running in its group: `sleep (pid 123)`."""
    if not has_group(process):
        return ()
    import psutil

    found = []
    for member in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if os.getpgid(member.pid) == process.pid and member.status() != psutil.STATUS_ZOMBIE:
                found.append(f"{member.name()} (pid {member.pid})")
    return tuple(found)


def ending(code: int) -> str:
    """How a program ended, in words, from its exit code as Python gives it."""
    if code >= 0:
        return f"exit code {code}"
    known = {number.value: number.name for number in signal.Signals}
    return f"the signal {known.get(-code, -code)}"
