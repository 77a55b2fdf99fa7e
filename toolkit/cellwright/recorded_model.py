"""A model that gives the turns of a recorded run again: the words of a real model, with no key and no network.

The log of a run holds each of its turns. Played again, the tools really run and the person is really asked, so a
lesson can go another way than the recording did, and then the recorded words no longer fit. The rule that must never
break: where the conversation has left the recording, it stops and says at which turn.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from cellwright.errors import ModelError
from cellwright.messages import JsonObject, ModelMessage, ToolMessage
from cellwright.model import CallPart, EndPart, Part, Request, TextPart, ThinkingPart
from cellwright.quantity import quantity
from cellwright.saved_message import turn_of


class RecordedModel:
    """The turns of a log that `log=` or `--log` wrote.

    Raises:
        ModelError: if the file can't be read, or holds no turn.
    """

    def __init__(self, path: str | Path) -> None:
        self.name = f"recorded:{path}"
        self.turns_played = 0
        self._turns = list(_turns(Path(path)))
        if not self._turns:
            raise ModelError(f"{path} holds no turn of a model; record one with log= or --log")

    async def stream(self, request: Request) -> AsyncIterator[Part]:
        """The next recorded turn, in the parts it has."""
        turn = self._next(request)
        if turn.thinking:
            yield ThinkingPart(turn.thinking)
        if turn.text:
            yield TextPart(turn.text)
        for index, call in enumerate(turn.calls):
            yield CallPart(index, call.id, call.name, call.arguments, call.complete)
        if turn.stop == "broken":
            raise ModelError(f"the recorded stream broke off in turn {self.turns_played}")
        yield EndPart(turn.stop, turn.usage)

    def _next(self, request: Request) -> ModelMessage:
        number = self.turns_played
        if number >= len(self._turns):
            raise ModelError(f"the recording has {quantity(len(self._turns), 'turn')} and all were played")
        if number:
            recorded = [call.id for call in self._turns[number - 1].calls]
            answered = [m.call_id for m in request.conversation[-len(recorded) :] if isinstance(m, ToolMessage)]
            if recorded and answered != recorded:
                raise ModelError(
                    f"the run left the recording at turn {number + 1}: it has results of {answered}, the recording of "
                    f"{recorded}; play it from its start, with the same tools"
                )
        self.turns_played += 1
        return self._turns[number]


def _turns(path: Path) -> Iterator[ModelMessage]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        events = [json.loads(line) for line in lines if line.strip()]
    except (OSError, ValueError) as error:
        raise ModelError(f"the recording {path} can't be read: {error}") from None
    for event in events:
        if isinstance(event, dict) and event.get("kind") == "message":
            yield _message(event["data"], path)


def _message(data: JsonObject, path: Path) -> ModelMessage:
    try:
        return turn_of(data)
    except (KeyError, TypeError) as error:
        raise ModelError(f"the recording {path} holds a turn that can't be read: {error!r}") from None
