"""Asking one hook, so that nothing it does can harm the run or pass for a yes.

A sync function runs in a thread of its own with the caller's context variables, an async one in a task of its own, and
neither longer than its time limit. What is no answer of this event, or does not come, is a failure with its reason.
Re-entrancy has one rule: what a hook starts (a run, and the calls in it) is not shown to that same hook again.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from contextvars import ContextVar

from msgspec.structs import asdict

from cellwright.calls.execution import Speech, run_function
from cellwright.codec import NotJsonError, to_json
from cellwright.env import Env
from cellwright.hooks.hook import ANSWERS, Change, Hook, HookAnswer, HookEvent, HookFailed, Occasion
from cellwright.messages import JsonObject, clean_text, told
from cellwright.waiting.stopping import Stopping
from cellwright.waiting.threads import in_thread

MAX_REASON = 1_000
"""Characters of what a hook raised that are told."""
_asking: ContextVar[tuple[Hook, ...]] = ContextVar("cellwright_asking", default=())
"""The hooks inside which the code runs: threads and tasks that they start know it too, which an argument could not."""


async def asked(
    hook: Hook, occasion: Occasion, env: Env, masked: Callable[[str], str]
) -> HookAnswer | HookFailed | None:
    """The hook's answer, whatever its function does. What it raised is masked, then cut: half a secret has no looks.

    Raises:
        asyncio.CancelledError: if the run is stopped meanwhile.
        KeyboardInterrupt: from the keyboard.
    """
    if hook in _asking.get():
        return None

    async def ask(args: JsonObject, env: Env) -> object:
        try:
            return await _called(hook.function, occasion)
        except asyncio.CancelledError:
            if env.stopping.is_set():
                raise
            return HookFailed("it cancelled itself")

    own_env = env.for_call(env.call_id, Stopping(), Speech(lambda text: None))
    token = _asking.set((*_asking.get(), hook))
    try:
        outcome = await run_function(ask, {}, own_env, hook.timeout)
    finally:
        _asking.reset(token)
    match outcome.ended:
        case "returned":
            return _sound(outcome.value, hook.event)
        case "timeout":
            return HookFailed(f"it did not answer within {hook.timeout:g} s")
        case "cancelled":
            raise asyncio.CancelledError
        case "raised":
            if isinstance(outcome.error, KeyboardInterrupt):
                raise outcome.error
            return HookFailed(masked(told(outcome.error))[:MAX_REASON] if outcome.error else "it raised, but nothing")


async def _called(function: Callable[[Occasion], object], occasion: Occasion) -> object:
    if inspect.iscoroutinefunction(function):
        return await function(occasion)
    value: object = await in_thread(lambda: function(occasion))
    return await value if inspect.isawaitable(value) else value


def _sound(answer: object, event: HookEvent) -> HookAnswer | HookFailed | None:
    """The answer, if it is one of this event and its fields are what they are said to be; a copy."""
    if answer is None or isinstance(answer, HookFailed):
        return answer
    known = next((answer for kind in ANSWERS[event] if isinstance(answer, kind)), None)
    if known is None:
        possible = ", ".join([*(kind.__name__ for kind in ANSWERS[event]), "None"])
        said = f"the class {answer.__name__}" if isinstance(answer, type) else type(answer).__name__
        return HookFailed(f"it answered {said}; at {event} the answers are {possible}")
    if isinstance(known, Change):
        return _sound_change(known)
    texts = asdict(known)
    wrong = [name for name, text in texts.items() if not isinstance(text, str)]
    if wrong:
        return HookFailed(f"it answered {type(known).__name__} with a {wrong[0]} that is no text")
    return type(known)(**{name: clean_text(text) for name, text in texts.items()})


def _sound_change(change: Change) -> Change | HookFailed:
    try:
        args = to_json(change.args)
    except NotJsonError as error:
        return HookFailed(f"it changed the arguments to what is not JSON: {error}")
    return Change(args) if isinstance(args, dict) else HookFailed("it changed the arguments to what is no object")
