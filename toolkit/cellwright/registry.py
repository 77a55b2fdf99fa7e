"""The tools of one run, found by name.

`registry.add(tool)` is all there is to it. What costs time is done when the registry changes, not at each turn: the
definitions are sorted (built-in tools first, then the person's, then MCP's, each by name) and written as bytes once,
so that a provider's cached prefix stays where it is. The rule that must never break: a name stands for one tool;
a second one is refused, never silently preferred.
"""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Iterable, Iterator, Mapping

from cellwright.codec import canonical
from cellwright.errors import RegistryError
from cellwright.selection import EVERYTHING, Selection
from cellwright.tool import Definition, Origin, Tool

ORDER: tuple[Origin, ...] = ("built-in", "user", "mcp")


class Registry:
    """Tools by name. Iterating gives them in the order in which a model sees them."""

    def __init__(self, tools: Iterable[Tool] = (), refused: Mapping[str, str] | None = None) -> None:
        self._tools: dict[str, Tool] = {}
        self.refused = dict(refused or {})
        """Names that are not shown and whose calls are refused, each with the reason for the model."""
        self._made: dict[Selection, tuple[tuple[Definition, ...], bytes]] = {}
        for tool in tools:
            self.add(tool)

    def add(self, tool: Tool) -> None:
        """Adds a tool.

        Raises:
            RegistryError: if it is no tool, or its name is taken.
        """
        if not isinstance(tool, Tool):
            raise RegistryError(f"{tool!r} is not a Tool; decorate a function with @tool, or make Tool(...)")
        taken = self._tools.get(tool.name)
        if taken is not None:
            raise RegistryError(
                f"a {taken.origin} tool is already called {tool.name!r}; rename the new {tool.origin} one, "
                "or use registry.replace(tool) if it is meant to take its place"
            )
        self._put(tool)

    def replace(self, tool: Tool) -> None:
        """Puts a tool in the place of the one of the same name.

        Raises:
            RegistryError: if there is none.
        """
        if tool.name not in self._tools:
            raise RegistryError(f"there is no tool {tool.name!r} to replace; use registry.add(tool)")
        self._put(tool)

    def get(self, name: str) -> Tool | None:
        """The tool of exactly this name."""
        return self._tools.get(name)

    def near(self, name: str, selection: Selection = EVERYTHING) -> tuple[str, ...]:
        """The selected names that look most like this one, at most three; for an error, never to act on."""
        lowered = {tool.name.lower(): tool.name for tool in self.selected(selection)}
        return tuple(lowered[n] for n in difflib.get_close_matches(name.lower()[:100], lowered, 3, 0.5))

    def selected(self, selection: Selection = EVERYTHING) -> Iterator[Tool]:
        """The tools that a selection leaves in, in the order in which a model sees them."""
        return (tool for tool in self if not selection.refusal(tool))

    def definitions(self, selection: Selection = EVERYTHING) -> tuple[Definition, ...]:
        """What the model sees, in the order in which it sees it."""
        return self._shown(selection)[0]

    def definitions_json(self, selection: Selection = EVERYTHING) -> bytes:
        """The same as canonical JSON bytes: equal registries give equal bytes."""
        return self._shown(selection)[1]

    @property
    def digest(self) -> str:
        """A short name for all of it: 12 hexadecimal digits."""
        return hashlib.sha256(self.definitions_json()).hexdigest()[:12]

    def __iter__(self) -> Iterator[Tool]:
        return iter(sorted(self._tools.values(), key=lambda tool: (ORDER.index(tool.origin), tool.name)))

    def __len__(self) -> int:
        return len(self._tools)

    def __contains__(self, name: str) -> bool:
        return name in self._tools

    def _put(self, tool: Tool) -> None:
        self._tools[tool.name] = tool
        self._made = {}

    def _shown(self, selection: Selection) -> tuple[tuple[Definition, ...], bytes]:
        made = self._made.get(selection)
        if made is None:
            shown = tuple(tool.definition for tool in self.selected(selection))
            plain = [{"name": d.name, "description": d.description, "input_schema": d.input_schema} for d in shown]
            made = self._made[selection] = shown, canonical(plain).encode()
        return made
