"""What one run shows its model of the tools there are, turn by turn.

As a turn begins, the registry and the conditions are read: what is here, selected, not denied as a whole, and either
core or found. The list is made only when one of these changed, and most turns get the very bytes of the turn before.
A description that is written when the run starts stays as it is. The rule that must never break: what the model was
shown in a turn is what its calls find; tools that join meanwhile wait for the next turn, and what is gone is refused.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from msgspec import Struct

from cellwright.calls.conditions import Conditions
from cellwright.catalogue import built_in
from cellwright.deferral import SEARCH, THRESHOLD, Threshold, waits
from cellwright.definition import Definition, listed, written
from cellwright.env import Env
from cellwright.log.events import Log
from cellwright.registry import Registry, in_order
from cellwright.tool import Tool


class Listing(Struct, frozen=True):
    """What the model is shown in a turn."""

    definitions: tuple[Definition, ...] = ()
    json: bytes = b"[]"
    """The same as canonical bytes."""
    digest: str = ""
    """A short name for these bytes: 12 hexadecimal digits."""


class Known(Struct, frozen=True):
    """What a run has found out about a tool, once."""

    tool: Tool
    definition: Definition
    text: str
    """The definition as canonical JSON."""
    absence: str
    """Why it can't be used here, if it can't."""


class Surface:
    """The tools of one run. A run has its own; `Surface(Threshold(100))` lets more be shown at once."""

    def __init__(self, threshold: Threshold = THRESHOLD) -> None:
        self.threshold = threshold
        self.tools: Mapping[str, Tool] | None = None
        """What a call finds in the turn that goes on; None before the first."""
        self._waiting: tuple[Definition, ...] = ()
        self._search: Tool | None = None
        self._known: dict[str, Known] = {}
        self._read: tuple[Mapping[str, Tool], Conditions] | None = None
        self._judged: tuple[Mapping[str, Tool], Conditions] | None = None
        self._refusals: dict[str, tuple[Tool, str]] = {}
        """Why calls of tools are refused (or not), by their names, as long as what `_judged` holds is as it is."""
        self._shown: list[Known] = []
        """What the listing is made of."""
        self._listing = Listing()
        self._told: Listing | None = None
        self._told_texts: dict[str, str] = {}
        self._notes: dict[str, bool] = {}

    def renew(self, registry: Registry, conditions: Conditions, env: Env) -> Listing:
        """Begins a turn: what the model is shown in it."""
        tools = registry.tools
        if self._read is None or self._read[0] is not tools or self._read[1] is not conditions:
            self._read = tools, conditions
            self._make(registry, conditions, env)
        return self._listing

    def deferred(self) -> tuple[Definition, ...]:
        """What is found by searching, whether it was found yet or not."""
        return self._waiting

    def tell(self, log: Log) -> None:
        """Writes down, once, what the model is shown, what changed that, and what was left out."""
        for note in [note for note, told in self._notes.items() if not told]:
            log.note(note)
            self._notes[note] = True
        if self._told is self._listing:
            return
        if self._told is not None:
            changes = changed(self._told.definitions, self._listing.definitions)
            said = "; ".join(f"{kind}: {', '.join(names)}" for kind, names in changes.items() if names)
            if said:
                text = f"the list of tools changed, {said}"
                log.record("tools_changed", digest=self._listing.digest, **changes, text=text)
        if self._told is None or self._told.json != self._listing.json:
            self._tell_definitions(log)
        self._told = self._listing

    def _tell_definitions(self, log: Log) -> None:
        """Each text is in a log once; a list that changed is told by its names."""
        texts = {each.definition.name: each.text for each in self._shown}
        new = {name: text for name, text in texts.items() if self._told_texts.get(name) != text}
        self._told_texts |= new
        data = {"digest": self._listing.digest, "names": list(texts), "definitions": new}
        whole = self._listing.json.decode()
        if log.masking.text(whole) is whole:  # looking through all of it at once takes a third of the time
            log.keep("tools", data)
        else:
            log.record("tools", **data)

    def refusal(self, tool: Tool, registry: Registry, conditions: Conditions, env: Env) -> str:
        """Why a call of the tool may not run now, or nothing if it may."""
        now = (registry.tools, conditions)
        if self._judged is None or self._judged[0] is not now[0] or self._judged[1] is not now[1]:
            self._judged, self._refusals = now, {}
        known = self._refusals.get(tool.name)
        if known is None or known[0] is not tool:
            known = self._refusals[tool.name] = tool, self._refusal(tool, registry, conditions, env)
        return known[1]

    def _refusal(self, tool: Tool, registry: Registry, conditions: Conditions, env: Env) -> str:
        away = registry.away(tool.name)
        if away:
            return away_text(tool.name, away)
        if registry.get(tool.name) is not tool and tool is not self._search:
            return f"{tool.name} was changed or taken away meanwhile; call it again"
        absence = self._about(tool, env).absence
        if absence:
            return f"{tool.name} is not here: {absence}"
        mode = conditions.policy.mode
        if tool.modes and mode not in tool.modes:
            return f"{tool.name} is for mode {', '.join(tool.modes)}, and the run is in mode {mode}; go on without it"
        return conditions.selection.refusal(tool)

    def is_open(self, tool: Tool, registry: Registry, conditions: Conditions, env: Env) -> bool:
        """Whether the model may know of the tool, since some call of it could run."""
        return not conditions.policy.denies_all_of(tool) and not self.refusal(tool, registry, conditions, env)

    def definition(self, tool: Tool, env: Env) -> Definition:
        """The definition of a tool in this run, its description written once."""
        return self._about(tool, env).definition

    def is_hidden(self, name: str) -> bool:
        """Whether a tool waits to be found, and was not found yet."""
        shown = {definition.name for definition in self._listing.definitions}
        return name not in shown and any(definition.name == name for definition in self._waiting)

    def _make(self, registry: Registry, conditions: Conditions, env: Env) -> None:
        self.tools, self._judged = registry.tools, None
        shown = [tool for tool in registry if tool.name != SEARCH and self.is_open(tool, registry, conditions, env)]
        late = [tool for tool in shown if waits(tool)]
        if late and self._is_too_much(shown, env):
            shown = self._deferred(shown, late, registry, conditions, env)
        known = self._shown = [self._about(tool, env) for tool in shown]
        json = listed(each.text for each in known)
        digest = hashlib.sha256(json).hexdigest()[:12]
        self._listing = Listing(tuple(each.definition for each in known), json, digest)
        for remark in registry.remarks:
            self._note(remark)
        for tool in registry.beaten:
            self._note(f"the built-in tool {tool.name} is used; the one of an MCP server with the same name is not")

    def _deferred(
        self, shown: list[Tool], late: list[Tool], registry: Registry, conditions: Conditions, env: Env
    ) -> list[Tool]:
        """The core with the search in its place, then what was found, in the order in which it was found."""
        self._waiting = tuple(self._about(tool, env).definition for tool in late)
        search = self._search = self._search or registry.get(SEARCH) or built_in(SEARCH)
        if not self.is_open(search, registry, conditions, env):
            return shown
        self.tools = {**registry.tools, SEARCH: search}
        by_name = {tool.name: tool for tool in late}
        core = in_order([search, *(tool for tool in shown if tool.name not in by_name)])
        return [*core, *(by_name[name] for name in conditions.found if name in by_name)]

    def _is_too_much(self, shown: Sequence[Tool], env: Env) -> bool:
        """Once tools wait in a run, they go on waiting, so that the list does not go to and fro."""
        return self._search is not None or self.threshold.is_passed([self._about(tool, env).text for tool in shown])

    def _about(self, tool: Tool, env: Env) -> Known:
        known = self._known.get(tool.name)
        if known is None or known.tool is not tool:
            definition, problem = tool.described(env)
            text = written(definition, tool.input_schema.text)
            known = self._known[tool.name] = Known(tool, definition, text, tool.absence(env))
            if problem:
                self._note(f"the description of {tool.name} could not be written: {problem}")
            if known.absence:
                self._note(f"{tool.name} is left out: {known.absence}")
        return known

    def _note(self, text: str) -> None:
        self._notes.setdefault(text, False)


def away_text(name: str, namespace: str) -> str:
    """What a call of a suspended tool is told."""
    return f"{name} is away: all of {namespace} is, since its server is not connected. Go on without it, or try later"


def changed(before: Sequence[Definition], after: Sequence[Definition]) -> dict[str, list[str]]:
    """The names that were added, that are gone, and whose definitions changed, in their order."""
    old, new = ({definition.name: definition for definition in each} for each in (before, after))
    return {
        "added": [name for name in new if name not in old],
        "gone": [name for name in old if name not in new],
        "changed": [name for name in new if name in old and new[name] != old[name]],
    }
