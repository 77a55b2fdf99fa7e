"""What is taken away from a conversation when it has grown too long.

The run that goes on and the log that is read again must come to the same shorter conversation, so what was taken away
is a value of its own, which both apply. The rule that must never break: the calls and results that stay are those that
were there, in their order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from cellwright.messages import Message, ToolMessage, UserMessage


class Shortening(Struct, frozen=True):
    """What is taken away from a conversation."""

    put_away: Mapping[str, str]
    """By the id of a call what its result says from now on."""
    summary: str = ""
    """What stands for the messages before the first that is kept; empty if all are kept."""
    first_kept: int = 0

    def of(self, messages: Sequence[Message]) -> list[Message]:
        """The shorter conversation."""
        kept = [self._shorter(message) for message in messages[self.first_kept :]]
        return [UserMessage(self.summary), *kept] if self.summary else kept

    def _shorter(self, message: Message) -> Message:
        if isinstance(message, ToolMessage) and message.call_id in self.put_away:
            return replace(message, content=self.put_away[message.call_id], images=())
        return message
