"""JSON data as a person sees it: a tree of keys and values, of which large parts are not in the view but counted.

A tool can return a document of a megabyte. Its view holds the upper levels and the first children of each; where the
rest can still be had, `source` names the whole document on the run's shelf (`shelf.py`). The rule that must never
break: a branch says how many children it has, whether they are there or not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from msgspec import Struct

from cellwright.text.visible_text import is_hidden, mark_hidden

CHILDREN = 50
"""Children of one branch that are taken at once."""
VALUES = 150
"""Values in a view, about."""
LEVELS = 12
"""Levels in a view."""
VALUE_LENGTH = 2_000
"""Characters of one text in a view."""
PATH_STEPS = 200

Step = str | int
"""A key of an object, or a place in a list."""
Leaf = tuple[Literal["value"], Any, int]
"""A value without parts, and how many characters of its text were cut."""
Branch = tuple[Literal["object", "list"], int, tuple[tuple[Step, Any], ...]]
"""How many children there are, and those that are here, each a leaf or a branch."""


class Tree(Struct, frozen=True):
    """JSON data, or the upper part of it."""

    root: Any
    """A leaf or a branch."""
    source: str = ""
    """The name of the whole on the shelf of the run; empty where there is no more than this."""
    kind: Literal["tree"] = "tree"

    @property
    def has_more(self) -> bool:
        """Whether something is not in it."""
        return any(_is_cut(node) for node in _nodes(self.root))


def tree_view(value: object) -> Tree:
    """The upper part of JSON data."""
    return Tree(_excerpt(value, LEVELS, VALUES, 0))


def branch_at(value: Any, path: Sequence[Step], start: int) -> Branch:  # noqa: ANN401 (JSON is what it is)
    """The children from `start` on of what stands at a path in JSON data.

    Raises:
        LookupError: if there is nothing, or nothing with children.
    """
    for step in path[:PATH_STEPS]:
        if not isinstance(value, dict if isinstance(step, str) else list):
            raise LookupError(f"there is no {step!r} in it")
        parts: Any = value
        value = parts[step]
    if not isinstance(value, dict | list):
        raise LookupError("it has no parts")
    node: Branch = _excerpt(value, 3, VALUES, max(0, start))
    return node


def path_text(path: Sequence[Step]) -> str:
    """A path as Python writes it. It is copied into cells, so nothing in it is hidden there, either."""
    written = "value" + "".join(f"[{json.dumps(step, ensure_ascii=False)}]" for step in path)
    return "".join(char.encode("unicode_escape").decode() if is_hidden(char) else char for char in written)


def tree_text(view: Tree) -> str:
    """The tree for a terminal or a log, a value on each line."""
    return "\n".join(_lines("", view.root, ""))


def values_in(value: object) -> int:
    """How many values JSON data holds."""
    count, waiting = 0, [value]
    while waiting:
        one = waiting.pop()
        count += 1
        waiting += one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
    return count


def _excerpt(value: object, levels: int, room: int, start: int) -> Any:  # noqa: ANN401 (a leaf or a branch)
    """A value with about as many values in it as there is room for, shared alike by its children."""
    if isinstance(value, dict | list):
        named = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
        count = min(CHILDREN, max(2, room // 3)) if levels > 0 and room > 0 else 0
        taken = named[start : start + count]
        share = (room - len(taken)) // max(1, len(taken))
        children = tuple((step, _excerpt(child, levels - 1, share, 0)) for step, child in taken)
        return "object" if isinstance(value, dict) else "list", len(value), children
    if isinstance(value, str) and len(value) > VALUE_LENGTH:
        return "value", value[:VALUE_LENGTH], len(value) - VALUE_LENGTH
    return "value", value, 0


def _nodes(node: Any) -> Iterator[Any]:  # noqa: ANN401 (a leaf or a branch)
    yield node
    if node[0] != "value":
        for _, child in node[2]:
            yield from _nodes(child)


def _is_cut(node: Any) -> bool:  # noqa: ANN401 (a leaf or a branch)
    return node[0] != "value" and bool(node[1] > len(node[2]))


def _lines(name: str, node: Any, indent: str) -> Iterator[str]:  # noqa: ANN401 (a leaf or a branch)
    if node[0] == "value":
        more = f" … {node[2]:,} more characters" if node[2] else ""
        yield f"{indent}{name}{mark_hidden(json.dumps(node[1], ensure_ascii=False))}{more}"
        return
    kind, count, children = node
    yield f"{indent}{name}" + (f"{{{count:,}}}" if kind == "object" else f"[{count:,}]")
    for step, child in children:
        yield from _lines(mark_hidden(f"{step}") + ": ", child, indent + "  ")
    if count > len(children):
        yield f"{indent}  … {count - len(children):,} more"
