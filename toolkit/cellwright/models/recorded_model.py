"""A model that gives the turns of a recorded run again: the words of a real model, with no key and no network.

The log of a run is its recording: it holds what the model was asked in each turn and what it said, so nothing else has
to be written to play a run again. Played, the tools really run and the person is really asked, so a run can go another
way than the recording did, and then the recorded words no longer fit. The rule that must never break: a turn is played
only where the model is asked what it was asked then, secrets apart; else the run stops and says at which turn, and what
is the first difference. In a lesson the results of tools may differ from day to day, and only they.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from cellwright.codec import read_canonical
from cellwright.errors import LogError, ModelError
from cellwright.log.events import Event
from cellwright.log.log_reading import read_file
from cellwright.log.requests import Asked, Texts, parts_of, requests
from cellwright.log.requests import Part as Piece
from cellwright.log.saved_message import turn_of
from cellwright.messages import Call, JsonObject, Message, ModelMessage, Sealed, ToolMessage
from cellwright.models.model import CallPart, EndPart, Part, Request, SealedPart, TextPart, ThinkingPart
from cellwright.models.scripted_model import words
from cellwright.models.turn_pieces import pieces
from cellwright.text.masking import Masking
from cellwright.text.quantity import quantity

SHOWN = 60
"""Characters of a difference that are shown."""


class Recorded(Struct, frozen=True):
    """A turn, and what the model was asked for it."""

    asked: Asked
    turn: ModelMessage


class RecordedModel:
    """The turns of a log that `log=` or `--log` wrote.

    `results` says whether results have to be those of the recording, or may be others, as in a lesson in which a tool
    tells the time. `pace` is the time in seconds between the pieces of a stream, for a person who watches.

    Raises:
        ModelError: if the file can't be read, or holds no turn.
    """

    def __init__(self, path: str | Path, results: Literal["exact", "any"] = "exact", pace: float = 0.0) -> None:
        self.name = f"recorded:{path}"
        self.pace = pace
        self.turns_played = 0
        self._results = results
        self._runs = _runs_of(Path(path))
        """The turns of each run that were not played yet; sub-agents have runs of their own, side by side."""
        self._masking = Masking.of_environment()

    async def stream(self, request: Request) -> AsyncIterator[Part]:
        """The turn that was recorded for this request, in words."""
        turn = self._next(request)
        index = 0
        for piece in pieces(turn):
            for part in _streamed(piece, index):
                yield part
                await asyncio.sleep(self.pace)
            index += isinstance(piece, Call)
        if turn.stop == "broken":
            raise ModelError(f"the recorded stream broke off in turn {self.turns_played}")
        yield EndPart("end" if turn.stop == "calls" else turn.stop, turn.usage)

    def _next(self, request: Request) -> ModelMessage:
        going_on = [run for run in self._runs if run]
        if not going_on:
            raise ModelError(f"the recording has {quantity(self.turns_played, 'turn')} and all were played")
        asked = self._compared(request)
        differences = [_difference(self._compared(run[0].asked.request), asked) for run in going_on]
        for run, difference in zip(going_on, differences, strict=True):
            if not difference:
                self.turns_played += 1
                return run.pop(0).turn
        turn = going_on[0][0].asked.turn
        raise ModelError(
            f"the run left the recording at turn {turn}: {differences[0]}; play it from its start, with the same "
            "prompt and tools, or record it anew with log="
        )

    def _compared(self, request: Request) -> tuple[Piece, ...]:
        """What has to be equal of a request: all of it, secrets masked, or all but what tools gave back."""
        request = replace(request, conversation=[self._form(message) for message in request.conversation])
        masked = [replace(part, text=self._masking.text(part.text)) for part in parts_of(request, Texts())]
        return tuple(masked)

    def _form(self, message: Message) -> Message:
        if self._results == "any" and isinstance(message, ToolMessage):
            return ToolMessage(message.call_id, message.name, "")
        return message


def _streamed(piece: TextPart | ThinkingPart | Call | Sealed, index: int) -> Iterator[Part]:
    match piece:
        case TextPart(text=text):
            yield from map(TextPart, words(text))
        case ThinkingPart(text=text):
            yield from map(ThinkingPart, words(text))
        case Sealed(maker=maker, data=data):
            yield SealedPart(data, maker)
        case Call():
            yield CallPart(index, piece.id, piece.name, piece.arguments, piece.complete)


def _runs_of(path: Path) -> list[list[Recorded]]:
    try:
        runs = [list(_turns(log.events)) for log in read_file(path).logs]
    except LogError as error:
        raise ModelError(f"the recording can't be read: {error}") from None
    if not any(runs):
        raise ModelError(f"{path} holds no turn of a model; record one with log= or --log")
    return runs


def _turns(events: tuple[Event, ...]) -> Iterator[Recorded]:
    """The turns that came to something, each with its request."""
    said = {event.data["turn"]: turn_of(event.data) for event in events if event.kind == "message"}
    for asked in requests(events):
        if asked.turn in said:
            yield Recorded(asked, said[asked.turn])


def _difference(recorded: tuple[Piece, ...], asked: tuple[Piece, ...]) -> str:
    """The first difference between two requests; empty if they are the same."""
    for then, now in zip(recorded, asked, strict=False):
        if then.text != now.text:
            match now.name:
                case "tools":
                    return _tools(then.text, now.text)
                case "system":
                    return f"the system prompt {_first(then.text, now.text)}"
                case name:
                    return _message(name, read_canonical(then.text), read_canonical(now.text))
    messages = len(recorded) - 2, len(asked) - 2
    if messages[0] != messages[1]:
        return f"the model was asked with {quantity(messages[0], 'message')} then, and is with {messages[1]} now"
    return ""


def _tools(then: str, now: str) -> str:
    """Which tool is another one."""
    before, after = ({one["name"]: one for one in read_canonical(text)} for text in (then, now))
    for name in before:
        if name not in after:
            return f"the tool {name} is missing"
        if before[name] != after[name]:
            part = next(part for part in before[name] if before[name][part] != after[name][part])
            return f"the {part} of the tool {name} {_first(str(before[name][part]), str(after[name][part]))}"
    added = [name for name in after if name not in before]
    return f"the tool {added[0]} is new" if added else "the tools come in another order"


def _message(name: str, then: JsonObject, now: JsonObject) -> str:
    """In what a message is another one."""
    kinds = {"user": "what the person said", "model": "a turn", "tool": f"the result of {then.get('name')}"}
    if then["from"] != now["from"]:
        return f"{name} was {kinds[then['from']]}, and is another"
    part = next(part for part in then if then[part] != now.get(part))
    return f"the {part} of {name} ({kinds[then['from']]}) {_first(str(then[part]), str(now.get(part)))}"


def _first(then: str, now: str) -> str:
    place = next((i for i, (a, b) in enumerate(zip(then, now, strict=False)) if a != b), min(len(then), len(now)))
    begin = max(0, place - SHOWN // 3)
    return f"differs: {then[begin : begin + SHOWN]!r} then, {now[begin : begin + SHOWN]!r} now"
