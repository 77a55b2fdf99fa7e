"""The seam to a model: definitions and messages in, a stream of parts out.

A provider's adapter is a thin class with one method; what it streams is made into a turn in `reading.py`. The rules
that keep a run sound whatever a server sends are there, too: a stream without its end is an error that keeps what came,
ids are made unique, and a turn asks for calls if calls are there, whatever reason for its end it gives.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

from msgspec import Struct

from cellwright.definition import Definition
from cellwright.messages import Conversation, Stop, Usage

NO_USAGE = Usage()


class Request(Struct, frozen=True):
    """What a model gets for one turn."""

    system: str
    conversation: Conversation
    definitions: tuple[Definition, ...]
    definitions_json: bytes
    """The same as canonical bytes, for an adapter to send as they are."""


class TextPart(Struct, frozen=True):
    """A piece of the answer."""

    text: str


class ThinkingPart(Struct, frozen=True):
    """A piece of what the model thinks before it answers."""

    text: str


class CallPart(Struct, frozen=True):
    """A piece of a call. A new id or index begins a new call; pieces of arguments add up."""

    index: int
    id: str = ""
    name: str = ""
    arguments: str = ""
    complete: bool = False
    """Whether the provider has said that nothing more comes of this call, so that it may start before the turn ends."""


class SealedPart(Struct, frozen=True):
    """What the provider wants back as it is with the next request; it belongs after the parts that came before it."""

    data: str
    maker: str = ""
    """Whose it is, if it is not the model's that streams it, but one's that was recorded."""


class EndPart(Struct, frozen=True):
    """The end of the turn. A stream without it has broken off."""

    stop: Stop = "end"
    usage: Usage = NO_USAGE


Part = TextPart | ThinkingPart | CallPart | SealedPart | EndPart


class Model(Protocol):
    """Something that gives turns."""

    @property
    def name(self) -> str:
        """What the model is called, for logs and headers."""

    def stream(self, request: Request) -> AsyncIterator[Part]:
        """The parts of the next turn, as they come."""
