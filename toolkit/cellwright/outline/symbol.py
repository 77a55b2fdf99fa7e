"""A symbol: one thing that source code defines, with its place and what it is defined in.

A parser tells definitions one after another; that one is inside another is seen from their lines. The rule that must
never break: whoever wants to read the definition finds it whole between `first_line` and `last_line`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from typing import Literal, get_args

from msgspec import Struct

Kind = Literal[
    "module", "class", "struct", "interface", "enum", "type", "function", "method", "macro", "variable",
    "table", "view", "query", "index", "trigger", "schema",
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)
HOLDERS = ("class", "interface")
"""Kinds whose functions are methods."""

Definition = tuple[str, str, str, int, int, int]
"""Kind, name and head, then first line, line of the name and last line, as the reading program tells them."""


class Symbol(Struct, frozen=True):
    """One definition. Lines count from 1."""

    kind: str
    name: str
    container: str
    """The names of what it is defined in, joined by dots; empty at the top level."""
    signature: str
    """Its head as it is written, on one line."""
    first_line: int
    """Where the whole begins, decorators included."""
    line: int
    """Where the name stands."""
    last_line: int

    @property
    def depth(self) -> int:
        """How deep it is nested."""
        return self.container.count(".") + 1 if self.container else 0

    @property
    def full_name(self) -> str:
        """The name with what it is defined in."""
        return f"{self.container}.{self.name}" if self.container else self.name

    def is_called(self, name: str) -> bool:
        """Whether a name means it: its own, its full name or the end of that, or a pattern such as `test_*`."""
        if "*" in name or "?" in name:
            return fnmatchcase(self.name, name) or fnmatchcase(self.full_name, name)
        own = re.split(r"\.|::|\$", self.full_name)
        asked = re.split(r"\.|::|\$", name)
        return name in (self.name, self.full_name) or (all(asked) and own[-len(asked) :] == asked)


def symbols(definitions: Iterable[Definition]) -> Iterator[Symbol]:
    """The definitions of one text, which come outer before inner, as symbols.

    A name that is given a value again and again is defined where it first is.
    """
    around: list[Definition] = []
    assigned: set[tuple[str, str]] = set()
    for definition in definitions:
        kind, name, head, first, line, last = definition
        while around and not _holds(around[-1], definition):
            around.pop()
        in_class = bool(around) and around[-1][0] in HOLDERS
        if kind == "member" and not in_class:  # an argument that happens to be a function
            continue
        if kind in ("function", "member") and in_class:
            kind = "method"
        container = ".".join(outer[1] for outer in around)
        if kind == "variable":
            if (container, name) in assigned:
                continue
            assigned.add((container, name))
        yield Symbol(kind, name, container, head, first, line, last)
        if kind != "variable":
            around.append(definition)


def _holds(outer: Definition, inner: Definition) -> bool:
    return outer[3] <= inner[3] and inner[5] <= outer[5] and outer[4] <= inner[4]
