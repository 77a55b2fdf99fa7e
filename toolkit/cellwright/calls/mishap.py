"""What the model is told of a tool that raised or was stopped.

A tool's own errors say what to do next and are told as they are. Whatever else it raises is named by its kind, and its
traceback is for the person alone. The rule that must never break: nobody is left to think that a tool has ended which
still runs.
"""

from __future__ import annotations

import traceback
from pathlib import Path

from msgspec.structs import replace

from cellwright.calls.execution import Outcome
from cellwright.calls.limits import cut
from cellwright.error_class import error_class
from cellwright.errors import ToolError
from cellwright.messages import Call, told
from cellwright.result import Result, failure
from cellwright.views.view import Failure, Group, View

PACKAGE = Path(__file__).parents[1]
MAX_TRACEBACK = 10_000


def raised(call: Call, outcome: Outcome) -> Result:
    """The result of a call whose tool raised."""
    error, said = outcome.error, outcome.last_progress
    if error is None:
        raise LookupError("a tool raised, but nothing")
    before, kind = f"\nBefore that it said: {said}" if said else "", error_class(error)
    match error:
        case ToolError(code="invalid_arguments", message=message):
            return failure(call, "invalid_arguments", message + before, error_class=kind)
        case ToolError(code="timeout", message=message, view=view) if isinstance(view, View):
            return _with_view(failure(call, "timeout", message, code="timeout", error_class=kind), view)
        case ToolError(code=code, message=message, view=view) if isinstance(view, View):
            return _with_view(failure(call, "tool_error", message, code=code, error_class=kind), view)
        case ToolError(code=code, message=message):
            return failure(call, "tool_error", message + before, code=code, error_class=kind)
        case KeyboardInterrupt():
            interrupted = failure(call, "cancelled", "interrupted from the keyboard" + before, error_class=kind)
            return replace(interrupted, stops_run="interrupted")
        case SystemExit(code=status):
            code, text = (
                "system_exit",
                f"the tool called exit (SystemExit: {status!r}); it was kept from ending the process",
            )
        case _:
            code, text = "exception", told(error)
    return failure(call, "tool_error", text + before, code=code, error_class=kind, detail=_traceback(error))


def left(outcome: Outcome) -> str:
    """What a tool that was asked to end has left, and the last that it said."""
    state = ""
    if outcome.still_running:
        state = "; it was asked to end, but is STILL RUNNING and may yet have effects"
    elif outcome.finished:
        state = "; it has come to an end since, so look at what it did"
    return state + (f"; the last it said: {outcome.last_progress}" if outcome.last_progress else "")


def _with_view(result: Result, view: View) -> Result:
    """The failure, its first line for the person, with the tool's view of what was done before it."""
    short = Failure(result.metadata.get("code", ""), result.content.partition("\n")[0])
    return replace(result, view=Group("", (short, view)))


def _traceback(error: BaseException) -> str:
    """The traceback without the frames that every call has."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not Path(f.filename).is_relative_to(PACKAGE)]
    lines = [*traceback.format_list(frames), *traceback.format_exception_only(error)]
    return cut("".join(lines).rstrip(), MAX_TRACEBACK)[0]
