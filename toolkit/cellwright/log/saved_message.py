"""A message as data and back: how a log holds a conversation that began elsewhere.

A turn and a result are events of their own. What a run goes on from is not: these messages are written down as they
are, so that the log needs no other file to be read. The rule that must never break: a message that was saved and read
again is equal to the one that was saved.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cellwright.codec import fields_of
from cellwright.errors import LogError
from cellwright.messages import Call, Image, JsonObject, Message, ModelMessage, Sealed, ToolMessage, Usage, UserMessage

KINDS: dict[str, type[Message]] = {"user": UserMessage, "model": ModelMessage, "tool": ToolMessage}


def saved(message: Message) -> JsonObject:
    """The message as data, which names its kind; whoever keeps it makes JSON of what is in it."""
    kind = next(name for name, kind in KINDS.items() if isinstance(message, kind))
    return {"from": kind, **fields_of(message)}


def message_of(data: Mapping[str, Any]) -> Message:
    """The message that was saved.

    Raises:
        LogError: if the data is that of no message.
    """
    try:
        match data["from"]:
            case "user":
                return UserMessage(data["text"])
            case "model":
                return turn_of(data)
            case "tool":
                return result_of(data["call_id"], data)
    except (KeyError, TypeError, AttributeError):
        pass
    raise LogError(f"{repr(data)[:200]} is no message; the log was changed, or another program wrote it")


def turn_of(data: Mapping[str, Any]) -> ModelMessage:
    """The turn that a `message` event holds."""
    calls = tuple(Call(call["id"], call["name"], call["arguments"], call["complete"]) for call in data["calls"])
    sealed = tuple(Sealed(**one) for one in data["sealed"])
    return ModelMessage(data["text"], calls, data["thinking"], data["stop"], Usage(**data["usage"]), sealed)


def result_of(call_id: str, data: Mapping[str, Any]) -> ToolMessage:
    """What the model is told by a `result` event."""
    images = tuple(Image(image["media_type"], image["data"]) for image in data["images"])
    return ToolMessage(call_id, data["name"], data["content"], data["ok"], images)
