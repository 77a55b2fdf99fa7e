"""What holds for the next call of a run, and can change while the run goes on.

The mode can be switched, by the person or by a tool that they approved; a tool can bring in others. Each call is
judged by the conditions that hold when its turn comes. The conditions are a frozen value, and a change is a function
from one such value to the next, so that what a call was judged by can't move under it. The rule that must never break:
every change is written down; a tool can't switch a run to mode bypass, change its rules, or give it more tools.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from cellwright.errors import UsageError
from cellwright.log.events import Log
from cellwright.messages import JsonObject, clean_text, told
from cellwright.permission.policy import Policy
from cellwright.selection import EVERYTHING, Selection

MAX_PARALLEL = 10
"""Calls that run at once at most, unless the agent says otherwise."""


class Conditions(Struct, frozen=True):
    """What holds now.

    Raises:
        UsageError: if `max_parallel` is no number from 1.
    """

    policy: Policy
    """The mode and the rules."""
    selection: Selection = EVERYTHING
    """The tools that are shown and may run."""
    found: tuple[str, ...] = ()
    """The deferred tools that the model has found, in the order in which it found them."""
    max_parallel: int = MAX_PARALLEL
    """Calls that run at once at most; a batch of calls keeps to the number that holds when it begins."""

    folder: str = "."
    """Where commands run, relative to the working folder."""

    def __post_init__(self) -> None:
        if type(self.max_parallel) is not int or self.max_parallel < 1:
            raise UsageError(
                f"max_parallel is {self.max_parallel!r}; give the number of calls that may overlap, from 1"
            )

    def with_found(self, names: Iterable[str]) -> Conditions:
        """The same, with these tools found as well."""
        return replace(self, found=tuple(dict.fromkeys([*self.found, *names])))


Change = Callable[[Conditions], Conditions]
"""What a call does to the conditions of those after it."""


def changed(now: Conditions, change: Change) -> Conditions:
    """The conditions after a change that a tool made.

    Raises:
        ValueError: if the change fails, gives no conditions, or gives some that a tool may not bring about.
    """
    try:
        after: object = change(now)
    except (Exception, SystemExit) as error:
        raise ValueError(f"the change of conditions failed ({told(error)})") from None
    if not isinstance(after, Conditions) or not isinstance(after.policy, Policy):
        raise ValueError(f"the change of conditions gave no Conditions but {type(after).__name__}")
    if after.policy.mode == "bypass" != now.policy.mode:
        raise ValueError("a tool can't switch to mode bypass; only the person can")
    if replace(after.policy, mode=now.policy.mode, consent=now.policy.consent) != now.policy:
        raise ValueError("a tool can't change rules or grants, only the mode; write replace(now.policy, mode=...)")
    if not isinstance(after.selection, Selection) or not after.selection.is_within(now.selection):
        raise ValueError("a tool can only take tools out of a run; write now.selection.inner(now.selection.role, ...)")
    if not isinstance(after.found, tuple) or not all(isinstance(name, str) for name in after.found):
        raise ValueError(f"found is {after.found!r}; write now.with_found([name, ...])")
    if not isinstance(after.folder, str):
        raise ValueError(f"folder is {after.folder!r}; give a path relative to the working folder")
    return after


class Standing:
    """The conditions of one run, as they stand."""

    def __init__(self, conditions: Conditions) -> None:
        self._now = conditions

    @property
    def now(self) -> Conditions:
        """What holds now."""
        return self._now

    def become(self, after: Conditions, log: Log, call_id: str = "") -> None:
        """These hold from now on; the log says what changed, and by which call, or that the person did it."""
        before, self._now = self.now, after
        settings = after.policy.__struct_fields__
        names = [name for name in settings if getattr(after.policy, name) != getattr(before.policy, name)]
        names += [
            name
            for name in ("selection", "found", "max_parallel", "folder")
            if getattr(after, name) != getattr(before, name)
        ]
        if names:
            about: JsonObject = {"id": call_id} if call_id else {}
            about |= {name: getattr(after, name) for name in ("folder", "found") if name in names}
            by = "call" if call_id else "person"
            log.record(
                "conditions", **about, mode=after.policy.mode, max_parallel=after.max_parallel, changed=names, by=by
            )

    def apply(self, change: Change, log: Log, call_id: str) -> None:
        """Makes a call's change. One that can't be made after those before it is noted, and changes nothing."""
        try:
            after = changed(self.now, change)
        except ValueError as error:
            log.record("note", text=clean_text(f"after call {call_id}: {error}; the conditions stay as they were"))
            return
        self.become(after, log, call_id)
