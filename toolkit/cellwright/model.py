"""The seam to a model: definitions and messages in, a stream of parts out.

A provider's adapter is a thin class with one method. What it streams is read here into a whole turn, by rules that
keep a run sound whatever a server sends: a stream without its end is an error that keeps what came, ids are made
unique, and a turn asks for calls if calls are there, whatever reason for its end it gives.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Protocol, assert_never

from cellwright.definition import Definition
from cellwright.errors import ModelError
from cellwright.messages import Call, Conversation, ModelMessage, Stop, Usage, clean_text, told

NO_USAGE = Usage()


@dataclass(frozen=True, slots=True)
class Request:
    """What a model gets for one turn."""

    system: str
    conversation: Conversation
    definitions: tuple[Definition, ...]
    definitions_json: bytes
    """The same as canonical bytes, for an adapter to send as they are."""


@dataclass(frozen=True, slots=True)
class TextPart:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ThinkingPart:
    """A piece of what the model thinks before it answers."""

    text: str


@dataclass(frozen=True, slots=True)
class CallPart:
    """A piece of a call. A new id or index begins a new call; pieces of arguments add up."""

    index: int
    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(frozen=True, slots=True)
class EndPart:
    """The end of the turn. A stream without it has broken off."""

    stop: Stop = "end"
    usage: Usage = NO_USAGE


Part = TextPart | ThinkingPart | CallPart | EndPart


class Model(Protocol):
    """Something that gives turns."""

    @property
    def name(self) -> str:
        """What the model is called, for logs and headers."""

    def stream(self, request: Request) -> AsyncIterator[Part]:
        """The parts of the next turn, as they come."""


class BrokenTurn(Exception):  # noqa: N818 (not for the person: the run ends it as a ModelError)
    """A stream that broke off; `message` holds what had come, its calls included."""

    def __init__(self, reason: str, message: ModelMessage) -> None:
        super().__init__(reason)
        self.message = message


async def read_turn(model: Model, request: Request, taken: set[str], tell: Callable[[Part], None]) -> ModelMessage:
    """One whole turn; `tell` gets each part as it comes, `taken` holds the ids of all calls of the run so far.

    Raises:
        BrokenTurn: if the stream fails or ends without its end, with the partial turn inside.
    """
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[CallPart] = []
    end: EndPart | None = None
    reason = "the model's stream ended without its end"
    parts = model.stream(request)
    try:
        async for part in parts:
            match part:
                case TextPart(text=text):
                    texts.append(text)
                case ThinkingPart(text=text):
                    thoughts.append(text)
                case CallPart():
                    _add(calls, part)
                case EndPart():
                    end = part
                case _:
                    assert_never(part)
            tell(part)
    except ModelError as error:
        end, reason = None, str(error)
    except Exception as error:
        end, reason = None, f"the model's stream broke off: {told(error)}"
    finally:
        await _close(parts)
    message = _message(texts, thoughts, _named(calls, taken), end)
    if end is None:
        raise BrokenTurn(reason, message)
    return message


async def _close(parts: AsyncIterator[Part]) -> None:
    """A generator that is left half read must be closed by hand, or it stays open until it is collected."""
    close = getattr(parts, "aclose", None)
    if close is not None:
        with suppress(Exception):  # the turn is read; what fails after it is of no use to anyone
            await close()


def _message(texts: list[str], thoughts: list[str], calls: list[Call], end: EndPart | None) -> ModelMessage:
    if calls and (end is None or end.stop == "length"):
        calls[-1] = replace(calls[-1], complete=False)
    stop: Stop = "length" if end and end.stop == "length" else ("calls" if calls else "end")
    text, thinking = clean_text("".join(texts)), clean_text("".join(thoughts))
    return ModelMessage(text, tuple(calls), thinking, stop, end.usage if end else NO_USAGE)


def _add(calls: list[CallPart], part: CallPart) -> None:
    """Servers differ: some give all calls one index, some give no ids, some give whole calls.

    A new id on an index begins a new call, and so does a name after arguments that are whole.
    """
    for position in range(len(calls) - 1, -1, -1):
        known = calls[position]
        goes_on = part.id == known.id if part.id else not (part.name and _is_whole(known))
        if known.index == part.index and goes_on:
            arguments = known.arguments + part.arguments
            calls[position] = replace(known, name=known.name or part.name, arguments=arguments)
            return
    calls.append(part)


def _is_whole(part: CallPart) -> bool:
    try:
        json.loads(part.arguments)
    except (ValueError, RecursionError):
        return False
    return True


def _named(parts: list[CallPart], taken: set[str]) -> list[Call]:
    """Calls with ids that are new to the run; a missing one is made from the position, so that a replay agrees."""
    calls = []
    for part in parts:
        wanted = clean_text(part.id) or f"call_{len(taken) + 1}"
        unique, number = wanted, 2
        while unique in taken:
            unique, number = f"{wanted}-{number}", number + 1
        taken.add(unique)
        calls.append(Call(unique, clean_text(part.name), clean_text(part.arguments)))
    return calls
