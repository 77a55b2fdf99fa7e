"""A model from its name, so that a notebook changes models by changing one line.

`scripted:NAME` is a script that ships with Cellwright, `scripted:FILE.json` one of your own: a list of turns, each a
text or an object with `text`, `thinking` and `calls`. `recorded:FILE` gives the turns of a run's log again. Providers
of real models are not in this version.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cellwright.errors import ModelError
from cellwright.model import Model
from cellwright.recorded_model import RecordedModel
from cellwright.scripted_model import ScriptedModel, Turn

SCRIPTS = {"tour": "cellwright.models.tour_script:tour"}
"""Scripts that ship with Cellwright: a function each that makes the model."""


def model(name: str) -> Model:
    """The model of this name.

    Raises:
        ModelError: if the name says nothing, or the script can't be read.
    """
    match name.partition(":"):
        case ("scripted", _, script) if script in SCRIPTS:
            module, _, attribute = SCRIPTS[script].partition(":")
            make: Callable[[], ScriptedModel] = getattr(importlib.import_module(module), attribute)
            return make()
        case ("scripted", _, path) if path:
            return ScriptedModel(_turns(Path(path)), name)
        case ("recorded", _, path) if path:
            return RecordedModel(path)
    known = ", ".join(f"scripted:{script}" for script in SCRIPTS)
    raise ModelError(f"no model {name!r}; there are {known}, scripted:FILE.json and recorded:LOG")


def _turns(path: Path) -> list[str | Turn]:
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
