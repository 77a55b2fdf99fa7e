"""`restart_kernel`: a kernel of the run starts anew, without the variables of what ran before.

Not `restart`: among commands, jobs and servers that word alone says nothing of what it ends. The rule that must never
break: the loss is told, and only a kernel that this run has started is ended.
"""

from __future__ import annotations

from cellwright.env import Env
from cellwright.messages import JsonObject
from cellwright.tool import Opinion, Output, tool
from cellwright.tools.kernel_choice import started_kernel
from cellwright.views.view import Text


def _is_its_own(args: JsonObject, env: Env) -> tuple[Opinion, str]:
    return "allow", "it ends only what this run has started"


@tool(check_permission=_is_its_own, lasting="the variables of the kernel are gone", origin="built-in")
async def restart_kernel(kernel: str | None = None, *, env: Env) -> Output:
    """Start a kernel anew: all its variables are lost, and code that is running in it is ended.

    For a kernel that has gone wrong, or to see that code works from nothing; notebook_run without cells does that by
    itself. Errors: not_started if no code has run in that kernel, kernel_failed if it does not start again.

    Args:
        kernel: As for run_code: the path of a notebook, or the name of an installed kernel.
    """
    choice, session = started_kernel(kernel, env)
    was = "was restarted" if session.kernel.is_alive else "was gone, and is started anew"
    await session.kernel.close("it was restarted")
    await session.kernel.open()
    said = f"the kernel {choice.title} {was}; all variables are lost"
    return Output({"kernel": choice.name, "starts": session.kernel.starts}, said, Text(said))
