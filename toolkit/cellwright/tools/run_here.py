"""`run_here`: code in the person's own kernel, the one that the agent lives in.

It is the only way to work on what the person has in memory, and it has a price that a child kernel has not: it shares
one thread with the views, with the agent itself and with the person's cells. While it computes nothing else goes on,
no button is heard, and no time limit can be forced. So it is asked about each time, and the question says this. The
rule that must never break: the result tells what really became of the code, also where it could not be ended.
"""

from __future__ import annotations

from typing import Annotated

from msgspec.structs import replace
from pydantic import Field

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.kernels.own_cell import GRACE, BusyError, OwnCell, run_own_cell
from cellwright.kernels.own_shell import is_on_main_thread, own_shell
from cellwright.messages import JsonObject
from cellwright.notebook.outputs import outputs_images, outputs_text, outputs_view
from cellwright.tool import Opinion, Output, tool
from cellwright.tools.run_command import Ticker
from cellwright.views.frame import Frame
from cellwright.views.table import Table, table_page
from cellwright.views.view import Code, Group, Text

USUAL, LONGEST = 60.0, 600.0
"""Seconds that code may take unless its call says otherwise, and at most."""
TEXT_CHARS = 30_000
"""Characters of outputs in the model's text."""
IMAGES = 5
"""Pictures for a model that can see."""
NAMES = 20
"""Names of variables that are told."""
PRICE = (
    "It can read, change and delete your variables. While it computes, your kernel is busy: no button works, Stop "
    "neither; interrupt the kernel to end it. At its time limit it is interrupted; if it ignores that, only a restart "
    "of the kernel ends it, and all variables and this run are lost."
)
"""What a person should know before they agree."""


def present_code(args: JsonObject, env: Env) -> Group:
    """The code as it will run, and what that means for the person."""
    limit = args.get("timeout")
    title = f"in your own kernel, for {USUAL if limit is None else limit:g} s at most"
    return Group(title, (Code(args["code"], "python"), Text(PRICE)))


def _there_is_a_shell(env: Env) -> bool | str:
    return own_shell() is not None or "it runs code in the kernel that the agent lives in, and this is no kernel"


def _always_ask(args: JsonObject, env: Env) -> tuple[Opinion, str]:
    return "ask", "it runs code in your own kernel, with your variables"


@tool(
    destructive=True,
    timeout=2 * LONGEST + 4 * GRACE,
    max_result_chars=TEXT_CHARS + 10_000,
    check_permission=_always_ask,
    enabled=_there_is_a_shell,
    present_call=present_code,
    lasting="it ran code in your own kernel, which may have changed variables, files and anything else",
    origin="built-in",
)
async def run_here(
    code: Annotated[str, Field(min_length=1)],
    timeout: Annotated[float, Field(gt=0, le=LONGEST)] | None = None,
    *,
    env: Env,
) -> Output:
    """Run Python code in the person's own notebook kernel, where their variables are.

    Use it only for what is in memory there; the person is asked each time. Variables stay, so keep to new names and
    don't change the person's own unless they want that. Output of print, display and the last expression comes back.
    IPython magics and top-level await work; input() does not. While the code computes, the whole notebook waits, so
    keep it short. If the person's own cell is running, the code waits for its end.
    Errors: code_failed shows the traceback; timeout is an interrupt at the time limit; still_running is code that
    ignored it and goes on; busy is a cell of the person's that did not end in time, nothing was run then.

    Args:
        code: Python source, run like a cell of the notebook.
        timeout: Seconds it may take, 60 if left out.
    """
    shell = own_shell()
    if shell is None:
        raise ToolError("no_kernel", "there is no IPython shell in this process; run the code in a child kernel")
    if not is_on_main_thread():
        raise ToolError("no_kernel", "this run lives beside the kernel's main thread, where cells run; nothing was run")
    limit = USUAL if timeout is None else timeout
    ticker = Ticker(env.progress)
    try:
        ran = await run_own_cell(
            shell,
            code,
            limit,
            lambda text: ticker.take(text.encode("utf-8", "replace")),
            is_awaited=env.is_awaited,
        )
    except BusyError as busy:
        raise ToolError("busy", f"{busy} for more than {limit:g} s; nothing was run. Try again later") from None
    return _told(ran, limit, env)


def _told(ran: OwnCell, limit: float, env: Env) -> Output:
    """The result, or the error that says how the code ended."""
    notes = _notes(ran, limit)
    text = "\n".join([outputs_text(ran.outputs, TEXT_CHARS) or "(no output)", *(f"[{note}]" for note in notes)])
    views = outputs_view(ran.outputs, _frame_view(ran.frame, env)).views
    view = Group(" · ".join((f"ran in your kernel in {ran.seconds:.1f} s", *notes)), views)
    match ran.ending:
        case "error":
            raise ToolError("code_failed", f"the code failed in the person's kernel\n{text}", view)
        case "timeout":
            said = f"the code did not end within {limit:g} s and was interrupted; what it did until then stays"
            raise ToolError("timeout", f"{said}\n{text}", view)
        case "interrupted":
            env.progress(text)
            raise KeyboardInterrupt
        case "still_running":
            said = f"the code did not end within {limit:g} s, ignored its interrupts and is STILL RUNNING in the kernel"
            advice = "until it ends no other code can run here; ask the person to restart the kernel if it must end"
            raise ToolError("timeout", f"{said}; {advice}\n{text}", view, still_running=True)
        case "ok":
            value = {"seconds": round(ran.seconds, 2), "variables": list(ran.variables), "output": text}
            return Output(value, text, view, images=outputs_images(ran.outputs, IMAGES))


def _frame_view(value: object, env: Env) -> Table | None:
    """The table of a data frame, whose other rows are in this very kernel."""
    if value is None:
        return None
    try:
        rows = Frame(value)
        view = table_page(rows).table
    except Exception:  # a frame of the person's that its library can't read; what it put out stands
        return None
    return replace(view, source=env.shelf.put(rows, rows.total * len(rows.names)) if view.has_more else "")


def _notes(ran: OwnCell, limit: float) -> tuple[str, ...]:
    notes = []
    if ran.ending == "ok" and ran.ignored:
        notes.append(f"it took {ran.seconds:.1f} s, more than its {limit:g} s, and ignored {ran.ignored} interrupts")
    if ran.variables:
        more = f" and {len(ran.variables) - NAMES} more" if len(ran.variables) > NAMES else ""
        notes.append(f"variables set in the person's kernel: {', '.join(ran.variables[:NAMES])}{more}")
    return tuple(notes)
