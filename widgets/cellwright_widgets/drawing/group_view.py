"""Draws several views under one title.

A notebook that ran may have put out two hundred things. The first of them are shown, the others stand in a fold that
says how many they are and of what kinds. The rule that must never break: what is not drawn at all is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from cellwright.text.quantity import quantity
from cellwright.views.view import Group, View
from cellwright_widgets.drawing.brush import Brush
from cellwright_widgets.drawing.fold import fold, missing
from cellwright_widgets.drawing.node import Node, element

MAX_VIEWS = 200
"""Views of one group that are drawn."""
SHARE = 4
"""So many times fewer views are shown at once than lines."""
SLACK = 3
"""A fold that would hide fewer views is not worth a click."""


def draw_group(view: Group, brush: Brush, draw: Callable[[View, Brush], Node]) -> Node:
    """The title and each view; `draw` draws one of any kind."""
    title = [element("h4", "cw-title", brush.mark(view.title))] if view.title else []
    shown = brush.lines // SHARE
    if len(view.views) <= shown + SLACK:
        return element("section", "cw-group", *title, *(draw(inner, brush) for inner in view.views))
    hidden, left = view.views[shown:MAX_VIEWS], len(view.views) - MAX_VIEWS
    rest = fold(_summary(hidden), *(draw(inner, brush) for inner in hidden), name="group")
    more = [missing(f"{left:,} more parts are not drawn; the log holds them")] if left > 0 else []
    return element("section", "cw-group", *title, *(draw(inner, brush) for inner in view.views[:shown]), rest, *more)


def _summary(views: Sequence[View]) -> str:
    """How many there are, and of what kinds."""
    kinds = Counter(view.kind.replace("_", " ") for view in views)
    return f"{quantity(len(views), 'more part')}: {', '.join(f'{count:,} {kind}' for kind, count in kinds.items())}"
