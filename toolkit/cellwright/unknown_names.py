"""Names in rules, selections and hooks that no tool has.

A deny rule with a slip in its name denies nothing, and nobody would notice: names are exact, so `edit-file` is a tool
that there might be. So a run tells at its start which names it does not know, with those that look most like them: in
its log, and as a warning where nobody watches the run, as in a script. Built-in tools that the run was not given are
known, and tools of MCP servers may come later. The rule that must never break: it is only told; what a rule covers does
not depend on it.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Collection, Iterable, Iterator
from itertools import islice

from cellwright.catalogue import BUILT_IN
from cellwright.hooks.hook import Hook
from cellwright.permission.policy import Policy
from cellwright.registry import Registry
from cellwright.selection import Selection

MOST = 20
"""Names that are told at most."""


PASSED_OVER = ("cellwright", "cellwright_widgets", "asyncio")
"""Packages whose lines stand between the start of a run and the person's own line."""


class UnknownNameWarning(UserWarning):
    """Something that is to hold runs back names a tool that there is not, so it holds nothing back."""


def warn_of(remarks: Iterable[str]) -> None:
    """Warns of each remark at the person's own line, once."""
    frame = inspect.currentframe()
    while frame and frame.f_back and str(frame.f_globals.get("__name__")).partition(".")[0] in PASSED_OVER:
        frame = frame.f_back
    if frame is None:  # a Python that does not tell of its frames
        return
    place = frame.f_code.co_filename, frame.f_lineno, str(frame.f_globals.get("__name__"))
    known = frame.f_globals.setdefault("__warningregistry__", {})
    for remark in remarks:
        warnings.warn_explicit(remark, UnknownNameWarning, *place, known)


def unknown_names(
    policy: Policy, selection: Selection, registry: Registry, hooks: Iterable[Hook] = ()
) -> tuple[str, ...]:
    """A remark for each unknown name of what holds a run back: rules that deny or ask, selections, and hooks."""
    known = {*BUILT_IN, *registry.tools, *registry.refused}
    remarks = dict.fromkeys(
        f"{where} names {name}, but there is no such tool{_hint(name, registry)}"
        for where, name in _names(policy, selection, hooks)
        if not _is_known(name, known)
    )
    return tuple(islice(remarks, MOST))


def _names(policy: Policy, selection: Selection, hooks: Iterable[Hook]) -> Iterator[tuple[str, str]]:
    for layer in policy.layers:
        for kind, rules in (("a deny rule", layer.deny), ("an ask rule", layer.ask)):
            for rule in rules:
                yield f"{kind} ({layer.name})", rule.tool
    outer: Selection | None = selection
    while outer is not None:
        for name in sorted({*outer.deny, *(outer.allow or ())}):
            yield "the selection", name
        outer = outer.outer
    for hook in hooks:
        for name in sorted(hook.tools or ()):
            yield f"the hook {hook.name}", name


def _is_known(name: str, known: Collection[str]) -> bool:
    if name.startswith("mcp__") or name in known:
        return True
    return name.endswith("*") and any(tool.startswith(name[:-1]) for tool in known)


def _hint(name: str, registry: Registry) -> str:
    near = registry.near(name)
    return f"; did you mean {', '.join(near)}?" if near else ""
