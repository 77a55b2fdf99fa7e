"""The run as a person follows it: a few items that change, worked out from its events.

A log is a list of facts; a reader wants to see one card for each call, in the state it is in now. A story takes the
events one by one and keeps the items: prompt, thinking, texts, calls, notes, end. The live transcript asks which item
an event changed, the saved record reads all of them at the end, so both tell the same story. The rule that must never
break: a story needs nothing but the events, in their order, and never fails on one it does not understand.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from cellwright.log.events import Event
from cellwright.messages import JsonObject
from cellwright_widgets.cards.call_story import CallStory, text_of
from cellwright_widgets.cards.head import Head

OTHERWISE = {"args": "other arguments", "decision": "another decision", "result": "another result"}
HEAD = -1
"""The place of the head, which is no item."""


class Prompt(Struct, frozen=True):
    """What the person asked, or said while the run was going."""

    text: str
    steered: bool = False


class Said(Struct, frozen=True):
    """A text of the model."""

    text: str
    thinking: bool = False
    """Whether it is a thought rather than an utterance."""
    final: bool = False
    """Whether the model is done with it."""


class Remark(Struct, frozen=True):
    """Something a reader of the log should know."""

    text: str


class End(Struct, frozen=True):
    """How the run ended."""

    stop_reason: str
    answer: str
    error: str
    repeats: bool
    """Whether the answer is the text that the model said last."""


Item = Prompt | Said | CallStory | Remark | End


class Change(Struct, frozen=True):
    """What an event changed: the item at a place, or the text added to it."""

    place: int
    added: str = ""


class Story:
    """The items of a run, and its head. Mutable: it grows with each event."""

    def __init__(self) -> None:
        self._items: list[Item] = []
        self._pieces: dict[int, list[str]] = {}
        """What was streamed, by its place; joined when somebody looks, or each letter would copy the whole text."""
        self.head = Head()
        self._calls: dict[str, int] = {}
        self._said: dict[bool, int] = {}
        self._turn = 0
        """The place at which the turn began."""

    @property
    def items(self) -> list[Item]:
        """The items so far, in their order."""
        pieces, self._pieces = self._pieces, {}
        for place, added in pieces.items():
            said = self._items[place]
            if isinstance(said, Said):
                self._items[place] = replace(said, text=said.text + "".join(added))
        return self._items

    def add(self, event: Event) -> tuple[Change, ...]:
        """Takes the next event; tells which items changed."""
        data = event.data
        self.head = self.head.after(event)
        match event.kind:
            case "run_started":
                return self._new(Prompt(text_of(data, "prompt"))) + self._remark(_whence(data.get("forked_from")))
            case "turn_started":
                self._said, self._turn = {}, len(self._items)
                return ()
            case "text" | "thinking":
                return self._stream(text_of(data, "text"), event.kind == "thinking")
            case "message":
                return self._message(data)
            case "call":
                return self._made(event)
            case "steered":
                return self._new(Prompt(text_of(data, "text"), steered=True))
            case "note" | "tools_changed" | "compacted":
                return self._remark(text_of(data, "text"))
            case "conditions":
                return self._remark(_conditions(data))
            case "hook" if "id" not in data:
                said = " · ".join(filter(None, (text_of(data, "answer").replace("_", " "), text_of(data, "reason"))))
                return self._new(Remark(f"the hook {text_of(data, 'hook')}: {said}"))
            case "run_ended":
                return self._end(data)
        return self._call(event)

    def _new(self, item: Item) -> tuple[Change, ...]:
        self._items.append(item)
        return (Change(len(self._items) - 1),)

    def _remark(self, text: str) -> tuple[Change, ...]:
        """A remark before all else in a turn stays before the turn's words."""
        if not text:
            return ()
        self._turn += self._turn == len(self._items)
        return self._new(Remark(text))

    def _made(self, event: Event) -> tuple[Change, ...]:
        """A new call; one that code makes stands below the call that runs the code, after those made before it."""
        data = event.data
        call, within = text_of(data, "id"), text_of(data, "within")
        made = CallStory(call, text_of(data, "name"), text_of(data, "arguments"), event.time, within=within)
        place = self._calls.get(within, len(self._items) - 1) + 1 if within else len(self._items)
        while place < len(self._items) and _is_within(self._items[place], within):
            place += 1
        changes = self._insert(place, made)
        self._calls[call] = place
        return changes

    def _stream(self, added: str, thinking: bool) -> tuple[Change, ...]:
        place = self._said.get(thinking)
        if place is None:
            if not added:
                return ()
            return self._say(Said(added, thinking))
        self._pieces.setdefault(place, []).append(added)
        return (Change(place, added),)

    def _message(self, data: JsonObject) -> tuple[Change, ...]:
        """The whole turn. Its thought and its text replace what was streamed of them."""
        changes: tuple[Change, ...] = ()
        for thinking in (True, False):
            text = text_of(data, "thinking" if thinking else "text")
            place = self._said.get(thinking)
            if place is not None:
                self._pieces.pop(place, None)
                self._items[place] = Said(text, thinking, final=True)
                changes += (Change(place),)
            elif text.strip():
                changes += self._say(Said(text, thinking, final=True))
        return changes

    def _say(self, said: Said) -> tuple[Change, ...]:
        """Thought and text of a turn stand before its calls, as the model itself will read them, whenever they came:
        a call may have begun before the model's next word, and a log holds the words only when the turn is whole."""
        place = min(self._turn, len(self._items)) + (not said.thinking and True in self._said)
        changes = self._insert(place, said)
        self._said[said.thinking] = place
        return changes

    def _insert(self, place: int, item: Item) -> tuple[Change, ...]:
        self.items.insert(place, item)
        if place < len(self._items) - 1:
            self._calls = {call: known + (known >= place) for call, known in self._calls.items()}
            self._said = {thinking: known + (known >= place) for thinking, known in self._said.items()}
        return tuple(Change(moved) for moved in range(place, len(self._items)))

    def _end(self, data: JsonObject) -> tuple[Change, ...]:
        answer = text_of(data, "answer")
        texts = [item.text for item in self.items if isinstance(item, Said) and not item.thinking]
        repeats = not answer or (bool(texts) and texts[-1].strip() == answer.strip())
        return self._new(End(text_of(data, "stop_reason"), answer, text_of(data, "error"), repeats))

    def _call(self, event: Event) -> tuple[Change, ...]:
        place = self._calls.get(text_of(event.data, "id"))
        call = self._items[place] if place is not None else None
        if place is None or not isinstance(call, CallStory):
            return ()
        self._items[place] = call.after(event)
        return (Change(place),)


def _is_within(item: Item, call: str) -> bool:
    return isinstance(item, CallStory) and item.within == call


def _whence(source: object) -> str:
    """Where a fork comes from; nothing for any other run."""
    if not isinstance(source, dict):
        return ""
    step, call, what = (text_of(source, name) for name in ("step", "call", "otherwise"))
    other = f"{OTHERWISE.get(what, what)} of {call}" if call else "the model asked anew"
    return f"forked from {text_of(source, 'run')} at step {step}: {other}; what stays of it was not done again"


def _conditions(data: JsonObject) -> str:
    """What holds from here on. Tools that were found are told by the change of the list that follows."""
    changed = data.get("changed")
    names = [str(name) for name in changed if name != "found"] if isinstance(changed, list) else []
    told = {
        "mode": f"mode {text_of(data, 'mode')}",
        "max_parallel": f"at most {data.get('max_parallel')} calls at once",
        "folder": f"commands in {text_of(data, 'folder')}",
    }
    holds = "; ".join(told.get(name, f"other rules ({name})") for name in names)
    who = "you switched to" if data.get("by") == "person" else "from here on"
    return f"{who} {holds}" if holds else ""
