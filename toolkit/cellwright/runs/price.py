"""What a turn of a model costs, in US dollars.

Providers charge by the token, and change their prices often; so prices are not kept here. A person who knows the
price says it (`Price(input=3, output=15)`); for a model that is named `provider:model`, the package `genai-prices` is
asked if it is installed. The rule that must never break: a cost that is not known is unknown, never nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache

from msgspec import Struct

from cellwright.errors import UsageError
from cellwright.messages import Usage
from cellwright.spelling import Spelling

Cost = Callable[[Usage], float]
"""The dollars that a turn with these tokens costs."""
MILLION = 1_000_000
PLAYED = frozenset({"scripted", "recorded"})
"""Models that play what was written before; no provider sells them."""


class Price(Struct, frozen=True, metaclass=Spelling):
    """Dollars for a million tokens.

    Raises:
        UsageError: for what is no amount of money.
    """

    input: float
    output: float
    cached: float | None = None
    """For input that the provider read from its cache; None for the same as other input."""
    stored: float | None = None
    """For input that it wrote to its cache; None for the same as other input."""

    def __post_init__(self) -> None:
        for name in ("input", "output", "cached", "stored"):
            given = getattr(self, name)
            if not (name in ("cached", "stored") and given is None) and not is_amount(given):
                raise UsageError(f"the price {name}={given!r} is no amount; give dollars for a million tokens")

    def cost(self, usage: Usage) -> float:
        """The dollars that a turn costs."""
        cached = self.input if self.cached is None else self.cached
        stored = self.input if self.stored is None else self.stored
        fresh = max(0, usage.input_tokens - usage.cached_tokens - usage.stored_tokens)
        kept = usage.cached_tokens * cached + usage.stored_tokens * stored
        return (fresh * self.input + kept + usage.output_tokens * self.output) / MILLION


def is_amount(given: object) -> bool:
    """Whether it is a finite number that is not negative."""
    return isinstance(given, int | float) and not isinstance(given, bool) and 0 <= given <= sys.float_info.max


def known_cost(model: str) -> Cost | None:
    """How the cost of a model of this name is worked out; None if its price is not known here."""
    provider, colon, name = model.partition(":")
    if not colon or provider in PLAYED:
        return None
    try:
        return _listed_cost(provider, name)
    except ImportError:
        return None


@lru_cache(maxsize=64)  # the list of prices is long, and looking through it takes milliseconds
def _listed_cost(provider: str, name: str) -> Cost | None:
    """The same by the package, None for a model that is not in its list. Raises ImportError without the package."""
    import genai_prices

    def cost(usage: Usage) -> float:
        cached = min(usage.cached_tokens, usage.input_tokens)
        tokens = genai_prices.Usage(
            input_tokens=usage.input_tokens,
            cache_read_tokens=cached,
            cache_write_tokens=min(usage.stored_tokens, usage.input_tokens - cached),
            output_tokens=usage.output_tokens,
        )
        return float(genai_prices.calc_price(tokens, model_ref=name, provider_id=provider).total_price)

    try:
        cost(Usage(1, 1))
    except (LookupError, ValueError):
        return None
    return cost
