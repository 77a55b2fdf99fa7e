"""Draws several views under one title."""

from __future__ import annotations

from collections.abc import Callable

from cellwright.views import Group, View
from cellwright_widgets.brush import Brush
from cellwright_widgets.fold import missing
from cellwright_widgets.node import Node, element

MAX_VIEWS = 50
"""Views of one group that are drawn."""


def draw_group(view: Group, brush: Brush, draw: Callable[[View, Brush], Node]) -> Node:
    """The title and each view; `draw` draws one of any kind."""
    title = [element("h4", "cw-title", brush.mark(view.title))] if view.title else []
    left = len(view.views) - MAX_VIEWS
    rest = [missing(f"{left:,} more parts are not drawn; the log holds them")] if left > 0 else []
    return element("section", "cw-group", *title, *(draw(inner, brush) for inner in view.views[:MAX_VIEWS]), *rest)
