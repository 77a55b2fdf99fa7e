"""Draws the model's list of steps: what is done, what it works on, what is left.

The rule that must never break: how far a step is stands there as a word, never as a sign or a colour alone.
"""

from __future__ import annotations

from cellwright.views.todo_list import Todo
from cellwright_widgets.drawing.brush import Brush
from cellwright_widgets.drawing.fold import missing
from cellwright_widgets.drawing.node import Node, element, spaced

SIGNS = {"pending": "○", "in_progress": "●", "completed": "✓"}
WORDS = {"pending": "to do", "in_progress": "in progress", "completed": "done"}
MAX_STEPS = 200
"""Steps that are drawn; the tool takes fewer, a log may hold more."""


def draw_todo(view: Todo, brush: Brush) -> Node:
    """How far it is, and each step."""
    left = len(view.items) - MAX_STEPS
    rest = [missing(f"{left:,} more steps are not drawn; the log holds them")] if left > 0 else []
    steps = [_step(content, status, brush) for content, status in view.items[:MAX_STEPS]]
    listed = [element("ul", "cw-steps", *steps)] if steps else []
    return element("div", "cw-todo", element("p", "cw-todo-head", view.summary), *listed, *rest)


def _step(content: str, status: str, brush: Brush) -> Node:
    known = status if status in WORDS else "pending"
    return element(
        "li",
        f"cw-todo-{known}",
        *spaced(
            element("span", "cw-icon", SIGNS[known], attrs={"aria-hidden": "true"}),
            element("span", "cw-todo-content", brush.mark(content)),
            element("span", "cw-todo-word", WORDS.get(status) or brush.mark(status)),
        ),
    )
