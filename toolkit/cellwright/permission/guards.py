"""Checks that can only deny, and that no rule, hook, mode or person can lift.

A guard returns the reason for its denial, or None. Guards run before permission, on typed arguments, with paths
seen as the system sees them: links followed, contained by parts and never by a string prefix.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.messages import JsonObject
from cellwright.permission.decision import Mode
from cellwright.tool import Tool

CREDENTIALS = frozenset({".ssh", ".aws", ".azure", ".gnupg", ".kube", ".docker", ".netrc", ".pgpass", ".config/gcloud"})
"""Folders and files, below any other, that hold keys and passwords."""

Guard = Callable[[Tool, JsonObject, Env, Mode], str | None]


def inside_working_folder(tool: Tool, args: JsonObject, env: Env, mode: Mode) -> str | None:
    """Every path lies in the working folder once links are followed."""
    for given, _ in _paths(tool, args, env):
        try:
            env.path(given)
        except ToolError as error:
            return error.message
    return None


def no_credentials(tool: Tool, args: JsonObject, env: Env, mode: Mode) -> str | None:
    """No path leads into a folder that holds keys and passwords."""
    for given, path in _paths(tool, args, env):
        parts = path.parts[len(env.cwd.parts) :]
        names = {*parts, *("/".join(pair) for pair in pairwise(parts))}
        if names & CREDENTIALS:
            return f"{given!r} is a place for credentials, which tools never touch; work without it"
    return None


def read_only_in_plan_mode(tool: Tool, args: JsonObject, env: Env, mode: Mode) -> str | None:
    """Plan mode runs read-only tools only."""
    if mode == "plan" and not tool.trait("read_only", args):
        return f"in plan mode only read-only tools run, and {tool.name} is not; present the plan as your answer"
    return None


GUARDS: list[Guard] = [inside_working_folder, no_credentials, read_only_in_plan_mode]


def _paths(tool: Tool, args: JsonObject, env: Env) -> Iterator[tuple[str, Path]]:
    for name in tool.paths:
        given = args.get(name)
        if isinstance(given, str):
            yield given, _real(env.cwd, given)


def _real(cwd: Path, given: str) -> Path:
    try:
        return (cwd / given).resolve()
    except (OSError, RuntimeError, ValueError):
        return cwd
