"""Where a call and a run meet their hooks.

Before a call the hooks are asked in their order. One that changes the arguments sends the call back to `validate`, and
all are asked again about what would run now, so that no answer ever stands for arguments that it was not given for. A
hook may change a call once, then it can only block or ask. All this is before permission and approval, nothing of it
after them: what was approved is what runs. After a call no hook can lose its result. The rule that must never break:
a hook that fails before denies, one that fails after is noted, and the loop goes on.
"""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Sequence
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from cellwright.calls.outcome_stages import first_result
from cellwright.calls.passage import Passage, Refused, Setup
from cellwright.codec import canonical
from cellwright.hooks.hook import (
    AddContext,
    Ask,
    Block,
    Change,
    Fail,
    Hook,
    HookAllow,
    HookAnswer,
    HookEvent,
    HookFailed,
    Occasion,
    Replace,
    StopRun,
)
from cellwright.hooks.hook_asking import asked
from cellwright.log.events import Log
from cellwright.result import Result, failure
from cellwright.views.view import Failure, Group


async def before_hooks(passage: Passage) -> None:
    """Asks the hooks about the call, in their order; the first that blocks it, or fails, ends it."""
    answers: list[tuple[Hook, HookAnswer]] = []
    for hook in _hooks_for("before_call", passage):
        answer = await asked(hook, _occasion("before_call", passage), passage.env, passage.setup.log.masking.text)
        match answer:
            case None:
                continue
            case Block(reason=reason):
                _record(passage.setup.log, hook, answer, passage.call.id)
                why = f": {reason}" if reason else ""
                raise Refused("hook_blocked", f"the hook {hook.name} blocked this call{why}. Nothing was run")
            case HookFailed(reason=reason):
                _record(passage.setup.log, hook, answer, passage.call.id)
                raise Refused(
                    "hook_blocked",
                    f"the hook {hook.name} could not judge this call, so nothing was run: {reason}. That is no verdict "
                    "on the call; the person has to mend the hook, so don't repeat it",
                    code="hook_failed",
                )
            case Change(args=args):
                if canonical(args) == canonical(passage.args):
                    continue
                if hook not in passage.changed_by:
                    _change(passage, hook, answer)
                    return
            case HookAllow() | Ask() | AddContext():
                pass  # it counts once all have been asked
            case Replace() | Fail() | StopRun():
                raise LookupError(f"{type(answer).__name__} is no answer before a call")
            case _:
                assert_never(answer)
        answers.append((hook, answer))
    for hook, answer in answers:
        note = "not taken, since it has changed this call before" if isinstance(answer, Change) else ""
        _record(passage.setup.log, hook, answer, passage.call.id, note)
    passage.hook_answers = tuple(answers)


def _change(passage: Passage, hook: Hook, change: Change) -> None:
    _record(passage.setup.log, hook, change, passage.call.id)
    passage.setup.log.record("arguments", id=passage.call.id, args=change.args, repairs=[], by="hook")
    passage.args, passage.back_to = change.args, "validate"
    passage.changed_by = (*passage.changed_by, hook)


async def after_hooks(passage: Passage) -> None:
    """Asks the hooks about what came of a call that was run; adds what hooks have to say to the model."""
    if not passage.setup.hooks:
        return
    result = passage.result or first_result(passage)
    for _, said in passage.hook_answers:
        if isinstance(said, AddContext):
            result = _with_context(result, said.text)
    if passage.outcome is None or result.stops_run:
        passage.result = result
        return
    notes: list[str] = []
    for hook in _hooks_for("after_call", passage):
        answer, stopped = await _answer_after(hook, passage, result)
        if isinstance(answer, HookFailed):
            notes.append(f"[the hook {hook.name} failed after this call, which is done: {answer.reason}]")
        elif answer is not None:
            result = _after(result, hook, answer)
        if stopped:
            result = replace(result, stops_run=stopped)
            break
    content = "\n".join(part for part in (result.content, *notes) if part)
    passage.result = replace(result, content=content)


async def _answer_after(hook: Hook, passage: Passage, result: Result) -> tuple[HookAnswer | HookFailed | None, str]:
    """The hook's answer, and why the run was stopped before it came, if it was."""
    occasion = replace(_occasion("after_call", passage), result=_copied(result))
    answer: HookAnswer | HookFailed | None
    try:
        answer, stopped = await asked(hook, occasion, passage.env, passage.setup.log.masking.text), ""
    except asyncio.CancelledError:
        answer, stopped = HookFailed("the run was stopped before it answered"), "cancelled"
    except KeyboardInterrupt:
        answer, stopped = HookFailed("interrupted from the keyboard"), "interrupted"
    if answer is not None:
        _record(passage.setup.log, hook, answer, passage.call.id)
    return answer, stopped


def _after(result: Result, hook: Hook, answer: HookAnswer) -> Result:
    """The result as an answer leaves it."""
    match answer:
        case AddContext(text=text):
            return _with_context(result, text)
        case Replace(content=content):
            metadata = {**result.metadata, "replaced_by_hook": hook.name}
            return replace(result, content=content, images=(), metadata=metadata)
        case Fail(message=message):
            return _rejected(result, f"the tool has run, but the hook {hook.name} rejects its result: {message}")
        case StopRun(reason=reason):
            return replace(
                result, stops_run=f"the hook {hook.name} stopped the run" + (f": {reason}" if reason else "")
            )
        case Block() | HookAllow() | Ask() | Change():
            raise LookupError(f"{type(answer).__name__} is no answer after a call")
    assert_never(answer)


def _rejected(result: Result, message: str) -> Result:
    """The failure, with the tool's own view below it for the person."""
    failed = failure(result.call, "tool_error", message, code="rejected_by_hook")
    view = Group("", (Failure("rejected_by_hook", failed.content), result.view)) if result.view else failed.view
    metadata = {**result.metadata, **failed.metadata}
    return replace(failed, view=view, context=result.context, stops_run=result.stops_run, metadata=metadata)


def _with_context(result: Result, text: str) -> Result:
    return replace(result, context=f"{result.context}\n{text}" if result.context else text)


def _copied(result: Result) -> Result:
    return replace(result, value=copy.deepcopy(result.value), metadata=copy.deepcopy(result.metadata))


class Screened(Struct, frozen=True):
    """What the hooks say of what a person said."""

    blocked: str = ""
    """Why the model may not read it; empty if it may."""
    context: Sequence[str] = ()
    """Notes that the model reads with it."""


async def screen(prompt: str, setup: Setup) -> Screened:
    """Asks the `user_prompt` hooks. One that blocks, or fails, keeps the prompt from the model."""
    context: list[str] = []
    masked = setup.log.masking.text  # what the person says is theirs to say, what a hook adds is not
    for hook in [hook for hook in setup.hooks if hook.is_for("user_prompt")]:
        occasion = Occasion("user_prompt", setup.env.cwd, setup.policy.mode, prompt)
        answer = await asked(hook, occasion, setup.env, masked)
        if answer is not None:
            _record(setup.log, hook, answer)
        match answer:
            case Block(reason=reason):
                why = f"the hook {hook.name} blocked the prompt" + (f": {reason}" if reason else "")
                return Screened(masked(why))
            case HookFailed(reason=reason):
                why = f"the hook {hook.name} could not judge the prompt, so the model did not read it: {reason}"
                return Screened(masked(why))
            case AddContext(text=text):
                context.append(masked(text))
            case HookAllow() | Ask() | Change() | Replace() | Fail() | StopRun():
                raise LookupError(f"{type(answer).__name__} is no answer to a prompt")
            case None:
                pass
            case _:
                assert_never(answer)
    return Screened(context=tuple(context))


async def notify(occasion: Occasion, setup: Setup) -> None:
    """Lets the hooks of an event watch. One that fails is written down, and changes nothing."""
    for hook in [hook for hook in setup.hooks if hook.is_for(occasion.event)]:
        answer = await asked(hook, occasion, setup.env, setup.log.masking.text)
        if answer is not None:
            _record(setup.log, hook, answer)


def _hooks_for(event: HookEvent, passage: Passage) -> list[Hook]:
    return [hook for hook in passage.setup.hooks if hook.is_for(event, passage.call.name)]


def _occasion(event: HookEvent, passage: Passage) -> Occasion:
    return Occasion(
        event,
        passage.env.cwd,
        passage.setup.policy.mode,
        call_id=passage.call.id,
        tool=passage.call.name,
        args=copy.deepcopy(passage.args),
    )


def _record(log: Log, hook: Hook, answer: HookAnswer | HookFailed, call_id: str = "", note: str = "") -> None:
    match answer:
        case Block(reason=text) | HookAllow(reason=text) | Ask(reason=text) | StopRun(reason=text):
            reason = text
        case HookFailed(reason=text) | AddContext(text=text) | Fail(message=text):
            reason = text
        case Change() | Replace():
            reason = note
        case _:
            assert_never(answer)
    about = {"id": call_id} if call_id else {}
    log.record("hook", **about, hook=hook.name, event=hook.event, answer=answer.word, reason=reason)
