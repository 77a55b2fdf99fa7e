"""`run_code`: a piece of code in a kernel of the run, whose variables stay for the next piece.

To look at data, to try a line before it goes into a cell, to see what a notebook's variables hold: for that a model
needs a kernel that goes on living. It has one of its own, and that of each notebook it has run. It runs whatever the
code says, so a person is asked in every mode that asks at all. The rule that must never break: what runs is what was
shown, and a cell that must not run in its notebook does not run as a piece of code either.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.kernels.code_piece import CodePiece
from cellwright.kernels.execution_report import ExecutionReport
from cellwright.kernels.kernel_session import KernelSession
from cellwright.messages import JsonObject
from cellwright.notebook.cell import Cell
from cellwright.notebook.outputs import outputs_text
from cellwright.tool import Opinion, Output, tool
from cellwright.tools.cell_tags import ASKING, NEVER, cell_title, tags
from cellwright.tools.kernel_choice import chosen_kernel
from cellwright.tools.piece_report import PieceReport
from cellwright.tools.run_command import Ticker
from cellwright.views.view import Code, Group, Text, View

USUAL, LONGEST = 120.0, 3_600.0
"""Seconds that code may take unless its call says otherwise, and at most."""
AROUND = 90.0
"""Seconds beside those of the code: for the start of a kernel, and for the end of code that is over its time."""

LATE_CHARS = 3_000
"""Characters that are told of what threads of earlier code put out."""


def _permission(args: JsonObject, env: Env) -> tuple[Opinion, str]:
    never = [cell for cell in _copied(args, env) if NEVER in tags(cell)]
    if never:
        return "deny", f"it is the code of cell {cell_title(never[0])}, tagged {NEVER}"
    return "ask", "it runs code"


def _marked(args: JsonObject, env: Env) -> str | None:
    marked = [cell for cell in _copied(args, env) if ASKING & set(tags(cell))]
    return f"it is the code of cell {cell_title(marked[0])}, tagged {', '.join(tags(marked[0]))}" if marked else None


def _copied(args: JsonObject, env: Env) -> list[Cell]:
    """The cells of the kernel's notebook whose whole code this is, or holds."""
    try:
        stored = chosen_kernel(args.get("kernel"), env).stored
    except ToolError:  # nothing can be run, which is told when it is to be
        return []
    cells = stored.document.cells if stored else ()
    code = args["code"]
    return [cell for cell in cells if cell.cell_type == "code" and tags(cell) and (cell.source.strip() or "\0") in code]


def present_code(args: JsonObject, env: Env) -> View:
    """The code as it will run, where, and for how long."""
    choice = chosen_kernel(args.get("kernel"), env)
    limit = args.get("timeout") or (None if args.get("background") else USUAL)
    how = ", in the background" if args.get("background") else ""
    held = env.kernels.find(choice.name)
    state = "as it is now" if held and held.kernel.is_alive else "which is started for it"
    head = f"in the kernel {choice.title}, {state}{how}{f', for {limit:g} s at most' if limit else ''}"
    return Group(head, (*map(Text, choice.notes), Code(args["code"], choice.language)))


@tool(
    timeout=LONGEST + AROUND,
    check_permission=_permission,
    asks_first=_marked,
    max_result_chars=40_000,
    present_call=present_code,
    lasting="it ran code, which may have changed variables, files and anything else",
    origin="built-in",
)
async def run_code(
    code: Annotated[str, Field(min_length=1)],
    timeout: Annotated[float, Field(gt=0, le=LONGEST)] | None = None,
    kernel: str | None = None,
    background: bool = False,
    *,
    env: Env,
) -> Output:
    """Run a piece of code in a kernel and see what it prints, displays, and the value of its last line.

    Variables stay for the next piece; inspect_variables lists them. Python with IPython's % and ! lines, unless
    another kernel is named. There is no keyboard: input() fails. Code that should stay belongs into a notebook
    (notebook_edit, then notebook_run). Errors: code_failed shows the traceback; code_timeout, after which variables
    are kept unless it says otherwise; kernel_died, after which they are lost; no_kernel names those installed.

    Args:
        code: The code.
        timeout: Seconds it may take, 120 if left out; in the background there is no limit unless one is given.
        kernel: The path of a notebook, for the kernel in which its cells run, or the name of an installed kernel.
        background: Go on at once, and let it run until it ends, or this run does; wait tells what came of it.
    """
    choice = chosen_kernel(kernel, env)
    session = choice.session(env)
    session.require_free()
    notes = [*choice.notes]
    if not session.kernel.starts and env.kernels.ended_before(choice.name):
        notes.append("the kernel of the earlier run has ended, and its variables with it; this is a new one")
    if background:
        return _begun(env.kernels.begin(session, code, timeout), notes)
    ticker = Ticker(env.progress)
    limit = USUAL if timeout is None else timeout
    execution = await session.run(code, limit, lambda text: ticker.take(text.encode("utf-8", "replace")))
    notes += [*_untold(session, env), *_late(session)]
    report = ExecutionReport(execution, f"in the kernel {choice.title}", notes, Code(code, choice.language))
    if report.failure:
        raise report.failure
    return report.result({"kernel": choice.name, "execution_count": execution.execution_count, "notes": notes})


def _begun(piece: CodePiece, notes: list[str]) -> Output:
    said = f"{piece.name} runs in the background in the kernel {piece.session.name}; it is ended when this run ends"
    value = {"code": piece.name, "kernel": piece.session.name, "state": "running", "notes": notes}
    return Output(value, "\n".join([said, *notes]), Text(said))


def _untold(session: KernelSession, env: Env) -> list[str]:
    """What came of code in the background that nobody has waited for."""
    over = [piece for piece in env.kernels.pieces() if piece.session is session and piece.is_over and not piece.is_told]
    return [f"[{piece.name} has ended]\n{PieceReport(piece).text}" for piece in over]


def _late(session: KernelSession) -> list[str]:
    """What threads of earlier code put out after its end, and updates of what it displayed."""
    late = outputs_text(session.news(), LATE_CHARS)
    return [f"[what earlier code has put out since its end]\n{late}"] if late else []
