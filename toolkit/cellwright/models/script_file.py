"""A script for a model in a file of JSON: turns that somebody wrote down for a lesson or a test.

It is a list of turns, each a text or an object with `text`, `thinking` and `calls`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cellwright.errors import ModelError
from cellwright.models.scripted_model import Turn


def turns_of(path: Path) -> list[str | Turn]:
    """The turns in a file.

    Raises:
        ModelError: if it can't be read, or a turn in it is none.
    """
    try:
        turns = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError(f"the script {path} can't be read: {error}") from None
    if not isinstance(turns, list):
        raise ModelError(f"the script {path} must hold a JSON list of turns")
    return [_turn(turn, number, path) for number, turn in enumerate(turns, 1)]


def _turn(turn: Any, number: int, path: Path) -> str | Turn:  # noqa: ANN401 (JSON is what it is)
    match turn:
        case str():
            return turn
        case dict() if turn.keys() <= {"text", "thinking", "calls"}:
            match {"text": "", "thinking": "", "calls": [], **turn}:
                case {"text": str(text), "thinking": str(thinking), "calls": [*calls]}:
                    return Turn(text, [_call(call, number, path) for call in calls], thinking)
    raise ModelError(f"turn {number} of {path} is neither a text nor an object of text, thinking and calls (a list)")


def _call(call: Any, number: int, path: Path) -> tuple[str, dict[str, Any] | str]:  # noqa: ANN401 (JSON is what it is)
    match call:
        case {"name": str(name), "arguments": dict() | str() as arguments}:
            return name, arguments
    raise ModelError(f"a call in turn {number} of {path} needs a name and arguments (an object, or raw text)")
