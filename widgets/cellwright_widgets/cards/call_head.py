"""The first line of a call: its state, the tool, the arguments that tell most, and the time it took.

A run of a hundred calls is read by these lines alone. The rule that must never break: the state is a word, never a
colour alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from cellwright.console.args_brief import BRIEF, args_brief
from cellwright.messages import JsonObject
from cellwright.text.visible_text import mark_hidden
from cellwright.views.inquiry import Inquiry
from cellwright.views.todo_list import Todo
from cellwright_widgets.cards.call_story import CallStory, State
from cellwright_widgets.drawing.duration import duration
from cellwright_widgets.drawing.node import Node, element, spaced, to_text

STATES: dict[State, tuple[str, str]] = {
    "pending": ("○", "waiting"),
    "asking": ("?", "needs your approval"),
    "running": ("●", "running"),
    "done": ("✓", "done"),
    "failed": ("✕", "failed"),
    "denied": ("⊘", "denied"),
    "cancelled": ("–", "cancelled"),
}
DENIED = {
    "approval_denied": "denied by you",
    "approval_unavailable": "nobody to ask",
    "guard_denied": "denied by a guard",
    "hook_blocked": "blocked by a hook",
    "hook_failed": "denied, as a hook failed",
    "permission_denied": "not permitted",
    "tool_not_allowed": "not allowed here",
}
"""Who said no, by error type, or by its code where there is a closer one."""


def draw_call_brief(call: CallStory) -> Node:
    """The line alone, where there is no room for more."""
    return element("div", call_class(call), element("div", "cw-call-head", *head_parts(call)))


def call_line(call: CallStory) -> Node:
    """The line as text, of which a thousand cost a page nothing; it ends its own row."""
    words = " ".join(to_text(element("span", "", *head_parts(call))).split())
    is_bad = call.state in ("failed", "denied") or bool(call.metadata.get("still_running"))
    return element("span", "cw-danger", words + "\n") if is_bad else words + "\n"


def marked_name(name: str) -> str:
    """What a page tells a run or a call by; it may be anything that a log says."""
    return mark_hidden(name[:120])


def call_class(call: CallStory) -> str:
    """The classes of a card: what state it is in, and whether code made the call."""
    state = "failed" if call.metadata.get("still_running") else call.state  # as loud, whoever asked it to end
    return f"cw-call cw-{state}" + (" cw-within" if call.within else "")


def call_brief(call: CallStory) -> str:
    """The arguments in one line, or as they came where they could not be read."""
    if isinstance(call.view, Todo):
        return call.view.summary
    args = call.args if call.args is not None else _object(call.arguments)
    return args_brief(args) if args is not None else " ".join(call.arguments[:BRIEF].split())


def _object(arguments: str) -> JsonObject | None:
    """The arguments of a call that was refused before they were read, if they are easy to read."""
    try:
        args = json.loads(arguments) if len(arguments) <= 4_000 else None
    except (ValueError, RecursionError):
        return None
    return args if isinstance(args, dict) else None


def head_parts(call: CallStory) -> list[Node]:
    """The parts of the line."""
    icon, label = STATES[call.state]
    if call.state == "asking" and isinstance(call.effect, Inquiry):
        label = "needs your answer"
    if call.state == "failed" and call.error_type:
        label += ": " + error_name(call).replace("_", " ")
    if isinstance(tries := call.metadata.get("tries"), int):
        label += f" after {tries} tries"
    if call.metadata.get("still_running"):
        icon, label = "●", "STILL RUNNING, though it was asked to end"
    if call.is_undone:
        label += ", undone by you"
    if call.error_type in DENIED:
        label = DENIED.get(str(call.metadata.get("code")), DENIED[call.error_type])
    return spaced(
        element("span", "cw-icon", icon, attrs={"aria-hidden": "true"}),
        element("code", "cw-tool", mark_hidden(call.name)),
        element("span", "cw-brief", mark_hidden(call_brief(call))),
        element("span", "cw-state", mark_hidden(label)),
        *_time(call),
    )


def error_name(call: CallStory) -> str:
    """The error by its closest name."""
    return str(call.metadata.get("code") or call.error_type)


def _time(call: CallStory) -> Iterator[Node]:
    if call.ended is not None:
        seconds = call.metadata.get("seconds", call.ended - (call.started or call.ended))
        if call.started is not None and isinstance(seconds, int | float):
            yield element("time", "cw-time", duration(seconds))
    elif call.started is not None:
        yield element("time", "cw-time", "", attrs={"data-since": f"{call.started:.3f}"})
