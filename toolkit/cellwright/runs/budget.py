"""How much a run may use, and how much it has used: steps, tokens, money, time.

A model that is lost goes on asking and calling; a budget is where that ends, with a clear reason, whatever the model
or a tool would like. A frozen `Budget` says the limits, a `Spending` counts against them. The model gets another turn
only while there is room; a call runs unless what was used is over the limit, so that the last turn's calls still run.
A run that another run starts has steps of its own, and draws on the tokens, money and time of the other as well. Time
in which a person is asked does not count. What has begun is paid for whole: a turn can take the spending over a limit
by what it costs itself. The rule that must never break: what was used is never given back.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

from msgspec import Struct

from cellwright.errors import UsageError
from cellwright.messages import Usage
from cellwright.runs.price import Cost, is_amount
from cellwright.spelling import Spelling
from cellwright.text.quantity import quantity

Resource = Literal["steps", "tokens", "money", "seconds"]
Limit = tuple["Spending", Resource, float]
"""Whose budget it is, of what, and how much."""
RESOURCES: tuple[Resource, ...] = ("steps", "tokens", "money", "seconds")


class Budget(Struct, frozen=True, metaclass=Spelling):
    """What a run may use; None for no limit. A run without any budget has 50 steps, and so has one that names others.

    Raises:
        UsageError: for what is no amount.
    """

    steps: int | None = 50
    """Turns of the model."""
    tokens: int | None = None
    """Input and output of all turns, as the model reports them; what came from a cache counts, too."""
    money: float | None = None
    """US dollars."""
    seconds: float | None = None
    """Time from the start, without that in which a person is asked."""

    def __post_init__(self) -> None:
        for resource in RESOURCES:
            given = getattr(self, resource)
            if given is not None and not is_amount(given):
                raise UsageError(f"a budget of {resource}={given!r} is no amount; give a number, or None for no limit")


UNLIMITED = Budget(steps=None)


class BudgetSpent(Exception):  # noqa: N818 (not an error: one of the ways a run ends)
    """A budget has no room for another turn, or its time is over; the text says which and how much was used."""


LOOK = 0.05
"""Seconds between two looks at the clock while it stands still."""


class Spending:
    """What one run has used of its budget. `cost` works out the dollars of a turn, None if no price is known.

    `within` is the spending of the run that started this one: what is used here is used there, too, but for the steps.
    `clock` gives seconds that only grow.

    Raises:
        UsageError: if money is limited, here or there, and the price is not known.
    """

    def __init__(
        self,
        budget: Budget = UNLIMITED,
        cost: Cost | None = None,
        within: Spending | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.budget = budget
        self.within = within
        self.steps = 0
        self.tokens = 0
        self.money: float | None = 0.0 if cost else None
        """Dollars; None once something was used whose price is not known."""
        self._cost = cost
        self._clock = clock
        self._began = clock()
        self._asking = 0
        self._asked_at = 0.0
        self._limits: list[Limit] = [*self._own_limits(), *(within._limits if within else ())]
        for _, resource, limit in self._limits:
            if resource == "money" and cost is None:
                raise UsageError(
                    f"a budget of {amount('money', limit)} can't be kept, as what this model costs is not known; say "
                    "it, as in price=Price(input=3, output=15), in dollars for a million tokens, or run: "
                    "pip install 'cellwright[prices]'"
                )

    @property
    def seconds(self) -> float:
        """The time since the start that counts."""
        return (self._asked_at if self._asking else self._clock()) - self._began

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the time is over, here or in a run above; None without a limit."""
        if not self._limits:
            return None
        left = [limit - spending.seconds for spending, resource, limit in self._limits if resource == "seconds"]
        return min(left, default=None)

    def add(self, usage: Usage) -> None:
        """Counts a turn of the model. What a server says of it may be nonsense: less than nothing counts as nothing."""
        money = self._cost(usage) if self._cost else None
        money = max(0.0, money) if money is not None and math.isfinite(money) else None
        self.steps += 1
        for spending in self._line():
            spending.tokens += max(0, usage.input_tokens) + max(0, usage.output_tokens)
            spending.money = None if spending.money is None or money is None else spending.money + money

    def below(self) -> Spending:
        """The spending of a run that this one starts: as many steps of its own, and all else out of what is here."""
        return Spending(Budget(self.budget.steps), self._cost, self, self._clock)

    def need_room(self) -> None:
        """Lets another turn begin.

        Raises:
            BudgetSpent: if some limit is reached.
        """
        for spending, resource, limit in self._limits:
            used = getattr(spending, resource)
            if used is None or used >= limit:
                raise BudgetSpent(self._told(spending, resource))

    def overspent(self) -> str:
        """Which limit was passed, and by how much; empty if calls may run."""
        for spending, resource, limit in self._limits:
            used = getattr(spending, resource)
            if used is None or used > limit:
                return self._told(spending, resource)
        return ""

    @contextmanager
    def asking(self) -> Iterator[None]:
        """While a person is asked, time stands still, in the runs above, too."""
        for spending in self._line():
            spending._stop_clock()
        try:
            yield
        finally:
            for spending in self._line():
                spending._start_clock()

    def time_over(self) -> str:
        """That the time is over, and how much was used; empty while there is some."""
        for spending, resource, limit in self._limits:
            if resource == "seconds" and spending.seconds >= limit:
                return self._told(spending, resource)
        return ""

    async def wait(self, task: asyncio.Future[Any], timeout: float | None) -> None:
        """Waits until the task has ended, the timeout (seconds) is over, or the time of the budget; while a person is
        asked, neither goes on."""
        if timeout is None and self.seconds_left is None:
            await task
            return
        deadline = None if timeout is None else self.seconds + timeout
        while not task.done():
            limits = [self.seconds_left, None if deadline is None else deadline - self.seconds]
            left = min((limit for limit in limits if limit is not None), default=None)
            if left is not None and left <= 0:
                return
            await asyncio.wait({task}, timeout=max(left, LOOK) if self._asking and left is not None else left)

    def _own_limits(self) -> Iterator[Limit]:
        for resource in RESOURCES:
            limit = getattr(self.budget, resource)
            if limit is not None:
                yield self, resource, limit

    def _line(self) -> Iterator[Spending]:
        """This spending and those above it."""
        spending: Spending | None = self
        while spending is not None:
            yield spending
            spending = spending.within

    def _stop_clock(self) -> None:
        if not self._asking:
            self._asked_at = self._clock()
        self._asking += 1

    def _start_clock(self) -> None:
        self._asking -= 1
        if not self._asking:
            self._began += self._clock() - self._asked_at

    def _told(self, spending: Spending, resource: Resource) -> str:
        whose = "the budget" if spending is self else "the budget of the run that started this one,"
        limit, used = getattr(spending.budget, resource), getattr(spending, resource)
        return f"{whose} of {amount(resource, limit)} is used up ({amount(resource, used)} used)"


def amount(resource: Resource, value: float | None) -> str:
    """An amount as people write it: `50 steps`, `$0.25`."""
    if value is None:
        return "an unknown amount"
    match resource:
        case "money" if 0 < value < 0.0001:
            return "less than $0.0001"
        case "money":
            return f"${value:,.4f}".rstrip("0").rstrip(".")
        case "seconds":
            return f"{value:,.4g} s"
        case "steps" | "tokens":
            return quantity(value, resource.removesuffix("s"))
