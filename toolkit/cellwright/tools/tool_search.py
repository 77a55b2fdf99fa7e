"""`tool_search`: tools that are not in the model's list, found by words or by name.

Where there are many tools, only the common ones are shown, and this finds the rest. What it finds joins the list at its
end from the next turn on, so that nothing before it moves. It searches only what this run may use; a tool that is left
out of the run can't be found.
"""

from __future__ import annotations

import difflib
from collections import Counter
from typing import Annotated

from msgspec import Struct
from pydantic import Field

from cellwright.calls.conditions import Conditions
from cellwright.definition import Definition
from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.role import ROLES
from cellwright.tool import Output, tool
from cellwright.tool_index import nearest

SELECT = "select:"
NAMED = 60
"""Names that the description and an error list at most; of the rest they tell where they belong."""
SHORT = 200
"""Characters of a description in a result."""


class Finding(Struct, frozen=True):
    """What a search does to the conditions of the run: the model has found these tools."""

    names: tuple[str, ...]

    def __call__(self, now: Conditions) -> Conditions:
        """The conditions with these tools found."""
        return now.with_found(self.names)


def describe(env: Env) -> str:
    """What the model reads of this tool: how to search, and what there is to be found as the run starts."""
    waiting = [definition.name for definition in env.deferred()]
    return f"{ABOUT}\n\nThere to be found as this run starts: {_overview(waiting)}." if waiting else ABOUT


ABOUT = f"""\
Find tools that are not in your list. What is found is in your list from your next turn on.

The query is what you want to do, in words (such as create issue comment), or {SELECT}NAME,NAME for tools whose names
you know. Each result is a name and what the tool is for. Errors: not_found names what there is."""


@tool(
    description=describe,
    read_only=True,
    concurrency_safe=True,
    system=True,
    roles=ROLES,
    always_load=True,
    origin="built-in",
)
def tool_search(query: str, env: Env, max_results: Annotated[int, Field(ge=1, le=20)] = 5) -> Output:
    """Find tools that are not in the list.

    Args:
        query: What you want to do, in words; or select: and exact names with commas between them.
        max_results: How many tools to find at most by words; names are all found.
    """
    waiting = env.deferred()
    if not waiting:
        raise ToolError("not_found", "there is nothing to find: every tool of this run is in your list already")
    chosen = query.strip()
    if chosen.startswith(SELECT):
        found = _selected(chosen.removeprefix(SELECT), waiting)
    else:
        found = nearest(query, waiting)[:max_results]
    if not found:
        names = [definition.name for definition in waiting]
        raise ToolError("not_found", f"no tool has a word of {query[:100]!r}; there are: {_overview(names)}")
    tools = [{"name": definition.name, "description": _short(definition.description)} for definition in found]
    lines = [f"{each['name']}: {each['description']}" for each in tools]
    content = "\n".join([*lines, "In your list from your next turn on, where you see what they take."])
    return Output({"tools": tools}, content, context_change=Finding(tuple(each["name"] for each in tools)))


def _selected(names: str, waiting: tuple[Definition, ...]) -> list[Definition]:
    by_name = {definition.name: definition for definition in waiting}
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    unknown = [name for name in wanted if name not in by_name]
    if unknown:
        near = ", ".join(difflib.get_close_matches(unknown[0][:100], by_name, 3, 0.5))
        hint = f"did you mean {near}?" if near else "search by words, or call it if it is in your list already."
        raise ToolError("not_found", f"no tool {unknown[0][:100]!r} waits to be found; {hint} Nothing was added")
    return [by_name[name] for name in dict.fromkeys(wanted)]


def _overview(names: list[str]) -> str:
    """All names, or of too many the first ones, and how many more there are of each server."""
    rest = Counter(_home(name) for name in names[NAMED:])
    return ", ".join([*names[:NAMED], *(f"{count} more of {home}" for home, count in rest.items())])


def _home(name: str) -> str:
    return "__".join(name.split("__")[:2]) if name.startswith("mcp__") else "others"


def _short(description: str) -> str:
    first = description.strip().partition("\n\n")[0]
    line = " ".join(first.split())
    return line if len(line) <= SHORT else f"{line[: SHORT - 3]}..."
