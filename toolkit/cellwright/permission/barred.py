"""What a tool that walks through folders has to pass over, since a rule keeps it from there.

A call is judged by the paths that it names. A search of a whole folder meets paths that it does not name, and what a
rule denies, or wants asked about, may be among them. Such a path is passed over and counted; a call that names it is
judged by itself. The rule that must never break: what could not be reached by its name is not reached by walking.
"""

from __future__ import annotations

from collections.abc import Callable

from cellwright.permission.covering import may_cover_path
from cellwright.permission.policy import Policy
from cellwright.tool import Tool


def barred(policy: Policy, tool: Tool, cwd: str = "") -> Callable[[str], bool] | None:
    """Whether a rule keeps the tool from a path, relative to the working folder; None if there is no such rule."""
    rules = [
        rule
        for layer in policy.layers
        for rule in (*layer.deny, *layer.ask)
        if rule.restricts(tool) and not rule.covers_all  # those that do have judged the call itself
    ]
    return (lambda path: any(may_cover_path(rule, path, cwd) for rule in rules)) if rules else None
