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
from cellwright.schema import json_type
from cellwright.tool import Tool

CREDENTIALS = frozenset({".ssh", ".aws", ".azure", ".gnupg", ".kube", ".docker", ".netrc", ".pgpass", ".config/gcloud"})
"""Folders and files, anywhere below the working folder and in any case, that hold keys and passwords."""

Guard = Callable[[Tool, JsonObject, Env, Mode], str | None]


def inside_working_folder(tool: Tool, args: JsonObject, env: Env, mode: Mode) -> str | None:
    """Every path lies in the working folder once links are followed."""
    for given in _paths(tool, args):
        try:
            env.path(given)
        except ToolError as error:
            return error.message
    return None


def no_credentials(tool: Tool, args: JsonObject, env: Env, mode: Mode) -> str | None:
    """No path leads into a folder that holds keys and passwords. Runs after the guard that follows the paths."""
    for given in _paths(tool, args):
        parts = [part.casefold() for part in env.path(given).relative_to(env.cwd).parts]
        if CREDENTIALS & {*parts, *("/".join(pair) for pair in pairwise(parts))}:
            return f"{given!r} is a place for credentials, which tools never touch; work without it"
    return None


def read_only_in_plan_mode(tool: Tool, args: JsonObject, env: Env, mode: Mode) -> str | None:
    """Plan mode runs read-only tools only."""
    if mode == "plan" and not tool.trait("read_only", args):
        return f"in plan mode only read-only tools run, and {tool.name} is not; present the plan as your answer"
    return None


def real_paths(tool: Tool, args: JsonObject, env: Env) -> tuple[Path, ...]:
    """Where the paths in the arguments lead now; once this changes, what the guards said is worth nothing.

    Raises:
        ToolError: what `env.path` raises.
    """
    return tuple(env.path(given) for given in _paths(tool, args))


GUARDS: list[Guard] = [inside_working_folder, no_credentials, read_only_in_plan_mode]


def _paths(tool: Tool, args: JsonObject) -> Iterator[str]:
    """The paths in the arguments: a text, or the texts of a list. Anything else a guard can't judge, so it fails."""
    for name in tool.paths:
        given = args.get(name)
        for path in given if isinstance(given, list) else [given]:
            if isinstance(path, str):
                yield path
            elif path is not None:
                raise TypeError(f"{name} holds no path but {json_type(path)}")
