"""The operations of a call, of which a person may leave some out.

A patch of a notebook holds several edits, and a person may want four of five. To deny it all costs a turn and loses the
four; to edit JSON by hand is work. So a tool says which parameter lists its operations, the question names each in a
line, and the person answers with the numbers of those that may be done. What runs then is a call like any other: its
arguments are checked again from the start, and the model is told what was left out.

The rule that must never break: the operations that stay are those of the call, in their order, letter for letter.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from cellwright.messages import JsonObject
from cellwright.text.quantity import quantity
from cellwright.tool import Tool

FIRST = ("edit_mode", "cell_id", "target_id", "old_string", "new_string")
"""Fields that tell most of an operation, in this order."""
SHORT = 60
"""Characters of one field in a line."""
LINE = 200
"""Characters of a line."""


def operations_of(tool: Tool, args: JsonObject) -> tuple[str, ...]:
    """A line for each operation of a call; none where there is nothing to choose from."""
    listed = args.get(tool.operations) if tool.operations else None
    return tuple(map(_line, listed)) if isinstance(listed, list) and len(listed) > 1 else ()


def only(tool: Tool, args: JsonObject, kept: Iterable[int]) -> JsonObject:
    """The arguments with these of their operations alone, by number from 1."""
    listed, wanted = args[tool.operations], set(kept)
    return {**args, tool.operations: [one for number, one in enumerate(listed, 1) if number in wanted]}


def left_out(operations: Sequence[str], kept: Iterable[int]) -> str:
    """What the model is told: which operations were not done, and that they are not to be tried again as they were."""
    stay = set(kept)
    gone = [f"{number} ({line})" for number, line in enumerate(operations, 1) if number not in stay]
    count = quantity(len(gone), "operation")
    return f"The person left out {count} of {len(operations)}: {'; '.join(gone)}. Don't send them again unchanged."


def _line(operation: object) -> str:
    """The fields of an operation in one line."""
    if not isinstance(operation, dict):
        return _short(operation, LINE)
    names = sorted(operation, key=lambda name: FIRST.index(name) if name in FIRST else len(FIRST))
    fields = [f"{name}: {_short(operation[name], SHORT)}" for name in names if operation[name] is not None]
    return _short(" · ".join(fields), LINE)


def _short(value: object, limit: int) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = text[: 10 * limit].replace("\n", "⏎")
    return text if len(text) <= limit else text[: limit - 1] + "…"
