"""The end that a run lacks whose process was killed, worked out from the events that it left.

Such a log stops anywhere: calls have no results, a turn was never whole, nobody wrote how the run ended. Read as it is
it would be a conversation that no provider takes. So each open call gets a result that says what is known of it: that
it was never begun, or that it was and may have had effects. It is the same whenever it is worked out, so the file is
left as it is. The rule that must never break: what was recorded stays, and mending what was mended changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from cellwright.calls.passage import result_data
from cellwright.codec import to_json
from cellwright.log.events import Event, Kind
from cellwright.log.saved_message import turn_of
from cellwright.messages import Call, JsonObject, ModelMessage, Usage
from cellwright.result import Result, failure
from cellwright.text.quantity import quantity

NOT_BEGUN = "the process ended before this call was begun; nothing was run"
MAYBE = "the process ended before this call had a result; it may have had effects, so look at what it did"
ENDED = "the process ended before the run"


class Mended(Struct, frozen=True):
    """The events of a run, with an end."""

    events: tuple[Event, ...]
    note: str
    """What was added; empty if nothing was missing."""


def mended(events: Sequence[Event]) -> Mended:
    """The events, and what they lack of an end."""
    if not events or any(event.kind == "run_ended" for event in reversed(events)):
        return Mended(tuple(events), "")
    added = list(_numbered(events, _missing(events)))
    closed = sum(event.kind == "result" for event in added)
    calls = f"; {quantity(closed, 'open call')} closed with cancelled" if closed else ""
    return Mended((*events, *added), f"{events[0].data.get('run', 'a run')} has no end: {ENDED}{calls}")


def _numbered(events: Sequence[Event], facts: Iterator[tuple[Kind, JsonObject]]) -> Iterator[Event]:
    """They have no time of their own: when the process ended is not known."""
    last = events[-1]
    for number, (kind, data) in enumerate(facts, last.number + 1):
        yield Event(number, last.time, kind, to_json(data))


def _missing(events: Sequence[Event]) -> Iterator[tuple[Kind, JsonObject]]:
    turn = _turn_without_its_message(events)
    made = [Call(e.data["id"], e.data["name"], e.data["arguments"]) for e in events if e.kind == "call"]
    if turn is not None:
        message = to_json(turn)
        yield "message", {"turn": _turns(events), **message, "cost": _cost(events)}
    never_made = _never_made(events, {call.id for call in made})
    for call in never_made:
        yield "call", {"id": call.id, "name": call.name, "arguments": call.arguments}
    answered = {event.data["id"] for event in events if event.kind == "result"}
    begun = {event.data["id"] for event in events if event.kind == "executing"}
    for call in [call for call in [*made, *never_made] if call.id not in answered]:
        yield "result", result_data(_closed(call, call.id in begun))
    yield "run_ended", _ended(events)


def _closed(call: Call, begun: bool) -> Result:
    return failure(call, "cancelled", MAYBE) if begun else failure(call, "cancelled_before_start", NOT_BEGUN)


def _turn_without_its_message(events: Sequence[Event]) -> ModelMessage | None:
    """The turn that the model was writing when it ended, if calls of it had begun; its words are not known."""
    calls: list[Call] = []
    for event in events:
        match event.kind:
            case "turn_started" | "message":
                calls = []
                is_whole = event.kind == "message"
            case "call" if "within" not in event.data and not is_whole:
                calls.append(Call(event.data["id"], event.data["name"], event.data["arguments"]))
    return ModelMessage("", tuple(calls), stop="broken") if calls else None


def _never_made(events: Sequence[Event], made: set[str]) -> list[Call]:
    """The calls of the last turn that had not begun their way."""
    turns = [event for event in events if event.kind == "message"]
    return [call for call in turn_of(turns[-1].data).calls if call.id not in made] if turns else []


def _turns(events: Sequence[Event]) -> int:
    return sum(event.kind == "turn_started" for event in events)


def _cost(events: Sequence[Event]) -> float | None:
    costs = [event.data["cost"] for event in events if event.kind == "message"]
    return costs[-1] if costs else None


def _ended(events: Sequence[Event]) -> JsonObject:
    turns = [turn_of(event.data) for event in events if event.kind == "message"]
    usage = sum((turn.usage for turn in turns), Usage())
    steps = sum(turn.stop != "broken" for turn in turns)
    ended = {"stop_reason": "cancelled", "answer": "", "error": ENDED, "steps": steps}
    return {**ended, "usage": usage, "cost": _cost(events)}
