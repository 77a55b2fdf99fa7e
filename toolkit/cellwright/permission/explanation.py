"""How a call is judged, told in one value: who decides, why, and what becomes of each thing that the call aims at.

A guard comes before everything else, so the explanation looks at the guards first; then at what the list of deciders
said. It is made by the same functions that decide, so it can't tell another story.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct

from cellwright.env import Env
from cellwright.errors import UsageError
from cellwright.messages import JsonObject
from cellwright.permission.decision import Decision, Mode
from cellwright.permission.guards import denied_by
from cellwright.permission.judgement import Verdict
from cellwright.tool import Tool


class Explanation(Struct, frozen=True):
    """A decision, and how it came about."""

    decision: Decision
    parts: tuple[Verdict, ...]
    """What the rules say about each thing that the call aims at; for a shell tool the commands in its line."""

    def as_json(self) -> JsonObject:
        """The explanation as plain data."""
        return {
            "decision": self.decision.decision,
            "by": self.decision.by,
            "rule": self.decision.rule or None,
            "reason": self.decision.reason,
            "parts": [
                {
                    "command": part.target,
                    "decision": part.decision,
                    "by": part.by,
                    "rule": part.rule or None,
                    "reason": part.reason,
                }
                for part in self.parts
            ],
        }


Judged = TypeVar("Judged")
Judging = Callable[[Tool, JsonObject, Env], Judged]


def explained(
    mode: Mode,
    tool: Tool,
    args: JsonObject,
    env: Env,
    decide: Judging[Decision],
    judge: Judging[tuple[Verdict, ...]],
) -> Explanation:
    """The explanation of a decision, or of the guard that stands before it.

    Raises:
        UsageError: if the tool is none, such as its name alone.
    """
    if not isinstance(tool, Tool):
        raise UsageError(f"{tool!r:.80} is no tool; write policy.explain(agent.registry.get('edit_file'), args, env)")
    decided = decide(tool, args, env)
    try:
        parts = judge(tool, args, env)
    except Exception:  # the decision tells why
        parts = ()
    guard, reason = denied_by(tool, args, env, mode)
    return Explanation(Decision("deny", guard, reason) if reason else decided, parts)
