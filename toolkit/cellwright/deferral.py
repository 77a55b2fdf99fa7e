"""Which tools wait to be found, where there are too many to show them all.

Each definition is sent with every turn, and a model with hundreds before it chooses badly. So above a threshold only
the core is shown, and `tool_search` finds the rest; a tool that was found joins the list at its end, and the bytes
before it stay. The rule that must never break: a tool that waits is only not shown. It may be called all the same, and
is judged like any other; deferring saves room and protects nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from cellwright.tool import Tool

SEARCH = "tool_search"
"""The tool that finds those that wait."""


class Threshold(Struct, frozen=True):
    """How much a model is shown at once. Above either number, tools wait to be found."""

    tools: int = 40
    """Beyond this many, models begin to mistake one tool for another."""
    chars: int = 60_000
    """Characters of all definitions; about 15,000 tokens, which every turn would carry."""

    def is_passed(self, texts: Sequence[str]) -> bool:
        """Whether these definitions are too many, or too long."""
        return len(texts) > self.tools or sum(map(len, texts)) > self.chars


THRESHOLD = Threshold()


def waits(tool: Tool) -> bool:
    """Whether a tool waits to be found, above the threshold. The first of these that speaks decides."""
    if tool.always_load:
        return False
    if tool.origin == "mcp":
        return True
    if tool.system:
        return False
    return tool.defer or tool.origin != "built-in"
