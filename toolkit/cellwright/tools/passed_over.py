"""The paths in a folder that rules keep a tool from, found before it walks there.

They are found by a walk of their own, since a rule's wildcard crosses folders and no glob says the same. It costs
nothing where no rule speaks of paths. The rule that must never break: a folder that is barred is not looked into.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.text.quantity import quantity

MOST = 1_000
"""Paths that are passed over at most."""


def bars_in(place: Path, env: Env) -> Callable[[str], bool] | None:
    """Whether a rule keeps the tool from a path, seen from a folder; None if there is no such rule."""
    bars = env.bars()
    if bars is None or not place.is_dir():
        return None
    shown = env.shown(place)
    above = "" if shown == "." else f"{shown}/"
    return lambda path: bars(above + path)


def passed_over(place: Path, env: Env) -> list[str]:
    """The barred paths in a folder, seen from it; what lies in a barred folder is not named by itself.

    Raises:
        ToolError: `not_permitted` if there are too many to pass over, `stopped` if the tool is asked to stop.
    """
    bars = bars_in(place, env)
    if bars is None:
        return []
    found: list[str] = []
    waiting = [""]
    while waiting:
        if env.stopping.is_set():  # with half of them known, none may be searched
            raise ToolError("stopped", f"the tool was asked to stop before all paths in {env.shown(place)} were judged")
        inside = waiting.pop()
        with suppress(OSError), os.scandir(place / inside) as entries:
            for entry in entries:
                path = f"{inside}/{entry.name}".lstrip("/")
                if bars(path):
                    found.append(path)
                elif entry.name != ".git" and entry.is_dir(follow_symlinks=False):
                    waiting.append(path)
        if len(found) > MOST:
            raise ToolError(
                "not_permitted",
                f"rules keep this tool from over {MOST:,} paths in {env.shown(place)}; name a folder in it",
            )
    return found


def note(count: int) -> str:
    """What the model is told of them."""
    return f"{quantity(count, 'path')} that rules keep from this tool; name one to have it judged"
