"""How a call is judged, told in one value: who decides, why, and what becomes of each thing that the call aims at.

A guard comes before everything else, so the explanation looks at the guards first; then at what the list of deciders
said. It is made by the same functions that decide, so it can't tell another story.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cellwright.env import Env
from cellwright.messages import JsonObject, told
from cellwright.permission.decision import Decision, Mode
from cellwright.permission.guards import GUARDS
from cellwright.permission.judgement import Verdict
from cellwright.tool import Tool


@dataclass(frozen=True, slots=True)
class Explanation:
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


def explained(
    mode: Mode,
    tool: Tool,
    args: JsonObject,
    env: Env,
    decided: Decision,
    judged: Callable[[], tuple[Verdict, ...]],
) -> Explanation:
    """The explanation of a decision, or of the guard that stands before it."""
    try:
        parts = judged()
    except Exception:  # the decision tells why
        parts = ()
    return Explanation(_guarded(mode, tool, args, env) or decided, parts)


def _guarded(mode: Mode, tool: Tool, args: JsonObject, env: Env) -> Decision | None:
    for guard in GUARDS:
        try:
            reason = guard(tool, args, env, mode)
        except Exception as error:
            reason = f"the guard {guard.__name__} failed ({told(error)})"
        if reason:
            return Decision("deny", guard.__name__, reason)
    return None
