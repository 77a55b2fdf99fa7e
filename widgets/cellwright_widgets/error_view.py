"""Draws a failure: its type, its message, and the long detail (a traceback) folded."""

from __future__ import annotations

from cellwright.views import Failure
from cellwright_widgets.brush import Brush
from cellwright_widgets.fold import fold
from cellwright_widgets.node import Node, element, spaced
from cellwright_widgets.terminal_view import terminal_rows
from cellwright_widgets.text_view import text_rows


def draw_error(view: Failure, brush: Brush) -> Node:
    """The failure; its detail may hold colours, as tracebacks of IPython do."""
    kind = element("strong", "cw-error-type", brush.mark(view.error_type))
    first, newline, more = view.message.partition("\n")
    parts: list[Node] = [element("p", "cw-error-line", *spaced(kind, brush.mark(first[: brush.line])))]
    if newline or len(first) > brush.line:
        parts += text_rows(first[brush.line :] + more, brush, "cw-pre")
    if view.detail:
        parts.append(fold("detail", *terminal_rows(view.detail, brush), name="detail"))
    return element("div", "cw-error", *parts)
