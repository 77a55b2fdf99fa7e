"""Names in rules and selections that no tool has.

A deny rule with a slip in its name denies nothing, and nobody would notice: names are exact, so `edit-file` is a tool
that there might be. So a run tells at its start which names it does not know, with those that look most like them.
Built-in tools that the run was not given are known, and tools of MCP servers may come later. The rule that must never
break: it is only told; what a rule covers does not depend on it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice

from cellwright.catalogue import BUILT_IN
from cellwright.permission.policy import Policy
from cellwright.registry import Registry
from cellwright.selection import Selection

MOST = 20
"""Names that are told at most."""


def unknown_names(policy: Policy, selection: Selection, registry: Registry) -> tuple[str, ...]:
    """A remark for each unknown name of what holds a run back: rules that deny or ask, and selections."""
    known = {*BUILT_IN, *registry.tools, *registry.refused}
    remarks = dict.fromkeys(
        f"{where} names {name}, but there is no such tool{_hint(name, registry)}"
        for where, name in _names(policy, selection)
        if not _is_known(name, known)
    )
    return tuple(islice(remarks, MOST))


def _names(policy: Policy, selection: Selection) -> Iterator[tuple[str, str]]:
    for layer in policy.layers:
        for kind, rules in (("a deny rule", layer.deny), ("an ask rule", layer.ask)):
            for rule in rules:
                yield f"{kind} ({layer.name})", rule.tool
    outer: Selection | None = selection
    while outer is not None:
        for name in sorted({*outer.deny, *(outer.allow or ())}):
            yield "the selection", name
        outer = outer.outer


def _is_known(name: str, known: Collection[str]) -> bool:
    if name.startswith("mcp__") or name in known:
        return True
    return name.endswith("*") and any(tool.startswith(name[:-1]) for tool in known)


def _hint(name: str, registry: Registry) -> str:
    near = registry.near(name)
    return f"; did you mean {', '.join(near)}?" if near else ""
