"""Draws a failure: its type, its message, and the long detail (a traceback) folded."""

from __future__ import annotations

from cellwright.views.view import Failure
from cellwright_widgets.drawing.brush import Brush
from cellwright_widgets.drawing.fold import clipped_line, fold
from cellwright_widgets.drawing.node import Node, element, spaced
from cellwright_widgets.drawing.terminal_view import terminal_rows
from cellwright_widgets.drawing.text_view import text_rows


def draw_error(view: Failure, brush: Brush) -> Node:
    """The failure, or its message alone if no type is given; a detail may hold colours, as IPython's tracebacks do."""
    kind = [element("strong", "cw-error-type", brush.mark(view.error_type))] if view.error_type else []
    first, _, more = view.message.rstrip("\n").partition("\n")
    # no <p>: a browser ends it where the fold of a long line begins
    parts: list[Node] = [element("div", "cw-error-line", *spaced(*kind, clipped_line(first, brush)))]
    if more:
        parts += text_rows(more, brush, "cw-pre")
    if view.detail:
        parts.append(fold("detail", *terminal_rows(view.detail, brush), name="detail"))
    return element("div", "cw-error", *parts)
