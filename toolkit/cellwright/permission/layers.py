"""Rules by where they come from: what is nearer to the person speaks first, but a denial counts from anywhere."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import Struct
from msgspec.structs import replace

from cellwright.errors import UsageError
from cellwright.permission.rules import Rule
from cellwright.tool import Tool


class Layer(Struct, frozen=True):
    """The rules of one source."""

    name: str
    """Where they stand: `given in code`, a file's path, or how they were granted."""
    allow: tuple[Rule, ...] = ()
    ask: tuple[Rule, ...] = ()
    deny: tuple[Rule, ...] = ()
    granted: tuple[Rule, ...] = ()
    """Allowed by an answer to a question. What can't be undone is covered only by those that name it exactly."""
    untrusted: tuple[Rule, ...] = ()
    """What its file allows, which counts for nothing until the person trusts that file."""
    broken: str = ""
    """Why the source can't be read. Then it denies everything, since nobody knows what it would have denied."""

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All its rules, those that count for nothing, too."""
        return self.allow + self.granted + self.untrusted + self.ask + self.deny

    def about(self, tool: Tool) -> Layer:
        """The layer with the rules that name this tool, or restrict what it counts as, and no others."""
        ask, deny = (tuple(rule for rule in kind if rule.restricts(tool)) for kind in (self.ask, self.deny))
        kinds = (self.allow, self.granted, self.untrusted)
        allow, granted, untrusted = (tuple(rule for rule in kind if rule.names(tool)) for kind in kinds)
        return replace(self, allow=allow, ask=ask, deny=deny, granted=granted, untrusted=untrusted)


def read_rules(kind: str, rules: object) -> tuple[Rule, ...]:
    """The rules in a collection of texts, sorted.

    Raises:
        UsageError: for a text, in which `in` would find parts of names, for what is no rule, or for one that restricts
            a tool only as long as its server does not change it.
    """
    if isinstance(rules, str):
        raise UsageError(f"{kind}={rules!r} is a text; give the names of tools in a set: {kind}={{{rules!r}}}")
    if not isinstance(rules, Collection) or isinstance(rules, Mapping):
        raise UsageError(f"{kind}={rules!r} is no list of rules; write {kind}=[...] with a text for each rule")
    found = tuple(sorted({Rule.read(rule) for rule in rules}, key=str))
    lapsing = [rule for rule in found if rule.digest] if kind != "allow" else []
    if lapsing:
        raise UsageError(f"the {kind} rule {lapsing[0]} would lapse once the tool changes; write {lapsing[0].tool}")
    return found
