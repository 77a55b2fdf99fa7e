"""The way of one call, from the model's words to its result: one list, read from the top.

Each stage takes the passage a little further. A stage that refuses ends the passage with a
failure, and only the closing stages still run. The call is recorded before anything else. The rule that must never
break: every recorded call gets exactly one result, whatever a tool, an approver or the person does.
The lesson is `notebooks/06_pipeline.ipynb`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from msgspec.structs import replace

from cellwright.calls.hook_stages import after_hooks, before_hooks
from cellwright.calls.outcome_stages import check_output, execute, record, render
from cellwright.calls.passage import Passage, Refused, Setup
from cellwright.calls.stages import approve, guard, look_up, permit, read, recheck, validate
from cellwright.error_class import error_class
from cellwright.messages import Call, clean_text, told
from cellwright.result import Result, failure

Stage = Callable[[Passage], Awaitable[None]]

STAGES: list[Stage] = [
    look_up,
    read,
    validate,
    before_hooks,
    guard,
    permit,
    approve,
    recheck,
    execute,
    check_output,
    after_hooks,
    render,
    record,
]
CLOSING = frozenset({after_hooks, render, record})
"""The stages that a refused call passes too."""


async def run_call(call: Call, setup: Setup, refusal: Result | None = None) -> Result:
    """Takes a call through all stages to its result; one that is refused beforehand passes the closing stages only.

    Never raises: a cancellation of the caller ends as a result with `stops_run` set, and so does everything else.
    """
    within = {"within": setup.within} if setup.within else {}
    setup.log.record("call", id=call.id, name=call.name, arguments=clean_text(call.arguments), **within)
    passage = Passage(call, setup, setup.env, result=refusal or setup.repetition.refusal(call))
    while passage.stages_passed < len(STAGES):
        await _go_on(passage)
    result = passage.result or not_started(call)
    setup.repetition.note(result, passage.tool is not None and passage.tool.read_only is not True)
    return result


def not_started(call: Call, sibling: str = "") -> Result:
    """The result of a call that was never begun: the run was stopped, or a command beside it failed."""
    why = f"{sibling}, beside which this call was to run, failed" if sibling else "the run was stopped"
    result = failure(call, "cancelled_before_start", f"{why} before this call started; nothing was run")
    return result if sibling else replace(result, stops_run="cancelled")


def _stopped(passage: Passage, sibling: str) -> Result:
    """The result of a call that was stopped on its way. Once the tool was begun, nobody may think that it was not."""
    if "execute" not in passage.times:
        return not_started(passage.call, sibling)
    why = "the call was stopped after its tool was begun; it may have had effects, so look at what it did"
    return failure(passage.call, "cancelled", why)


async def _go_on(passage: Passage) -> None:
    """Takes a call on until a stage breaks off; every way in which one can is written into the passage."""
    try:
        await _pass_stages(passage)
    except Refused as refused:
        passage.result = failure(passage.call, refused.error_type, refused.message, code=refused.code)
    except asyncio.CancelledError:
        sibling = passage.setup.failed_sibling(passage.call)
        result = passage.result or _stopped(passage, sibling)
        passage.result = result if sibling else replace(result, stops_run="cancelled")
    except KeyboardInterrupt:
        result = passage.result or failure(passage.call, "cancelled", "interrupted from the keyboard")
        passage.result = replace(result, stops_run="interrupted")
    except GeneratorExit:  # the event loop is gone, and with it all that could be told
        raise
    except BaseException as error:
        stage = STAGES[passage.stages_passed - 1].__name__
        message = f"Cellwright failed in stage {stage} ({told(error)}); the call was not finished"
        passage.result = failure(passage.call, "internal_error", message, error_class=error_class(error))


async def _pass_stages(passage: Passage) -> None:
    """The stages from where the call is, up to the last, or to one that sends it back."""
    times, began = passage.times, time.perf_counter_ns()
    for stage in STAGES[passage.stages_passed :]:
        passage.stages_passed += 1
        if passage.result is not None and stage not in CLOSING:
            continue
        try:
            await stage(passage)
        finally:
            name, ended = stage.__name__, time.perf_counter_ns()
            times[name] = times.get(name, 0) + ended - began
            began = ended
        if passage.back_to:
            passage.stages_passed = next(i for i, s in enumerate(STAGES) if s.__name__ == passage.back_to)
            passage.back_to = ""
            return
