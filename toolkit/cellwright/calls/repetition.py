"""A model that makes the same failing call again and again is told, refused, and in the end stopped.

Small models get stuck: the call fails, they repeat it to the letter, until the steps or the money are gone. A call
counts as the same if name and arguments are, however these are written, known tool or not; where there is no such tool
the arguments don't matter. When something else has had an effect meanwhile, the counting begins anew.
"""

from __future__ import annotations

import json
from collections import Counter

from cellwright.messages import Call
from cellwright.result import Result, failure

ENOUGH = 3
"""Failures after which the same call is refused without being tried."""
HOPELESS = 6
"""Failures, refusals included, after which the run is stopped."""


class Repetition:
    """The failed calls of one run, counted."""

    def __init__(self) -> None:
        self._failures: Counter[tuple[str, str]] = Counter()
        self._most = 0
        """Failures of the call that failed most often; all are asked about after each turn."""

    def refusal(self, call: Call) -> Result | None:
        """The result of a call that has failed often enough; None if it may be tried."""
        failures = self._failures[_key(call)] if self._failures else 0
        if failures < ENOUGH:
            return None
        message = (
            f"this exact call has failed {failures} times and was not tried again; read its error, then change the "
            f"arguments, use another tool, or say what stops you. The run ends if it is repeated"
        )
        return failure(call, "guard_denied", message, code="repetition")

    def note(self, result: Result, changes_something: bool) -> None:
        """Counts a failure; a success that may have changed something clears all counts."""
        if not result.ok:
            keys = [_key(result.call), *([(result.call.name, "")] if result.error_type == "unknown_tool" else [])]
            self._failures.update(keys)
            self._most = max(self._most, *(self._failures[key] for key in keys))
        elif changes_something:
            self._failures.clear()
            self._most = 0

    @property
    def is_hopeless(self) -> bool:
        """Whether some call was repeated so often that the run should end."""
        return self._most >= HOPELESS


def _key(call: Call) -> tuple[str, str]:
    """The same for calls that differ in blanks or in the order of their arguments only."""
    try:
        return call.name, json.dumps(json.loads(call.arguments), sort_keys=True)
    except (ValueError, RecursionError):
        return call.name, call.arguments or "{}"
