"""The arguments of a call in one line, the telling ones first.

A run of a hundred calls is read by their first lines alone, in a page and in a terminal. The rule that must never
break: the line is short, whatever the arguments are; hidden characters in it are for the one who shows it to name.
"""

from __future__ import annotations

import json

from cellwright.messages import JsonObject
from cellwright.text.quantity import quantity

KEYS = ("command", "question", "pattern", "query", "path", "cell_id", "url", "code", "task", "plan", "name")
"""Arguments that tell most of a call, in this order; they come first."""
BRIEF = 160
"""Characters of the line."""


def args_brief(args: JsonObject) -> str:
    """The line."""
    names = sorted(args, key=lambda name: KEYS.index(name) if name in KEYS else len(KEYS))
    parts = []
    for index, name in enumerate(names):
        text = " ".join(_brief(args[name])[:400].split())
        short = text if len(text) <= 60 or index == 0 else text[:59] + "…"
        parts.append(short if index == 0 and name in KEYS else f"{name}: {short}")
    line = " · ".join(parts)
    return line if len(line) <= BRIEF else line[: BRIEF - 1] + "…"


def _brief(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        return quantity(len(value), "item")
    return json.dumps(value, ensure_ascii=False)
