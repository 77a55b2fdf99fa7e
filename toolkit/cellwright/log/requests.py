"""What a model was asked in each turn, to the byte, and how much of it was the same as the time before.

A provider reads a request from its start and keeps what it has read; as long as the next one begins with the same
bytes, that part costs a tenth. So the question at the end of a dear run is: where is the first byte that changed? All
of it is worked out from the events, for a run that goes on as for one of last year. The requests of an adapter differ
in their brackets; what they hold, and in which order, is this: the tools, the system prompt, the messages. The rule
that must never break: a request that is told here is the one that was sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from cellwright.codec import canonical, read_canonical, to_json
from cellwright.definition import Definition
from cellwright.log.events import Event
from cellwright.log.history import History
from cellwright.log.saved_message import saved
from cellwright.messages import Beginning, Message
from cellwright.models.model import Request


class Part(Struct, frozen=True):
    """A piece of a request, and where in its bytes it begins."""

    name: str
    """`tools`, `system`, or `message 1` and so on."""
    text: str
    start: int

    @property
    def size(self) -> int:
        """Its bytes."""
        return len(self.text.encode())


class Difference(Struct, frozen=True):
    """The first place at which a request is not what the one before it was."""

    part: str
    """The name of the piece in which it is."""
    place: int
    """Characters of that piece that are the same."""
    before: str
    """What stood there in the request before, from that place on; empty where that had ended."""
    now: str
    """What stands there."""


class Asked(Struct, frozen=True):
    """What a model was asked in one turn."""

    turn: int
    number: int
    """That of the event with which the turn began."""
    request: Request
    parts: tuple[Part, ...]
    repeated: int
    """Bytes at its start that the request before began with, too: what a provider can have kept."""
    difference: Difference | None
    """Where it first leaves the request before; None in the first turn, and if it only went on."""

    @property
    def size(self) -> int:
        """All its bytes."""
        return self.parts[-1].start + self.parts[-1].size


def requests(events: Iterable[Event], first: int = 1) -> Iterator[Asked]:
    """The request of each turn from the first that is wanted, in their order; those before it cost next to nothing.

    Raises:
        LogError: if the events hold an earlier conversation that can't be read.
    """
    history, shown = History(), Shown()
    before: tuple[Part, ...] = ()
    texts = Texts()
    for event in events:
        history.add(event)
        if event.kind != "turn_started" or event.data["turn"] < first - 1:
            continue
        definitions = shown.definitions(history.definitions_json)
        request = Request(history.system, Beginning(history.messages), definitions, history.definitions_json)
        parts = parts_of(request, texts)
        repeated, difference = _compared(before, parts)
        if event.data["turn"] >= first:
            yield Asked(event.data["turn"], event.number, request, parts, repeated, difference)
        before = parts


class Shown:
    """The definitions of a list of tools, read when it is another than the last time."""

    def __init__(self) -> None:
        self._json = b"[]"
        self._definitions: tuple[Definition, ...] = ()

    def definitions(self, json: bytes) -> tuple[Definition, ...]:
        """The definitions that these bytes hold."""
        if json != self._json:
            self._json = json
            self._definitions = tuple(Definition(**each) for each in read_canonical(json.decode()))
        return self._definitions


class Texts:
    """The canonical text of each message, written once; nearly all were in the request before."""

    def __init__(self) -> None:
        self._known: list[tuple[Message, str]] = []

    def of(self, place: int, message: Message) -> str:
        """The text of the message at this place of the conversation."""
        if place < len(self._known) and self._known[place][0] is message:
            return self._known[place][1]
        text = canonical(to_json(saved(message)))
        self._known[place:] = [(message, text)]
        return text


def parts_of(request: Request, texts: Texts) -> tuple[Part, ...]:
    """The pieces of a request, in their order."""
    messages = [(f"message {place + 1}", texts.of(place, each)) for place, each in enumerate(request.conversation)]
    parts: list[Part] = []
    start = 0
    for name, text in [("tools", request.definitions_json.decode()), ("system", request.system), *messages]:
        parts.append(Part(name, text, start))
        start += len(text) if text.isascii() else len(text.encode())
    return tuple(parts)


def _compared(before: tuple[Part, ...], now: tuple[Part, ...]) -> tuple[int, Difference | None]:
    """The bytes at the start of both, and the first difference."""
    if not before:
        return 0, None
    for old, new in zip(before, now, strict=False):
        if old.text != new.text:
            place = next((i for i, (a, b) in enumerate(zip(old.text, new.text, strict=False)) if a != b), None)
            place = min(len(old.text), len(new.text)) if place is None else place
            same = len(new.text[:place].encode())
            return new.start + same, Difference(new.name, place, old.text[place:], new.text[place:])
    return before[-1].start + before[-1].size, None
