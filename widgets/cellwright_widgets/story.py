"""The run as a person follows it: a few items that change, worked out from its events.

A log is a list of facts; a reader wants to see one card for each call, in the state it is in now. A story takes the
events one by one and keeps the items: prompt, thinking, texts, calls, notes, end. The live transcript asks which item
an event changed, the saved record reads all of them at the end, so both tell the same story. The rule that must never
break: a story needs nothing but the events, in their order, and never fails on one it does not understand.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from cellwright.errors import LogError
from cellwright.events import Event
from cellwright.messages import JsonObject
from cellwright.price import is_amount
from cellwright.views import Text, View, from_json

State = Literal["pending", "asking", "running", "done", "failed", "denied", "cancelled"]
DENIALS = frozenset(
    ("approval_denied", "approval_unavailable", "guard_denied", "hook_blocked", "permission_denied", "tool_not_allowed")
)
HEAD = -1
"""The place of the head, which is no item."""
MAX_PROGRESS = 4_000
"""Characters of progress that a card keeps; the result holds it whole."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the person asked, or said while the run was going."""

    text: str
    steered: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """A text of the model."""

    text: str
    thinking: bool = False
    """Whether it is a thought rather than an utterance."""
    final: bool = False
    """Whether the model is done with it."""


@dataclass(frozen=True, slots=True)
class CallStory:
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
    progress: str = ""
    content: str = ""
    view: View | None = None
    error_type: str = ""
    metadata: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Remark:
    """Something a reader of the log should know."""

    text: str


@dataclass(frozen=True, slots=True)
class End:
    """How the run ended."""

    stop_reason: str
    answer: str
    error: str
    repeats: bool
    """Whether the answer is the text that the model said last."""


Item = Prompt | Said | CallStory | Remark | End


@dataclass(frozen=True, slots=True)
class Head:
    """The run as a whole."""

    model: str = ""
    mode: str = ""
    state: str = "waiting"
    turns: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    started: float | None = None
    ended: float | None = None
    cost: float | None = None
    """US dollars, once the run has ended; None if not known."""


@dataclass(frozen=True, slots=True)
class Change:
    """What an event changed: the item at a place, or the text added to it."""

    place: int
    added: str = ""


class Story:
    """The items of a run, and its head. Mutable: it grows with each event."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self.head = Head()
        self._calls: dict[str, int] = {}
        self._said: dict[bool, int] = {}

    def add(self, event: Event) -> tuple[Change, ...]:
        """Takes the next event; tells which items changed."""
        data = event.data
        self._update_head(event)
        match event.kind:
            case "run_started":
                return self._new(Prompt(_text(data, "prompt")))
            case "turn_started":
                self._said = {}
                return ()
            case "text" | "thinking":
                return self._stream(_text(data, "text"), event.kind == "thinking")
            case "message":
                return self._message(data)
            case "call":
                self._calls[_text(data, "id")] = len(self.items)
                made = CallStory(_text(data, "id"), _text(data, "name"), _text(data, "arguments"), event.time)
                return self._new(made)
            case "steered":
                return self._new(Prompt(_text(data, "text"), steered=True))
            case "note" | "tools_changed":
                return self._new(Remark(_text(data, "text")))
            case "hook" if "id" not in data:
                said = " · ".join(filter(None, (_text(data, "answer").replace("_", " "), _text(data, "reason"))))
                return self._new(Remark(f"the hook {_text(data, 'hook')}: {said}"))
            case "run_ended":
                return self._end(data)
        return self._call(event)

    def _new(self, item: Item) -> tuple[Change, ...]:
        self.items.append(item)
        return (Change(len(self.items) - 1),)

    def _stream(self, added: str, thinking: bool) -> tuple[Change, ...]:
        place = self._said.get(thinking)
        if place is None:
            if not added:
                return ()
            self._said[thinking] = len(self.items)
            return self._new(Said(added, thinking))
        said = self.items[place]
        if isinstance(said, Said):
            self.items[place] = replace(said, text=said.text + added)
        return (Change(place, added),)

    def _message(self, data: JsonObject) -> tuple[Change, ...]:
        """The whole turn. Its thought and its text replace what was streamed of them."""
        changes: tuple[Change, ...] = ()
        for thinking in (True, False):
            text = _text(data, "thinking" if thinking else "text")
            place = self._said.get(thinking)
            if place is not None:
                self.items[place] = Said(text, thinking, final=True)
                changes += (Change(place),)
            elif text.strip():
                self._said[thinking] = len(self.items)
                changes += self._new(Said(text, thinking, final=True))
        return changes

    def _end(self, data: JsonObject) -> tuple[Change, ...]:
        answer = _text(data, "answer")
        texts = [item.text for item in self.items if isinstance(item, Said) and not item.thinking]
        repeats = not answer or (bool(texts) and texts[-1].strip() == answer.strip())
        return self._new(End(_text(data, "stop_reason"), answer, _text(data, "error"), repeats))

    def _call(self, event: Event) -> tuple[Change, ...]:
        place = self._calls.get(_text(event.data, "id"))
        call = self.items[place] if place is not None else None
        if place is None or not isinstance(call, CallStory):
            return ()
        self.items[place] = _advanced(call, event)
        return (Change(place),)

    def _update_head(self, event: Event) -> None:
        head, data = self.head, event.data
        match event.kind:
            case "run_started":
                mode = _text(data, "mode")
                head = Head(_text(data, "model"), mode, state="thinking", started=event.time)
            case "turn_started":
                head = replace(head, state="thinking", turns=head.turns + 1)
            case "message":
                usage = data.get("usage") or {}
                head = replace(
                    head,
                    input_tokens=head.input_tokens + int(usage.get("input_tokens", 0)),
                    output_tokens=head.output_tokens + int(usage.get("output_tokens", 0)),
                    cached_tokens=head.cached_tokens + int(usage.get("cached_tokens", 0)),
                )
            case "question":
                head = replace(head, state="asking")
            case "executing" | "answer":
                head = replace(head, state="running")
            case "run_ended":
                cost = data.get("cost")
                cost = cost if is_amount(cost) else None
                head = replace(head, state=_text(data, "stop_reason"), ended=event.time, cost=cost)
        self.head = head


def _advanced(call: CallStory, event: Event) -> CallStory:
    data = event.data
    match event.kind:
        case "arguments":
            repairs = tuple(map(str, data.get("repairs") or ()))
            return replace(call, args=data.get("args"), repairs=call.repairs + repairs, by=_text(data, "by"))
        case "hook":
            said = (_text(data, "event"), _text(data, "answer"), _text(data, "hook"), _text(data, "reason"))
            return replace(call, hooks=(*call.hooks, said))
        case "decision":
            decision = (_text(data, "decision"), _text(data, "by"), _text(data, "reason"))
            return replace(call, decisions=(*call.decisions, decision))
        case "question":
            return replace(call, state="asking", args=data.get("args", call.args), effect=_view(data.get("view")))
        case "answer":
            return replace(call, state="pending", answer=(_text(data, "answer"), _text(data, "reason")))
        case "executing":
            return replace(call, state="running", started=event.time)
        case "progress":
            return replace(call, progress=(call.progress + _text(data, "text"))[-MAX_PROGRESS:])
        case "result":
            return _finished(call, event)
    return call


def _finished(call: CallStory, event: Event) -> CallStory:
    error_type = _text(event.data, "error_type")
    state: State = "failed"
    if event.data.get("ok"):
        state = "done"
    elif error_type in DENIALS:
        state = "denied"
    elif error_type.startswith("cancelled"):
        state = "cancelled"
    return replace(
        call,
        state=state,
        ended=event.time,
        content=_text(event.data, "content"),
        view=_view(event.data.get("view")),
        error_type=error_type,
        metadata=event.data.get("metadata") or {},
    )


def _text(data: JsonObject, key: str) -> str:
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
