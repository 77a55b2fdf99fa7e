"""A program with all that it started: ended as one.

A program that is started in a session of its own leads a group, and what it starts belongs to the group unless it
leaves it on purpose. So a signal to the group reaches children that their parent has forgotten. A child that leaves
(a daemon) is not ours any more, and can only be noticed. The rule that must never break: nothing here waits longer
than it says.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from contextlib import suppress
from typing import Literal

PATIENCE = 1.0
"""Seconds until a killed program that is still there is left behind."""


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


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Ends the program and what it left behind in its group."""
    signal_group(process, "kill")
    with suppress(subprocess.TimeoutExpired):
        process.wait(PATIENCE)


def left_in_group(process: subprocess.Popen[bytes]) -> tuple[str, ...]:
    """What a program that has ended left running in its group: `sleep (pid 123)`."""
    if os.name != "posix":
        return ()
    try:
        os.killpg(process.pid, 0)
    except OSError:
        return ()
    import psutil  # type: ignore[import-untyped]  # comes with ipykernel; seldom needed, and slow to import

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
