"""Questions to a person, for the tests of the cards."""

from typing import Any

from cellwright.person.question import Question
from cellwright.schema import Schema

SCHEMA = Schema(
    {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}, "run_command"
)


def question(**changes: Any) -> Question:
    """May `run_command` run `make test`?"""
    facts: dict[str, Any] = {
        "call_id": "c1",
        "tool": "run_command",
        "args": {"command": "make test"},
        "schema": SCHEMA,
        "effect": None,
        "reason": "run_command is not read-only",
        "destructive": False,
        "check": lambda args: "; ".join(SCHEMA.problems(args)) or None,
    }
    return Question(**{**facts, **changes})
