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
from cellwright.views import Text, View, from_json
from cellwright_widgets.head import Head

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
        self._turn = 0
        """The place at which the turn began."""

    def add(self, event: Event) -> tuple[Change, ...]:
        """Takes the next event; tells which items changed."""
        data = event.data
        self.head = self.head.after(event)
        match event.kind:
            case "run_started":
                return self._new(Prompt(_text(data, "prompt")))
            case "turn_started":
                self._said, self._turn = {}, len(self.items)
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
            case "conditions":
                return self._new(Remark(_conditions(data)))
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
            return self._say(Said(added, thinking))
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
                changes += self._say(Said(text, thinking, final=True))
        return changes

    def _say(self, said: Said) -> tuple[Change, ...]:
        """Thought and text of a turn stand before its calls, as the model itself will read them, whenever they came:
        a call may have begun before the model's next word, and a log holds the words only when the turn is whole."""
        place = min(self._turn, len(self.items)) + (not said.thinking and True in self._said)
        self.items.insert(place, said)
        self._calls = {call: known + (known >= place) for call, known in self._calls.items()}
        self._said = {thinking: known + (known >= place) for thinking, known in self._said.items()}
        self._said[said.thinking] = place
        return tuple(Change(moved) for moved in range(place, len(self.items)))

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


def _kept(data: JsonObject) -> str:
    """What a grant keeps, and for how long; nothing for any other answer."""
    rules = data.get("rules")
    return f"for the {_text(data, 'scope')}, {', '.join(map(str, rules))}" if isinstance(rules, list) else ""


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
            return replace(call, state="pending", answer=(_text(data, "answer"), _text(data, "reason") or _kept(data)))
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


def _conditions(data: JsonObject) -> str:
    changed = data.get("changed")
    names = list(map(str, changed)) if isinstance(changed, list) else []
    told = {
        "mode": f"the mode is {_text(data, 'mode')} now",
        "max_parallel": f"at most {data.get('max_parallel')} calls at once",
        "found": "more tools are found",
    }
    return "from here on: " + "; ".join(told.get(name, f"other rules ({name})") for name in names)


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
