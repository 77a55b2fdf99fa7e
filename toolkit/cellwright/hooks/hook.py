"""Hooks: what the person lets be asked about each call, without being asked themselves.

A hook is a value: at which event it is asked, about which tools, which function gives its answer, and how long that
may take. The answers are closed sets of plain values; None is no opinion. A deny rule and a guard beat a hook's allow,
a hook's question beats everyone's allow, and a block ends it. The rule that must never break: a hook that fails, hangs
or answers nonsense says no, and never in the words of a hook that meant it.
The lesson is `notebooks/04_hooks.ipynb`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import ClassVar, Literal, get_args

from msgspec import Struct, field
from msgspec.structs import force_setattr

from cellwright.codec import to_json
from cellwright.env import Env
from cellwright.errors import UsageError
from cellwright.messages import JsonObject, clean_text
from cellwright.permission.decision import Decision, Mode
from cellwright.permission.policy import Policy
from cellwright.result import Result
from cellwright.spelling import Spelling
from cellwright.tool import NAME, Tool

HookEvent = Literal["before_call", "after_call", "run_start", "run_end", "user_prompt", "before_compaction"]
"""When a hook is asked.

`before_call`: the arguments are sound, and nobody has judged the call, which overlaps with no other; `after_call`: the
tool was run, whatever came of it, and the run goes on; `user_prompt`: before the model reads what a person says, also
while the run goes on; `run_start`, `run_end` and `before_compaction` (the conversation is about to be made shorter)
only watch.
"""
TIME_LIMIT = 10.0
"""Seconds a hook has, unless it says otherwise."""
MAX_NAME = 200


class Block(Struct, frozen=True, metaclass=Spelling):
    """The call is not run, or the prompt not read. The model, or the person, reads the reason."""

    word: ClassVar[str] = "block"
    reason: str = ""


class HookAllow(Struct, frozen=True, metaclass=Spelling):
    """No question is needed. Deny rules and guards still hold. (`Allow` is a person's answer.)"""

    word: ClassVar[str] = "allow"
    reason: str = ""


class Ask(Struct, frozen=True, metaclass=Spelling):
    """A person has to look at it, in every mode, also if it only reads."""

    word: ClassVar[str] = "ask"
    reason: str = ""


class Change(Struct, frozen=True, metaclass=Spelling):
    """Other arguments, all of them: what is left out is not given, so begin with a copy of the occasion's.

    They are checked and judged like the model's own; a hook may change a call once.
    """

    word: ClassVar[str] = "change"
    args: JsonObject


class AddContext(Struct, frozen=True, metaclass=Spelling):
    """A note that the model reads before its next turn."""

    word: ClassVar[str] = "add_context"
    text: str


class Replace(Struct, frozen=True, metaclass=Spelling):
    """The model reads this instead of the result's text and pictures. The person still sees the tool's own view."""

    word: ClassVar[str] = "replace"
    content: str


class Fail(Struct, frozen=True, metaclass=Spelling):
    """The call counts as failed (`tool_error`, code `rejected_by_hook`), and the model reads this message."""

    word: ClassVar[str] = "fail"
    message: str


class StopRun(Struct, frozen=True, metaclass=Spelling):
    """The run ends after this call, as `cancelled`, and its `error` says why."""

    word: ClassVar[str] = "stop_run"
    reason: str = ""


class HookFailed(Struct, frozen=True):
    """The hook could not give an answer. Before a call it denies, and never in the words of a block."""

    word: ClassVar[str] = "failed"
    reason: str


HookAnswer = Block | HookAllow | Ask | Change | AddContext | Replace | Fail | StopRun
ANSWERS: dict[HookEvent, tuple[type[HookAnswer], ...]] = {
    "before_call": (Block, HookAllow, Ask, Change, AddContext),
    "after_call": (Replace, Fail, StopRun, AddContext),
    "user_prompt": (Block, AddContext),
    "run_start": (),
    "run_end": (),
    "before_compaction": (),
}
"""The answers that there are at each event, beside None."""


class Occasion(Struct, frozen=True):
    """What a hook is told. All of it is a copy: changing it changes nothing."""

    event: HookEvent
    cwd: Path
    mode: Mode
    prompt: str = ""
    """What the person said; at `user_prompt`, `run_start` and `run_end`."""
    call_id: str = ""
    tool: str = ""
    """The exact name; with `call_id` and `args` before and after a call."""
    args: JsonObject = field(default_factory=dict)
    result: Result | None = None
    """After a call."""
    stop_reason: str = ""
    """At `run_end`, with `answer`."""
    answer: str = ""

    def as_json(self) -> JsonObject:
        """The same for a program: the fields of this event and no others."""
        told_at: dict[HookEvent, tuple[str, ...]] = {
            "before_call": ("call_id", "tool", "args"),
            "after_call": ("call_id", "tool", "args"),
            "run_end": ("prompt", "stop_reason", "answer"),
        }
        names = ("event", "cwd", "mode", *told_at.get(self.event, ("prompt",)))
        data: JsonObject = {name: to_json(getattr(self, name)) for name in names}
        if self.result:
            given = self.result.as_json()
            data["result"] = {name: given[name] for name in ("ok", "error_type", "content", "value")}
        return data


class Hook(Struct, frozen=True, metaclass=Spelling):
    """A function that is asked at an event.

    Raises:
        UsageError: for an event, tool name or time limit that makes no sense.
    """

    event: HookEvent
    function: Callable[[Occasion], object]
    """Gives an answer or None. An async one must not block the event loop; a sync one runs in a thread of its own."""
    tools: Collection[str] | None = None
    """The exact names of the tools that it is asked about; None for all."""
    name: str = ""
    """What people and models read; the function's own name if none is given."""
    timeout: float = TIME_LIMIT
    """Seconds."""

    def __post_init__(self) -> None:
        own = getattr(self.function, "__name__", type(self.function).__name__)
        force_setattr(self, "name", clean_text(self.name or own)[:MAX_NAME])
        problem = _problem(self)
        if problem:
            raise UsageError(f"the hook {self.name}: {problem}")
        if self.tools is not None:
            force_setattr(self, "tools", frozenset(self.tools))

    def is_for(self, event: HookEvent, tool: str = "") -> bool:
        """Whether it is asked at this event, about this tool."""
        return self.event == event and (self.tools is None or tool in self.tools)


def _problem(hook: Hook) -> str | None:
    if hook.event not in get_args(HookEvent):
        return f"there is no event {hook.event!r}; the events are {', '.join(get_args(HookEvent))}"
    if not callable(hook.function):
        return f"{hook.function!r} can't be called; give a function of one argument, the occasion"
    if not isinstance(hook.timeout, int | float) or not 0 < hook.timeout < threading.TIMEOUT_MAX:
        return f"timeout={hook.timeout!r} is no limit; give seconds, more than 0"
    if hook.tools is None:
        return None
    if hook.event not in ("before_call", "after_call"):
        return f"tools= says nothing at {hook.event}; leave it out"
    if isinstance(hook.tools, str) or not hook.tools:
        return f"tools={hook.tools!r} names no tools; give a set of exact names, or leave it out for all tools"
    wrong = [name for name in hook.tools if not isinstance(name, str) or not NAME.fullmatch(name)]
    return f"{wrong[0]!r} is no tool name; patterns are not read here, let the function look at them" if wrong else None


def weighed(
    policy: Policy, tool: Tool, args: JsonObject, env: Env, answers: Sequence[tuple[Hook, HookAnswer]]
) -> Decision:
    """The policy's decision together with what the hooks said of the call.

    A denial stands. A hook's question beats every allow; where mode `dont_ask` holds, it denies. A hook's allow counts
    only where nothing denies the call, not even perhaps, so that it is worth no more than a deny rule leaves of it.
    """
    decision = policy.decide(tool, args, env)
    if not answers:
        return decision
    for hook, answer in answers:
        if isinstance(answer, Ask) and decision.decision != "deny":
            why = f"the hook {hook.name} asks{_because(answer.reason)}"
            if policy.mode == "dont_ask":
                return Decision("deny", "dont_ask", f"mode dont_ask denies what would be asked ({why})")
            return Decision("ask", "hook", why)
    allows = [(hook, answer) for hook, answer in answers if isinstance(answer, HookAllow)]
    if any(isinstance(answer, Ask) for _, answer in answers) or not allows or decision.decision == "allow":
        return decision
    if not policy.leaves(tool, args, env):
        return decision
    hook, allow = allows[0]
    return Decision("allow", "hook", f"the hook {hook.name} allows it{_because(allow.reason)}")


def _because(reason: str) -> str:
    return f": {reason}" if reason else ""
