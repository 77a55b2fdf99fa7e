"""One call as a person follows it: what was asked of which tool, who decided what, how far it is, what came out.

The log tells a call in a dozen facts over its time; a card shows where it stands. A `CallStory` is that standing, and
takes the facts one by one. The rule that must never break: a fact that lacks something, or is of a kind that is not
known, changes nothing and raises nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from cellwright.errors import LogError
from cellwright.log.events import Event
from cellwright.log.timeline import tool_seconds
from cellwright.messages import JsonObject
from cellwright.views.view import Failure, Picture, Text, View, from_json

State = Literal["pending", "asking", "running", "done", "failed", "denied", "cancelled"]
DENIALS = frozenset(
    ("approval_denied", "approval_unavailable", "guard_denied", "hook_blocked", "permission_denied", "tool_not_allowed")
)
DENIED = Failure("", "You denied this call. Nothing was run.")
"""What the person sees of a call that they denied. The model is told the reason, and what to do about it."""
MAX_PROGRESS = 4_000
"""Characters of progress that a card keeps; the result holds it whole."""


class CallStory(Struct, frozen=True):
    """One call, as far as it has come."""

    id: str
    name: str
    arguments: str
    """As the model wrote them."""
    made: float
    state: State = "pending"
    args: JsonObject | None = None
    repairs: tuple[str, ...] = ()
    by: str = "model"
    """Who wrote the arguments: the model, a person or a hook."""
    hooks: tuple[tuple[str, str, str, str], ...] = ()
    """When a hook was asked, what it answered, its name, and why."""
    decisions: tuple[tuple[str, str, str], ...] = ()
    """Decision, who made it, and why."""
    answer: tuple[str, str] | None = None
    """What the person answered, and the reason given."""
    effect: View | None = None
    """What the person was shown when asked."""
    started: float | None = None
    ended: float | None = None
    """When its tool ended; its result may be written later, after those of earlier calls."""
    progress: str = ""
    content: str = ""
    """What the model reads of the result."""
    images: tuple[Picture, ...] = ()
    """Pictures that go to the model with it."""
    context: str = ""
    """A note that the model reads before its next turn."""
    view: View | None = None
    error_type: str = ""
    metadata: JsonObject = field(default_factory=dict)
    within: str = ""
    """The id of the call whose code made this one."""
    files: tuple[str, ...] = ()
    """The files that it changed, which can be undone."""
    is_undone: bool = False

    def after(self, event: Event) -> CallStory:
        """The call as it is after an event about it."""
        data = event.data
        match event.kind:
            case "arguments":
                repairs = tuple(map(str, data.get("repairs") or ()))
                return replace(self, args=data.get("args"), repairs=self.repairs + repairs, by=text_of(data, "by"))
            case "hook":
                said = (text_of(data, "event"), text_of(data, "answer"), text_of(data, "hook"), text_of(data, "reason"))
                return replace(self, hooks=(*self.hooks, said))
            case "decision":
                decision = (text_of(data, "decision"), text_of(data, "by"), text_of(data, "reason"))
                return replace(self, decisions=(*self.decisions, decision))
            case "question":
                args = data.get("args")
                return replace(
                    self,
                    state="asking",
                    args=args if isinstance(args, dict) else self.args,
                    effect=_view(data.get("view")),
                )
            case "answer":
                state: State = "pending" if self.started is None else "running"
                return replace(
                    self, state=state, answer=(text_of(data, "answer"), text_of(data, "reason") or _kept(data))
                )
            case "executing":
                return replace(self, state="running", started=event.time)
            case "progress":
                return replace(self, progress=_longer(self.progress, text_of(data, "text"))[-MAX_PROGRESS:])
            case "effect":
                return replace(self, files=_files(data.get("changes")))
            case "undone" | "redone":
                return replace(self, is_undone=event.kind == "undone")
            case "result":
                return _finished(self, event)
        return self


def _kept(data: JsonObject) -> str:
    """What a grant keeps, and for how long; nothing for any other answer."""
    rules = data.get("rules")
    return f"for the {text_of(data, 'scope')}, {', '.join(map(str, rules))}" if isinstance(rules, list) else ""


def _files(changes: object) -> tuple[str, ...]:
    found = changes if isinstance(changes, list) else []
    return tuple(str(change["path"]) for change in found if isinstance(change, dict) and "path" in change)


def _longer(progress: str, added: str) -> str:
    """Each progress is a line of its own, whether the tool ended it or not; `\\r` goes on in the same one."""
    between = "" if not progress or progress.endswith(("\n", "\r")) or added.startswith(("\n", "\r")) else "\n"
    return progress + between + added


def _finished(call: CallStory, event: Event) -> CallStory:
    error_type = text_of(event.data, "error_type")
    state: State = "failed"
    if event.data.get("ok"):
        state = "done"
    elif error_type in DENIALS:
        state = "denied"
    elif error_type.startswith("cancelled"):
        state = "cancelled"
    took = tool_seconds(event.data)
    return replace(
        call,
        state=state,
        ended=event.time if took is None or call.started is None else min(event.time, call.started + took),
        content=text_of(event.data, "content"),
        images=tuple(_images(event.data.get("images"))),
        context=text_of(event.data, "context"),
        view=DENIED if error_type == "approval_denied" else _view(event.data.get("view")),
        error_type=error_type,
        metadata=event.data.get("metadata") or {},
    )


def _images(given: object) -> Iterator[Picture]:
    for image in given if isinstance(given, list) else ():
        if isinstance(image, dict):
            yield Picture(text_of(image, "media_type"), text_of(image, "data"))


def text_of(data: JsonObject, key: str) -> str:
    """What stands there, as text; nothing if there is none."""
    value = data.get(key)
    return value if isinstance(value, str) else "" if value is None else str(value)


def _view(value: object) -> View | None:
    """A view as a running kernel has it, or as a log holds it."""
    if isinstance(value, dict):
        try:
            return from_json(value)
        except (LogError, KeyError, TypeError) as error:
            return Text(f"this view can't be drawn: {error}")
    return value if isinstance(value, View) else None
