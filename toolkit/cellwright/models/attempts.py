"""A turn that is asked for again while nothing of it has come.

Servers are busy, networks fail for a moment, and most of that is over a second later. So an attempt that failed in
passing is made again, after the time that the server asks for, or one that doubles. The rule that must never break:
once a part of a turn was passed on, nothing is asked for again: a call in it may have begun.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from msgspec import Struct

from cellwright.errors import ModelError
from cellwright.models.access import Access
from cellwright.models.failure import LONGEST_WAIT, Failure, failure_of, told_of
from cellwright.models.model import Part
from cellwright.spelling import Spelling


class Patience(Struct, frozen=True, metaclass=Spelling):
    """How long a provider is waited for."""

    idle: float = 300.0
    """Seconds in which nothing comes, not even a sign of life, after which a stream counts as dead."""
    tries: int = 4
    """Times that a turn is asked for at most."""
    pause: float = 0.5
    """Seconds before the second try, about; it doubles with each."""


PATIENCE = Patience()


async def attempts(
    begin: Callable[[], AsyncGenerator[Part, None]], access: Access, patience: Patience = PATIENCE
) -> AsyncGenerator[Part, None]:
    """The parts of the first attempt that gives any; `begin` makes one, an async generator.

    Raises:
        ModelError: if the last one failed, or one that had given parts.
    """
    for tries in range(1, max(1, patience.tries) + 1):
        began = False
        try:
            async with aclosing(begin()) as parts:
                async for part in parts:
                    began = True
                    yield part
            return
        except ModelError:
            raise
        except Exception as error:
            failure = failure_of(error)
        wait = _wait(failure, tries, patience)
        if began or wait is None:
            raise told_of(failure, access, tries, began) from None
        await asyncio.sleep(wait)


def _wait(failure: Failure, tries: int, patience: Patience) -> float | None:
    """Seconds before the next try; None if there is none."""
    if not failure.is_passing or tries >= patience.tries:
        return None
    if failure.wait is not None:
        return failure.wait if failure.wait <= LONGEST_WAIT else None
    return patience.pause * float(2 ** (tries - 1)) * random.uniform(0.75, 1.25)  # noqa: S311 (no secret is made of it)
