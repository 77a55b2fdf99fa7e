"""A conversation from elsewhere made sound: each call followed by its result, and each result after its call.

A history that was cut, edited or written by another program may hold calls without results, results without calls,
or a result twice; a provider refuses all of it for that. A missing result is made up, and says that nothing is known;
a result that belongs to nothing becomes a note, so that its text is not lost. The rule that must never break: what
was sound stays as it is, and mending what was mended changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from cellwright.messages import Call, Conversation, Message, ModelMessage, ToolMessage, UserMessage

UNKNOWN = "no result of this call is known; it may have had an effect or not, so look before you make it again"


class Repaired(Struct, frozen=True):
    """A sound conversation."""

    conversation: Conversation
    notes: tuple[str, ...]
    """What was mended, for the log; empty if nothing was."""


def repaired(messages: Iterable[Message]) -> Repaired:
    """The same conversation with one result for each call, directly after the turn that made it."""
    messages = tuple(messages)
    place_of = _answers(messages)
    used = set(place_of.values())
    sound: list[Message] = []
    notes: list[str] = []
    late: list[Message] = []
    for place, message in enumerate(messages):
        match message:
            case ToolMessage() if place not in used:
                late.append(_orphan(message))
                notes.append(f"a result without its call became a note: {message.call_id[:100]} ({message.name[:100]})")
            case ToolMessage():
                pass  # it stands after its turn
            case ModelMessage(calls=calls):
                sound += late
                late = []
                sound.append(message)
                for number, call in enumerate(calls):
                    sound.append(_result(messages, place_of.get((place, number)), call, notes))
            case UserMessage():
                sound += late
                late = []
                sound.append(message)
    sound += late
    if not notes and sound != list(messages):
        notes.append("results were put after the turns that made their calls")
    return Repaired(tuple(sound), tuple(notes))


def _answers(messages: tuple[Message, ...]) -> dict[tuple[int, int], int]:
    """For each call, by the places of its turn and of the call in it, the place of the first result that is its own."""
    found: dict[tuple[int, int], int] = {}
    waiting: dict[str, list[tuple[int, int]]] = {}
    for place, message in enumerate(messages):
        match message:
            case ModelMessage(calls=calls):
                for number, call in enumerate(calls):
                    waiting.setdefault(call.id, []).append((place, number))
            case ToolMessage(call_id=call_id) if waiting.get(call_id):
                found[waiting[call_id].pop(0)] = place
    return found


def _result(messages: tuple[Message, ...], place: int | None, call: Call, notes: list[str]) -> Message:
    if place is not None:
        return messages[place]
    notes.append(f"a call without a result was given one: {call.id[:100]} ({call.name[:100]})")
    return ToolMessage(call.id, call.name, UNKNOWN, ok=False)


def _orphan(message: ToolMessage) -> UserMessage:
    pictures = f", with {len(message.images)} pictures that are left out" if message.images else ""
    return UserMessage(f"[A result of {message.name} whose call is not known{pictures}: {message.content}]")
