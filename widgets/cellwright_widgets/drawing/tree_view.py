"""Draws JSON data as a tree that folds: the key, what it is, the value, and how many there are in each branch.

Each branch is a `<details>`, so it folds in a saved page too. Children that are not in the view are asked for when the
person wants them, where the kernel still has the document. The rule that must never break: a key or a value is text,
and what kind of value it is can be seen without its colour.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from cellwright.views.shelf import Shelf
from cellwright.views.tree import PATH_STEPS, Branch, Step, Tree, branch_at, path_text
from cellwright_widgets.drawing.brush import TRANSCRIPT, Brush
from cellwright_widgets.drawing.control import MAX_PRESS, button, copy_button, part
from cellwright_widgets.drawing.fold import clipped_line, missing
from cellwright_widgets.drawing.node import Node, element, spaced
from cellwright_widgets.drawing.press import Answer, Press

ANSWERER = "tree"
"""Who answers the controls."""
FEW = 8
"""Children of a branch below the root that opens by itself."""
COPIED = 500
"""Characters of a path that can be copied."""


def draw_tree(view: Tree, brush: Brush) -> Node:
    """The tree from its root."""
    return element("div", "cw-tree", _node("", view.root, (), view.source, brush))


class TreeBranches:
    """Answers the controls of the trees whose documents are on a shelf."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    def answer(self, press: Press) -> Answer:
        """The next children of a branch.

        Raises:
            LookupError: if the document is no longer kept, or has no such branch.
        """
        source, start = str(press.facts.get("source")), press.facts.get("from")
        path, begin = _path(press.facts.get("path")), start if isinstance(start, int) else 0
        kept = self._shelf.thing(source)
        branch = branch_at(kept.mask(kept.thing), path, begin)
        return element("div", "", *_children(branch, path, begin, source, TRANSCRIPT))


def _path(given: object) -> tuple[Step, ...]:
    steps = given if isinstance(given, list) else []
    return tuple(step for step in steps[:PATH_STEPS] if isinstance(step, str | int) and not isinstance(step, bool))


def _node(name: str, node: Any, path: tuple[Step, ...], source: str, brush: Brush) -> Node:  # noqa: ANN401 (leaf or branch)
    key: list[Node] = [element("span", "cw-key", clipped_line(name, brush)), ": "] if path else []
    if node[0] == "value":
        return element("div", "cw-leaf", *key, *_value(node[1], node[2], brush), " ", *_copy(path))
    kind, count, children = node
    signs, word = ("{}", "keys") if kind == "object" else ("[]", "items")
    said = f"{count:,} {word if count != 1 else word[:-1]}"
    head = spaced(element("span", "cw-tree-sign", signs), element("span", "cw-tree-count", said), *_copy(path))
    if not count:
        return element("div", "cw-leaf", *key, *head)
    is_open = not path or (len(path) < 3 and count <= FEW and bool(children))
    attrs = {"data-fold": path_text(path)[:COPIED], **({"open": ""} if is_open else {})}
    below = element("div", "cw-twigs", *_children(node, path, 0, source, brush))
    return element("details", "cw-branch", element("summary", "", *key, *head), below, attrs=attrs)


def _copy(path: tuple[Step, ...]) -> list[Node]:
    """What copies the path, unless that is longer than anyone would type."""
    said = path_text(path)
    return [copy_button("⧉", said, "copy the path")] if len(said) < COPIED else []


def _children(branch: Branch, path: tuple[Step, ...], start: int, source: str, brush: Brush) -> list[Node]:
    """The children that are here, and a way to those that are not."""
    _, count, here = branch
    end = start + len(here)
    rest = [_rest(path, end, count, source)] if end < count else []
    return [*(_node(str(step), child, (*path, step), source, brush) for step, child in here), *rest]


def _rest(path: Sequence[Step], end: int, count: int, source: str) -> Node:
    words = missing(f"{count - end:,} more")
    press = {"to": ANSWERER, "source": source, "path": list(path), "from": end}
    if not source or len(json.dumps(press)) > MAX_PRESS:
        return words
    return part(f"{path_text(path)}-{end}", "cw-tree-rest", words, button("Show", "more", press))


def _value(value: object, cut: int, brush: Brush) -> Iterator[Node]:
    match value:
        case str():
            yield element("span", "cw-k-string", clipped_line(json.dumps(value, ensure_ascii=False), brush))
        case None:
            yield element("span", "cw-null", "null")
        case bool():
            yield element("span", "cw-k-keyword", str(value).lower())
        case _:
            yield element("span", "cw-k-number", str(value))
    if cut:
        yield element("span", "cw-missing", f" … {cut:,} more characters")
