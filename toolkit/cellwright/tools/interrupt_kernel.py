"""`interrupt_kernel`: the code that runs in a kernel is broken off, and the variables stay.

The rule that must never break: what comes of it is told as it is. Code may catch its interrupt and go on; then only
`restart_kernel` ends it.
"""

from __future__ import annotations

from cellwright.env import Env
from cellwright.messages import JsonObject
from cellwright.tool import Opinion, Output, tool
from cellwright.tools.kernel_choice import started_kernel
from cellwright.views.view import Text


def _is_its_own(args: JsonObject, env: Env) -> tuple[Opinion, str]:
    return "allow", "it ends only what this run has started"


@tool(check_permission=_is_its_own, lasting="what ran in the kernel was stopped", origin="built-in")
async def interrupt_kernel(kernel: str | None = None, *, env: Env) -> Output:
    """Break off the code that is running in a kernel. Variables are kept; wait then tells what it had put out.

    Code may ignore it: restart_kernel ends that, too. Errors: not_started if no code has run in that kernel.

    Args:
        kernel: As for run_code: the path of a notebook, or the name of an installed kernel.
    """
    choice, session = started_kernel(kernel, env)
    if session.busy_for is None:
        said = f"nothing is running in the kernel {choice.title}"
        return Output({"kernel": choice.name, "state": "idle"}, said, Text(said))
    ended = await session.interrupt(GRACE)
    how = "it has ended" if ended else f"it goes on after {GRACE:g} s; restart_kernel ends it, and loses the variables"
    said = f"the code in the kernel {choice.title} was interrupted; {how}"
    return Output({"kernel": choice.name, "state": "idle" if ended else "busy"}, said, Text(said))


GRACE = 2.0
"""Seconds for which it is watched whether the code ends."""
