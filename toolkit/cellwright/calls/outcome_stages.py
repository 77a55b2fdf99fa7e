"""The stages of a call from its running to its result.

`execute` is the only stage with an effect. The stages after it turn whatever came of it into what the model reads and
what the person sees; the closing ones also run for a call that was refused on its way.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Coroutine
from functools import partial
from typing import Any

from msgspec.structs import replace

from cellwright.calls.around import run_around
from cellwright.calls.conditions import Change, changed
from cellwright.calls.execution import Outcome, ProgressLine, Speech, run_function
from cellwright.calls.mishap import left, raised
from cellwright.calls.passage import Passage, Refused
from cellwright.calls.presentation import content_of, finalized, view_of
from cellwright.codec import NotJsonError, read_canonical, to_json
from cellwright.errors import ToolError
from cellwright.messages import Image, JsonObject, clean_text, told
from cellwright.person.inquiring import inquire
from cellwright.result import Result, failure
from cellwright.text.masking import Masking
from cellwright.text.visible_text import mark_spelling
from cellwright.tool import Output
from cellwright.undo.checkpoint import watched
from cellwright.views.view import as_json
from cellwright.waiting.stopping import Stopping

UNKNOWN_TOOL_CHARS = 10_000
WITHIN = 4
"""Levels that a value stands in, in an event or a report; as much less deep it may be."""


async def execute(passage: Passage) -> None:
    """Runs the tool on the frozen arguments, isolated and with a deadline."""
    tool, log, call_id = passage.found, passage.setup.log, passage.call.id
    log.record("executing", id=call_id)
    if log.broken:
        raise Refused("internal_error", f"{log.broken}. Nothing was run")
    limit = passage.setup.timeout if tool.timeout is None else tool.timeout
    ask = partial(inquire, passage.call, passage.setup)
    line = ProgressLine(lambda text: log.record("progress", id=call_id, text=text))

    def attempt() -> Coroutine[Any, Any, Outcome]:
        args, passage.ready = passage.ready or read_canonical(passage.frozen), None
        env = passage.env.for_call(call_id, Stopping(), Speech(line.say), ask)
        return run_function(tool.execute, args, env, limit)

    around = passage.setup.around
    run = partial(run_around, around, attempt, tool, lambda: json.loads(passage.frozen)) if around else attempt
    outcome = await watched(passage, run)
    line.end()
    passage.outcome = outcome
    match outcome.ended:
        case "returned":
            pass
        case "timeout":
            over = passage.env.spending.time_over()
            within = "in time" if limit is None else f"within {limit:g} s"
            late = f"{over} while {tool.name} was running" if over else f"{tool.name} did not end {within}"
            passage.result = failure(passage.call, "timeout", late + left(outcome), code="budget" if over else "")
        case "cancelled":
            sibling = passage.setup.failed_sibling(passage.call)
            why = f"{sibling} failed, which ran beside this call, and so it" if sibling else "the run"
            message = f"{why} was stopped while {tool.name} was running" + left(outcome)
            stops = "" if sibling else "cancelled"
            passage.result = replace(failure(passage.call, "cancelled", message), stops_run=stops)
        case "raised":
            passage.result = raised(passage.call, outcome)


async def check_output(passage: Passage) -> None:
    """Turns the value into JSON and holds it against the output schema."""
    if passage.outcome is None:
        raise LookupError("the tool was not run")
    given = passage.outcome.value
    try:
        output = _sound(given) if isinstance(given, Output) else NOTHING_MORE
        value = to_json(given, WITHIN) if output is NOTHING_MORE else output.value
    except NotJsonError as error:
        message = f"{passage.found.name} ran, but what it returned can't be kept: {error}"
        raise Refused("invalid_output", message) from None
    except Exception as error:  # the value's own code
        message = f"{passage.found.name} ran, but what it returned can't be read: {told(error)}"
        raise Refused("invalid_output", message) from None
    schema = passage.found.output_schema
    problems = schema.problems(value, "value") if schema else ()
    if problems:
        raise Refused("invalid_output", f"{passage.found.name} ran, but its value is wrong: {'; '.join(problems)}")
    if output.context_change is not None:
        _try_change(passage, output.context_change)
    passage.value, passage.output = value, output


NOTHING_MORE = Output(None)
"""What a tool that gives a bare value says beside it."""


def _try_change(passage: Passage, change: Change) -> None:
    """Refuses a change that can't be made, while the result can still say so; it is made once the call's turn ends."""
    try:
        changed(passage.setup.standing.now, change)
    except ValueError as error:
        raise Refused("invalid_output", f"{passage.found.name} ran, but {error}. Nothing was changed by it") from None


async def render(passage: Passage) -> None:
    """Makes the model's text and the person's view of the same value, and masks the secrets in all of it."""
    result = passage.result or first_result(passage)
    content = finalized(passage.tool, result.content) if passage.tool else result.content
    content = mark_spelling(clean_text(content))
    content = f"{passage.left_out}\n{content}" if passage.left_out else content
    result.metadata.update(_facts(passage))
    if content is not result.content:
        result = replace(result, content=content)
    passage.result, passage.is_masked = _masked(result, passage.setup.log.masking), True


async def record(passage: Passage) -> None:
    """Cuts the model's text to its limit and writes the result into the log; from here on nothing can change it."""
    if passage.result is None:
        raise LookupError("there is no result to record")
    if not passage.is_masked:  # the stage before broke off
        passage.result = _masked(passage.result, passage.setup.log.masking)
    passage.result.metadata["stages"] = _seconds(passage)
    limit = passage.tool.max_result_chars if passage.tool else UNKNOWN_TOOL_CHARS
    passage.result = passage.setup.commit(passage.setup, passage.result, limit)


def _sound(output: Output) -> Output:
    """What a tool gave, its value as JSON and its other fields of the types that they are said to have."""
    if not isinstance(output.content, str | None):
        raise NotJsonError(f"content is a {type(output.content).__name__}, not a text")
    if not isinstance(output.context, str):
        raise NotJsonError(f"context is a {type(output.context).__name__}, not a text")
    if not isinstance(output.stops_run, str):
        raise NotJsonError(f"stops_run is a {type(output.stops_run).__name__}, not a text")
    if not all(isinstance(image, Image) for image in output.images):
        raise NotJsonError("images holds something else than Image(...)")
    context, images = clean_text(output.context), tuple(output.images)
    value, meta = to_json(output.value, WITHIN), to_json(dict(output.meta), WITHIN)
    return replace(output, value=value, images=images, context=context, meta=meta)


def first_result(passage: Passage) -> Result:
    """The result of a tool's output, before anything is added to it or cut."""
    tool, output = passage.found, passage.output
    if output is None:
        return failure(passage.call, "internal_error", "the call ended without a value")
    value = passage.setup.log.masking.json(passage.value)
    return Result(
        passage.call,
        True,
        content_of(tool, value) if output.content is None else output.content,
        value,
        view_of(passage, value, output),
        images=output.images,
        context=output.context,
        stops_run=output.stops_run,
        context_change=output.context_change,
        metadata=dict(output.meta),
    )


def _masked(result: Result, masking: Masking) -> Result:
    """The result with its secrets masked; the metadata counts the marks where there are most of them."""
    view = result.view and as_json(result.view)
    shown = [result.content, result.value, view, result.context, result.stops_run, result.metadata]
    if masking.json(shown) is shown:  # nothing is secret in nearly all results
        return result
    in_content, in_value, in_view = Counter[str](), Counter[str](), Counter[str]()
    masked = replace(
        result,
        content=masking.text(result.content, in_content),
        value=masking.json(result.value, in_value),
        view=result.view and masking.view(result.view, in_view),
        context=masking.text(result.context),
        stops_run=masking.text(result.stops_run),
        metadata=masking.json(result.metadata),
    )
    counts = in_content | in_value | in_view
    return replace(masked, metadata={**masked.metadata, "masked": dict(counts)}) if counts else masked


def _facts(passage: Passage) -> JsonObject:
    facts: JsonObject = to_json(passage.result.metadata) if passage.result else {}
    if passage.decision:
        decision = passage.decision
        facts["decision"] = {"decision": decision.decision, "by": decision.by, "reason": clean_text(decision.reason)}
    if passage.repairs:
        facts["repairs"] = list(passage.repairs)
    if passage.changed_by:
        facts["changed_by_hooks"] = [hook.name for hook in passage.changed_by]
    if passage.edited:
        facts["edited_by_person"] = json.loads(passage.edited)
    if passage.outcome and passage.outcome.tries > 1:
        facts["tries"] = passage.outcome.tries
    if passage.outcome and _still_runs(passage.outcome):
        facts["still_running"] = True
    return facts


def _still_runs(outcome: Outcome) -> bool:
    return outcome.still_running or (isinstance(outcome.error, ToolError) and outcome.error.still_running)


def _seconds(passage: Passage) -> dict[str, float]:
    """The time that each stage took."""
    return {stage: nanoseconds // 1000 / 1e6 for stage, nanoseconds in passage.times.items()}
