"""How much a model can be sent at once, and how full that is.

A conversation grows with each step, and at some length a provider refuses it. So the run has to know its size before
it asks again. What a provider counted in the last turn is the truth about all that went before; only what came since
is estimated. The rule that must never break: knowing the size costs a step no more in a long run than in a short one.
The lesson is `notebooks/10_context_window.ipynb`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from cellwright.context.token_estimate import message_tokens
from cellwright.errors import UsageError
from cellwright.messages import Message, ModelMessage
from cellwright.runs.price import PLAYED
from cellwright.spelling import Spelling

FULL = 0.8
"""The part of the window at which room is made: the answer has to fit, and an estimate may be wrong."""
ROOMY = 0.5
"""The part that may be taken afterwards, so that it does not begin again at the next step."""


class ContextWindow(Struct, frozen=True, metaclass=Spelling):
    """How many tokens a model can be sent, and who sums up what no longer fits.

    Raises:
        UsageError: if the tokens are no number from 1.
    """

    tokens: int
    summary_by: Literal["model", "rule"] | None = None
    """None for the model itself, unless it plays a script."""

    def __post_init__(self) -> None:
        if not isinstance(self.tokens, int) or isinstance(self.tokens, bool) or self.tokens < 1:
            raise UsageError(f"a window of {self.tokens!r} tokens is none; give a number such as 200_000")

    @property
    def full(self) -> int:
        """Tokens from which on room is made."""
        return int(self.tokens * FULL)

    @property
    def roomy(self) -> int:
        """Tokens that may be left then."""
        return int(self.tokens * ROOMY)


class Gauge:
    """The size of a conversation in tokens, counted as far as a provider counted it. Mutable: it goes on from message
    to message. `around` is what is sent beside the conversation, in tokens."""

    def __init__(self, around: int) -> None:
        self._around = around
        self._tokens = around
        self._place = 0

    def tokens(self, messages: Sequence[Message]) -> int:
        """The size of a conversation that has grown since the last time."""
        for message in messages[self._place :]:
            counted = message.usage if isinstance(message, ModelMessage) else None
            if counted is not None and counted.input_tokens > 0:
                self._tokens = counted.input_tokens + max(0, counted.output_tokens)
            else:
                self._tokens += message_tokens(message)
        self._place = len(messages)
        return self._tokens

    def begin_again(self, messages: Sequence[Message]) -> int:
        """The size of a conversation that was made shorter; what was counted before holds no more."""
        self._tokens = self._around + sum(map(message_tokens, messages))
        self._place = len(messages)
        return self._tokens


def known_window(model: str) -> ContextWindow | None:
    """The window of a model of this name; None if it is not known here, and then nothing is made shorter.

    The package `genai-prices` knows those of the larger providers.
    """
    provider, colon, name = model.partition(":")
    if not colon or provider in PLAYED:
        return None
    try:
        tokens = _listed_tokens(provider, name)
    except ImportError:
        return None
    return ContextWindow(tokens) if tokens else None


@lru_cache(maxsize=64)  # the list is long, and looking through it takes milliseconds
def _listed_tokens(provider: str, name: str) -> int | None:
    from genai_prices.data_snapshot import get_snapshot

    try:
        _, found = get_snapshot().find_provider_model(name, None, provider, None)
    except LookupError:
        return None
    tokens: int | None = found.context_window
    return tokens
