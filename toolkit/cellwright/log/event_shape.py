"""What each kind of event must hold, for whoever reads a log that may have been changed.

A log is a text, and people and programs edit texts. Whoever reads on in one whose events lack something finds out in
the middle of a drawing or a run. So each event is held against its shape when its line is read, and a log that does not
fit is refused there, with the line. The rule that must never break: what this Cellwright writes fits, and what fits can
be told.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import UnionType

from cellwright.log.events import Kind

Shape = type | UnionType | list["Shape"] | tuple["Shape"] | dict[str, "Shape"]
"""A type; a list or (a tuple of one) an object of values of one shape; an object that has these names."""
NUMBER = int | float
SOME_TEXT = str | None
CALL: Shape = {"id": str, "name": str, "arguments": str}
IMAGES: Shape = [{"media_type": str, "data": str}]
FILE: Shape = {"path": str, "versions": (str,), "unread": list | None, "unnumbered": list | None}
KEPT: Shape = {"tool": str, "spilled": {"call_id": str, "path": str}}
UNDO: Shape = {"id": str, "name": str, "files": [str], "text": str}
TEXT: Shape = {"text": str}
HALT: Shape = {"before": str, "why": str}
SHAPES: Mapping[Kind, Shape] = {
    "run_started": {"run": str, "prompt": str, "model": str, "mode": str, "cwd": str},
    "system": TEXT,
    "earlier": {"run": str, "messages": list | int, "found": [str], "folder": str, "files": [FILE], "kept": [KEPT],
                "todo": dict, "kernels": [str]},
    "tools": {"digest": str, "names": [str], "definitions": (str,)},
    "turn_started": {"turn": int},
    "message": {"turn": int, "text": str, "thinking": str, "calls": [CALL], "stop": str, "usage": (NUMBER,),
                "sealed": [dict], "cost": NUMBER | None},
    "call": CALL,
    "arguments": {"id": str, "args": dict, "repairs": [str], "by": str},
    "hook": {"hook": str, "event": str, "answer": str, "reason": str},
    "decision": {"id": str, "decision": str, "by": str, "reason": str},
    "question": {"id": str, "name": str},
    "answer": {"id": str, "answer": str, "reason": str},
    "executing": {"id": str},
    "effect": {"id": str, "name": str},
    "result": {"id": str, "name": str, "ok": bool, "error_type": SOME_TEXT, "content": str, "metadata": dict,
               "view": dict | None, "images": IMAGES, "context": str},
    "seen": {"files": [FILE]},
    "tools_changed": {"digest": str, "added": [str], "gone": [str], "changed": [str], "text": str},
    "conditions": {"mode": str, "changed": [str], "by": str},
    "undone": UNDO,
    "redone": UNDO,
    "compacted": {"put_away": (str,), "summary": SOME_TEXT, "first_kept": int, "text": str},
    "paused": HALT,
    "continued": HALT,
    "steered": TEXT,
    "note": TEXT,
    "run_ended": {"stop_reason": str, "answer": str, "error": str, "steps": int, "usage": (NUMBER,),
                  "cost": NUMBER | None},
}  # fmt: skip


def misfit(kind: Kind, data: object) -> str:
    """The place in the data of an event at which it does not fit; nothing if it does, or the kind is not known."""
    shape = SHAPES.get(kind)
    place = None if shape is None else _misfit(shape, data)
    return "" if place is None else f"data{place}"


def _misfit(shape: Shape, value: object) -> str | None:
    """The way to the place, empty for the value itself; None if all fits."""
    match shape:
        case type() | UnionType():
            return None if isinstance(value, shape) else ""
        case dict():
            if not isinstance(value, dict):
                return ""
            for name, inner in shape.items():
                place = _misfit(inner, value[name]) if name in value else ""
                if place is not None:
                    return f".{name}{place}"
        case list():
            if not isinstance(value, list):
                return ""
            for number, each in enumerate(value):
                place = _misfit(shape[0], each)
                if place is not None:
                    return f"[{number}]{place}"
        case tuple():
            if not isinstance(value, dict):
                return ""
            for name, each in value.items():
                place = _misfit(shape[0], each)
                if place is not None:
                    return f"[{str(name)[:40]!r}]{place}"
    return None
