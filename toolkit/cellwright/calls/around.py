"""What the person puts around the running of tools: to try again, to measure, to slow down.

A wrapper gets the attempt (run the tool, and tell how that ended), the tool and its arguments; it runs the attempt as
often as it likes and answers with an outcome. It comes after everything that judges a call, so what it runs again is
what was approved; deadline, cancellation and isolation are inside of each attempt. The rule that must never break: a
wrapper can only run the attempt it was given, with the arguments that were approved.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from functools import partial

from msgspec.structs import replace

from cellwright.calls.execution import Outcome
from cellwright.error_class import error_class
from cellwright.errors import UsageError
from cellwright.messages import JsonObject
from cellwright.tool import Tool

Attempt = Callable[[], Awaitable[Outcome]]
"""Runs the tool once, and never raises for what the tool does."""
Around = Callable[[Attempt, Tool, JsonObject], Awaitable[Outcome]]
"""A wrapper. The arguments are a copy, to look at."""


class Retry:
    """Tries again what failed in a way that passes by itself. Only for calls that read: others may have had an effect.

    `times` is the number of tries in all, `kinds` are names of `error_class`, `pause` are the seconds before the
    second try; each further pause is twice as long.

    Raises:
        UsageError: for a number of tries under one.
    """

    def __init__(self, times: int = 3, kinds: Collection[str] = ("connection", "timeout"), pause: float = 0.5) -> None:
        if times < 1:
            raise UsageError(f"times={times} is no number of tries; give 1 or more")
        self._times = times
        self._kinds = frozenset(kinds)
        self._pause = pause

    async def __call__(self, attempt: Attempt, tool: Tool, args: JsonObject) -> Outcome:
        """The first outcome that is not to be tried again, or the last."""
        outcome, tries = await attempt(), 1
        while tries < self._times and tool.trait("read_only", args) and self._passes_by(outcome):
            try:
                await asyncio.sleep(self._pause * 2 ** (tries - 1))
            except asyncio.CancelledError:
                return replace(outcome, ended="cancelled", error=None, tries=tries)
            outcome, tries = await attempt(), tries + 1
        return replace(outcome, tries=tries)

    def _passes_by(self, outcome: Outcome) -> bool:
        return outcome.ended == "raised" and outcome.error is not None and error_class(outcome.error) in self._kinds


async def run_around(
    wrappers: Sequence[Around], attempt: Attempt, tool: Tool, args: Callable[[], JsonObject]
) -> Outcome:
    """Runs the attempt inside the wrappers, the first of them outermost; `args` makes each of them a copy.

    Raises:
        TypeError: if a wrapper answers with something else than an outcome.
    """
    for wrapper in reversed(wrappers):
        attempt = partial(wrapper, attempt, tool, args())
    outcome: object = await attempt()
    if not isinstance(outcome, Outcome):
        raise TypeError(f"a wrapper around {tool.name} answered with {type(outcome).__name__}, not with an Outcome")
    return outcome
