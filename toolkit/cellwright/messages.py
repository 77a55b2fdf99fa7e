"""What travels between person, model and tool.

A conversation is a tuple of messages that only ever grows: the person's prompt, the model's turn with the calls
it asks for, and one tool message for each call. Everything here is a frozen value, so that a log, a replay and a
widget can all hold the same one. The rule that must never break: a call has exactly one tool message, and it
comes after the turn that made the call.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Literal, overload

from msgspec import Struct

JsonObject = dict[str, Any]
"""A JSON object as Python reads it."""

Stop = Literal["end", "calls", "length", "broken"]
"""Why a turn ended: the model was done, it asks for calls, its output limit cut it off, or its stream broke off."""


class Call(Struct, frozen=True):
    """The model's request to use a tool. Untrusted: nothing in it has been checked."""

    id: str
    """The model's own name for this call, such as `call_1`."""
    name: str
    """The tool's name as the model wrote it."""
    arguments: str
    """Raw JSON text, exactly as it came."""
    complete: bool = True
    """False if the model's reply was cut off, or broke off, while it wrote this call."""


class Image(Struct, frozen=True):
    """A picture for a model that can see."""

    media_type: str
    """Such as `image/png`."""
    data: str
    """The bytes in base64."""


class Usage(Struct, frozen=True):
    """Tokens of one turn, or of many added up."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    """The part of the input that the provider read from its cache."""
    stored_tokens: int = 0
    """The part of the input that it wrote to its cache, which some charge more for."""

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_tokens + other.cached_tokens,
            self.stored_tokens + other.stored_tokens,
        )


class Sealed(Struct, frozen=True):
    """Something of a turn that only its maker can read and wants back as it was: a signature, encrypted thinking."""

    maker: str
    """The name of the model that made it; nobody else is sent it."""
    data: str
    """In the maker's own words. It stands after as much of the turn as the numbers say."""
    text: int = 0
    """Characters of the text."""
    thinking: int = 0
    """Characters of the thinking."""
    calls: int = 0
    """Calls that had begun."""


class UserMessage(Struct, frozen=True):
    """What the person says."""

    text: str


class ModelMessage(Struct, frozen=True):
    """One turn of the model: text, thinking and the calls it asks for."""

    text: str
    calls: tuple[Call, ...] = ()
    thinking: str = ""
    stop: Stop = "end"
    usage: Usage = Usage()
    sealed: tuple[Sealed, ...] = ()


class ToolMessage(Struct, frozen=True):
    """What the model is told about one of its calls."""

    call_id: str
    name: str
    content: str
    ok: bool = True
    images: tuple[Image, ...] = ()


Message = UserMessage | ModelMessage | ToolMessage
Conversation = Sequence[Message]
"""What was said so far; read, never changed."""


class Beginning(Sequence[Message]):
    """The first messages of a list that only grows: the same for ever, and made at once however many there are.

    A tuple would do, but a copy for each turn makes a long run slower with every step.
    """

    def __init__(self, messages: list[Message]) -> None:
        self._messages = messages
        self._places = range(len(messages))

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> Message: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Message, ...]: ...
    def __getitem__(self, place: int | slice) -> Message | tuple[Message, ...]:
        found = self._places[place]
        return self._messages[found] if isinstance(found, int) else tuple(self._messages[i] for i in found)

    def __iter__(self) -> Iterator[Message]:
        return islice(self._messages, len(self._places))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


def clean_text(text: str) -> str:
    """The text with unpaired surrogates replaced by U+FFFD, so that it always encodes as UTF-8."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\.", re.DOTALL
)
"""An escape in JSON text: a pair of surrogates, a surrogate without its other half (6 characters), any other."""


def clean_json(text: str) -> str:
    """The same for JSON text, in which an unpaired surrogate may also be written as an escape, `\\ud83d`."""
    text = clean_text(text)
    if "\\ud" not in text and "\\uD" not in text:
        return text
    return ESCAPE.sub(lambda found: "\\ufffd" if len(found[0]) == 6 and found[0][2] in "dD" else found[0], text)


def told(error: BaseException) -> str:
    """An exception as `ValueError: what it says`, whatever its own `str` does; of a group, what is in it."""
    name = type(error).__name__
    try:
        if isinstance(error, BaseExceptionGroup):  # its own text tells only how many there are
            inner = list(islice(_leaves(error), MAX_TOLD + 1))
            more = "; ..." if len(inner) > MAX_TOLD else ""
            return f"{name}: {'; '.join(map(told, inner[:MAX_TOLD]))}{more}"
        text = clean_text(str(error))
    except Exception:
        return f"{name} (whose text can't be read)"
    return f"{name}: {text}" if text else name


MAX_TOLD = 5
"""Exceptions of a group that are told."""


def _leaves(group: BaseException) -> Iterator[BaseException]:
    """What is in a group, however deep, in order; a stack takes any depth."""
    waiting = [group]
    while waiting:
        error = waiting.pop()
        if isinstance(error, BaseExceptionGroup):
            waiting += reversed(BaseExceptionGroup.exceptions.__get__(error))  # a subclass could give itself
        else:
            yield error


def unanswered_calls(conversation: Iterable[Message]) -> tuple[Call, ...]:
    """The calls that have no tool message yet, in the order they were made."""
    open_calls: dict[str, Call] = {}
    for message in conversation:
        match message:
            case ModelMessage(calls=calls):
                open_calls.update((call.id, call) for call in calls)
            case ToolMessage(call_id=call_id):
                open_calls.pop(call_id, None)
    return tuple(open_calls.values())
