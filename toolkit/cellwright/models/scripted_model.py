"""A model that plays prepared turns: no key, no network, the same each time.

Everything of Cellwright runs, is tested and is taught with it. A script can react: a turn may be a function of the
conversation so far, which reads what the tools really returned. So the words are prepared, and all the rest is real.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from cellwright.errors import ModelError, UsageError
from cellwright.messages import Conversation, Message, ModelMessage, Stop, ToolMessage, Usage, UserMessage
from cellwright.models.model import CallPart, EndPart, Part, Request, TextPart, ThinkingPart
from cellwright.spelling import Spelling
from cellwright.text.quantity import quantity

CHARS_PER_TOKEN = 4
"""A script has no tokenizer; this is the usual rule of thumb."""


class Turn(Struct, frozen=True, metaclass=Spelling):
    """A prepared turn of a `ScriptedModel`.

    Raises:
        UsageError: if the calls are no list of pairs.
    """

    text: str = ""
    calls: Sequence[tuple[str, Mapping[str, Any] | str]] = ()
    """Tool names with arguments; text instead of a mapping is sent as it is, broken JSON included."""
    thinking: str = ""
    stop: Stop | None = None
    """None for the natural one; `length` for a turn that was cut off."""
    breaks_off: bool = False
    """The stream fails after its last part, in the midst of the last call if there are some."""
    usage: Usage | None = None
    """None for an estimate from the texts' lengths."""

    def __post_init__(self) -> None:
        calls = self.calls
        if isinstance(calls, str) or not isinstance(calls, Sequence) or not all(map(_is_call, calls)):
            raise UsageError(
                f"the calls {calls!r:.80} are no list of pairs; write Turn(calls=[('read_file', {{...}})])"
            )


class ScriptedModel:
    """Plays turns: a text, a `Turn`, or a function of the conversation so far that gives one of these.

    `pace` is the time in seconds between the pieces of a stream, for a person who watches. The script goes on over
    several runs; at its end it raises `ModelError`.

    Raises:
        UsageError: if the turns are no list, such as one text, which would be played letter by letter.
    """

    def __init__(
        self,
        turns: Iterable[str | Turn | Callable[[Conversation], str | Turn]],
        name: str = "scripted",
        pace: float = 0.0,
    ) -> None:
        if isinstance(turns, str | Turn) or not isinstance(turns, Iterable):
            raise UsageError(f"{turns!r:.80} is no list of turns; write ScriptedModel([...])")
        self.name = name
        self.pace = pace
        self.turns_played = 0
        self._turns = list(turns)
        self._counted = (0, 0)

    async def stream(self, request: Request) -> AsyncIterator[Part]:
        """The next prepared turn, in pieces of a word or so."""
        turn = self._next(request.conversation)
        for kind, text in ((ThinkingPart, turn.thinking), (TextPart, turn.text)):
            for piece in words(text):
                yield kind(piece)
                await asyncio.sleep(self.pace)
        for index, (name, arguments) in enumerate(turn.calls):
            raw = arguments if isinstance(arguments, str) else json.dumps(dict(arguments), ensure_ascii=False)
            is_last = index == len(turn.calls) - 1
            yield CallPart(index, "", name, raw, complete=not (is_last and (turn.breaks_off or turn.stop == "length")))
            await asyncio.sleep(self.pace)
        if turn.breaks_off:
            raise ConnectionError("the connection was lost")
        yield EndPart(turn.stop or ("calls" if turn.calls else "end"), turn.usage or self._estimate(request, turn))

    def _next(self, conversation: Conversation) -> Turn:
        if self.turns_played >= len(self._turns):
            known = quantity(len(self._turns), "turn")
            raise ModelError(f"the script has {known} and all were played; add a turn, or make a new model")
        turn = self._turns[self.turns_played]
        self.turns_played += 1
        if callable(turn):
            turn = turn(conversation)
        if not isinstance(turn, str | Turn):
            given = f"turn {self.turns_played} of the script is {turn!r:.80}"
            raise ModelError(f"{given}; it is to be a text, a Turn, or a function of the conversation that gives one")
        return Turn(turn) if isinstance(turn, str) else turn

    def _estimate(self, request: Request, turn: Turn) -> Usage:
        messages, chars = self._counted
        if messages > len(request.conversation):
            messages, chars = 0, 0
        chars += sum(_length(message) for message in request.conversation[messages:])
        self._counted = (len(request.conversation), chars)
        answer = _length(ModelMessage(turn.text, thinking=turn.thinking)) + sum(len(str(call)) for call in turn.calls)
        return Usage((chars + len(request.definitions_json)) // CHARS_PER_TOKEN, answer // CHARS_PER_TOKEN)


def _is_call(given: object) -> bool:
    match given:
        case [str(), str() | Mapping()]:
            return True
    return False


def _length(message: Message) -> int:
    match message:
        case ModelMessage(text=text, thinking=thinking, calls=calls):
            return len(text) + len(thinking) + sum(len(call.name) + len(call.arguments) for call in calls)
        case UserMessage(text=text) | ToolMessage(content=text):
            return len(text)


def words(text: str) -> list[str]:
    """The text in words, each with the blank after it, as a model would stream them."""
    pieces = text.split(" ")
    return [f"{piece} " for piece in pieces[:-1]] + pieces[-1:] if text else []
