"""The conversation of one run as it grows: what was said, what was called, what came of it.

The loop reads it before each turn and adds to it after; nothing in it is ever changed or taken away, so that what a
model was sent once is sent the same again, and a provider can keep it. The rule that must never break: each call in
it is followed by its result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from cellwright.messages import Beginning, Conversation, Message, ModelMessage, ToolMessage, Usage, UserMessage
from cellwright.result import Result
from cellwright.runs.repair import repaired


class Transcript:
    """What was said so far. It begins with an earlier conversation, made sound, if this one goes on from it."""

    def __init__(self, before: Conversation = ()) -> None:
        sound = repaired(before)
        self.mended = sound.notes
        """What had to be mended of the earlier conversation."""
        self.messages: list[Message] = list(sound.conversation)
        self.results: dict[str, Result] = {}
        """By the id of the call, in the order of the calls."""
        self.usage = Usage()
        self.steps = 0
        """Turns that the model has given."""
        self.answer = ""
        self.unheard: list[str] = []
        """What the person said, and the model has not read yet."""
        self.asides: list[str] = []
        """What the model is to know before its next turn, and is given no turn for."""
        self.taken = {call.id for message in before if isinstance(message, ModelMessage) for call in message.calls}
        """The ids of all calls so far."""

    @property
    def conversation(self) -> Beginning:
        """What was said so far; it stays so while the transcript grows."""
        return Beginning(self.messages)

    def hear(self, texts: Iterable[str]) -> None:
        """Adds what the person said, or what the model should know."""
        self.messages += [UserMessage(text) for text in texts]

    def hear_aside(self, is_over: Callable[[], bool], text: str) -> None:
        """Says something aside; where no turn is to come it is heard at once."""
        self.asides.append(text)
        if is_over():
            self.hear_asides()

    def hear_asides(self) -> None:
        """Adds what was said aside."""
        self.hear(self.asides)
        self.asides = []

    def keep(self, turn: ModelMessage) -> None:
        """Adds a turn of the model."""
        self.usage += turn.usage
        self.messages.append(turn)

    def observe(self, results: Sequence[Result]) -> None:
        """Adds what came of calls, then what hooks and tools have to say beside it."""
        for result in results:
            self.results[result.call.id] = result
            self.messages.append(
                ToolMessage(result.call.id, result.call.name, result.content, result.ok, result.images)
            )
        notes = [result.context for result in results if result.context]
        if notes:
            self.hear(["\n".join(notes)])
