"""The shell of the kernel that this process is, if it is one, and whether the person's own cell runs in it.

The core imports no IPython: where there is a shell, somebody has imported it already, and it is looked up there. The
person and the agent share one shell, and one thread. The rule that must never break: code of an agent does not begin
inside a cell of the person's, unless that cell itself waits for the agent.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from typing import Any

LOOK_AGAIN = 0.05
"""Seconds between two looks whether a cell has ended."""


def own_shell() -> Any:  # noqa: ANN401 (the core doesn't import IPython, so it has no type of it)
    """The interactive shell of this process; None where there is none."""
    module = sys.modules.get("IPython")
    return None if module is None else module.get_ipython()


def is_executing(shell: Any) -> bool:  # noqa: ANN401 (as above)
    """Whether a cell runs in the shell, or has begun and awaits something."""
    return bool(shell.display_trap.is_active)


def is_on_main_thread() -> bool:
    """Whether this is the thread in which cells run, and the only one that an interrupt reaches."""
    return threading.current_thread() is threading.main_thread()


async def until_free(shell: Any, seconds: float, is_awaited: Callable[[], bool]) -> bool:  # noqa: ANN401 (as above)
    """Waits until no cell runs or one awaits the agent's run, so many seconds at most; whether it came to that."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    while is_executing(shell) and not is_awaited():
        if loop.time() >= deadline:
            return False
        await asyncio.sleep(LOOK_AGAIN)
    return True
