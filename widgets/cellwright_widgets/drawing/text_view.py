"""Draws plain text: as it is, hidden characters named, long texts folded."""

from __future__ import annotations

from cellwright.views.view import Text
from cellwright_widgets.drawing.brush import Brush
from cellwright_widgets.drawing.fold import bounded, clipped_line, folded_rows
from cellwright_widgets.drawing.node import Node, element


def draw_text(view: Text, brush: Brush) -> Node:
    """The text in a block that keeps its line breaks and wraps."""
    return element("div", "cw-text", *text_rows(view.text, brush, "cw-pre"))


def text_rows(text: str, brush: Brush, cls: str) -> list[Node]:
    """A text as blocks of rows. Blank runs that cross lines are counted before it is split."""
    shown, rest = bounded(text, brush)
    lines = shown.replace("\r\n", "\n").split("\n")
    if not any(len(line) > brush.line for line in lines):
        lines = brush.mark("\n".join(lines)).split("\n")
        return [*folded_rows([line + "\n" for line in lines], brush, cls), *rest]
    rows: list[Node] = [element("span", "", clipped_line(line, brush), "\n") for line in lines]
    return [*folded_rows(rows, brush, cls), *rest]
