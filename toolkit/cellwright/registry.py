"""The tools there are, found by name.

`registry.add(tool)` is all there is to it. What costs time is done when the registry changes, not at each turn: the
tools are sorted (built-in ones first, then the person's, then MCP's, each by name) and their definitions written as
bytes once, so that a provider's cached prefix stays where it is. A server that drops takes its tools out of sight and
brings them back unchanged. The rule that must never break: a name stands for one tool; a second one is refused.
The lesson is `notebooks/02_registry.ipynb`.
"""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from cellwright.definition import Definition, listed, written
from cellwright.errors import RegistryError
from cellwright.selection import EVERYTHING, Selection
from cellwright.tool import Origin, Tool

ORDER: tuple[Origin, ...] = ("built-in", "user", "mcp")
WHOSE: dict[Origin, str] = {"built-in": "a built-in tool", "user": "a tool of yours", "mcp": "an MCP tool"}


class Registry:
    """Tools by name. Iterating gives them in the order in which a model sees them.

    A run reads it as each of its turns begins: what changes meanwhile is there from the next turn on, and what is taken
    away stops at once.
    """

    def __init__(self, tools: Iterable[Tool] = (), refused: Mapping[str, str] | None = None) -> None:
        self.refused = dict(refused or {})
        """Names that are not shown and whose calls are refused, each with the reason for the model."""
        self.remarks: dict[str, None] = {}
        """What a reader of a run's log should know of its tools, each once, as that one could not be taken."""
        self._all: dict[str, Tool] = {}
        self._beaten: dict[str, Tool] = {}
        self._suspended: set[str] = set()
        self._tools: Mapping[str, Tool] | None = None
        self._texts: dict[str, str] = {}
        for tool in tools:
            self.add(tool)

    def add(self, tool: Tool) -> None:
        """Adds a tool. Between a built-in tool and one of an MCP server of the same name, the built-in one stays.

        Raises:
            RegistryError: if it is no tool, or its name is taken.
        """
        if not isinstance(tool, Tool):
            raise RegistryError(f"{tool!r} is not a Tool; decorate a function with @tool, or make Tool(...)")
        taken = self._beaten.get(tool.name) if tool.origin == "mcp" else None
        taken = taken or self._all.get(tool.name)
        if taken is None:
            self._put(tool)
        elif {taken.origin, tool.origin} == {"built-in", "mcp"}:
            built_in, self._beaten[tool.name] = (taken, tool) if tool.origin == "mcp" else (tool, taken)
            self._put(built_in)
        else:
            raise RegistryError(
                f"{WHOSE[taken.origin]} is already called {tool.name!r}; rename the new one, which is "
                f"{WHOSE[tool.origin]}, or use registry.replace(tool) if it is meant to take its place"
            )

    def replace(self, tool: Tool) -> None:
        """Puts a tool in the place of the one of the same name.

        Raises:
            RegistryError: if there is none.
        """
        if tool.name not in self._all:
            raise RegistryError(f"there is no tool {tool.name!r} to replace; use registry.add(tool)")
        self._put(tool)

    def remove(self, name: str) -> None:
        """Takes a tool away for good; a run that goes on is told so when it is called.

        Raises:
            RegistryError: if there is none.
        """
        if self._all.pop(name, None) is None:
            raise RegistryError(f"there is no tool {name!r} to remove")
        other = self._beaten.pop(name, None)
        self._tools = None
        self._texts.pop(name, None)
        if other is not None:
            self._put(other)

    def remark(self, text: str) -> None:
        """Keeps a remark for the logs of runs, which tell it once as their next turn begins."""
        self.remarks[text] = None
        self._tools = None

    def suspend(self, namespace: str) -> tuple[str, ...]:
        """Takes all tools whose names begin so, as `mcp__server__`, out of sight until `resume`; their names.

        Raises:
            RegistryError: if it is no namespace.
        """
        if not namespace.endswith("__") or namespace.strip("_") == "":
            raise RegistryError(f"{namespace!r} is no namespace; give the beginning of names, as mcp__server__")
        self._suspended.add(namespace)
        self._tools = None
        return tuple(name for name in sorted(self._all) if name.startswith(namespace))

    def resume(self, namespace: str) -> tuple[str, ...]:
        """Brings back what `suspend` took out of sight, byte for byte the same; the names."""
        self._suspended.discard(namespace)
        self._tools = None
        return tuple(name for name in self.tools if name.startswith(namespace))

    def away(self, name: str) -> str:
        """The suspended namespace that a name belongs to, if there is one."""
        if not self._suspended:
            return ""
        return next((namespace for namespace in sorted(self._suspended) if name.startswith(namespace)), "")

    @property
    def tools(self) -> Mapping[str, Tool]:
        """What is here now, in the order in which a model sees it; the same object until something changes."""
        if self._tools is None:
            here = in_order(tool for name, tool in self._all.items() if not self.away(name))
            self._tools = MappingProxyType({tool.name: tool for tool in here})
        return self._tools

    @property
    def beaten(self) -> tuple[Tool, ...]:
        """The MCP tools that are not used, since a built-in tool has their name."""
        return tuple(self._beaten[name] for name in sorted(self._beaten))

    def get(self, name: str) -> Tool | None:
        """The tool of exactly this name."""
        return self.tools.get(name)

    def near(self, name: str, selection: Selection = EVERYTHING) -> tuple[str, ...]:
        """The selected names that look most like this one, at most three; for an error, never to act on."""
        lowered = {tool.name.lower(): tool.name for tool in self.selected(selection)}
        return tuple(lowered[n] for n in difflib.get_close_matches(name.lower()[:100], lowered, 3, 0.5))

    def selected(self, selection: Selection = EVERYTHING) -> Iterator[Tool]:
        """The tools that a selection leaves in, in the order in which a model sees them."""
        return (tool for tool in self if not selection.refusal(tool))

    def definitions(self, selection: Selection = EVERYTHING) -> tuple[Definition, ...]:
        """The definitions of these tools, in this order."""
        return tuple(tool.definition for tool in self.selected(selection))

    def definitions_json(self, selection: Selection = EVERYTHING) -> bytes:
        """The same as canonical JSON bytes: equal registries give equal bytes."""
        return listed(self._text(tool) for tool in self.selected(selection))

    @property
    def digest(self) -> str:
        """A short name for all of it: 12 hexadecimal digits."""
        return hashlib.sha256(self.definitions_json()).hexdigest()[:12]

    def __iter__(self) -> Iterator[Tool]:
        return iter(self.tools.values())

    def __len__(self) -> int:
        return len(self.tools)

    def __contains__(self, name: str) -> bool:
        return name in self.tools

    def _put(self, tool: Tool) -> None:
        self._all[tool.name] = tool
        self._tools = None
        self._texts.pop(tool.name, None)

    def _text(self, tool: Tool) -> str:
        if tool.name not in self._texts:
            self._texts[tool.name] = written(tool.definition, tool.input_schema.text)
        return self._texts[tool.name]


def in_order(tools: Iterable[Tool]) -> list[Tool]:
    """Tools in the order in which a model sees them, whatever the order in which they came."""
    return sorted(tools, key=lambda tool: (ORDER.index(tool.origin), tool.name))
