"""What holds for the next call of a run, and can change while the run goes on.

The mode can be switched, by the person or by a tool that they approved; a tool can bring in others. Each call is
judged by the conditions that hold when its turn comes. The conditions are a frozen value, and a change is a function
from one such value to the next, so that what a call was judged by can't move under it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from cellwright.permission.policy import Policy
from cellwright.selection import EVERYTHING, Selection


@dataclass(frozen=True, slots=True)
class Conditions:
    """What holds now."""

    policy: Policy
    """The mode and the rules."""
    selection: Selection = EVERYTHING
    """The tools that are shown and may run."""
    found: tuple[str, ...] = ()
    """The deferred tools that the model has found, in the order in which it found them."""

    def with_found(self, names: Iterable[str]) -> Conditions:
        """The same, with these tools found as well."""
        return replace(self, found=tuple(dict.fromkeys([*self.found, *names])))


Change = Callable[[Conditions], Conditions]
"""What a call does to the conditions of those after it."""


class Standing:
    """The conditions of one run, as they stand."""

    def __init__(self, conditions: Conditions) -> None:
        self._now = conditions

    @property
    def now(self) -> Conditions:
        """What holds now."""
        return self._now

    def apply(self, changes: Iterable[Change]) -> None:
        """Makes these changes, in their order."""
        for change in changes:
            self._now = change(self.now)
