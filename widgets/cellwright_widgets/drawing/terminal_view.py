"""Draws console output: colours stay, a progress bar is in its last state, and nothing it prints can touch the page.

What a program does to a terminal is worked out by `console_screen.py`, what its colour codes mean by `ink.py`; here the
letters become rows, and the inks become classes. The output of a call that still runs stands in a box that is at its
end, as a terminal is; whoever scrolls up in it stays there. The rule that must never break: of output that is too long
the end is drawn, where the outcome stands, and the rest is counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from cellwright.views.view import Terminal, Text
from cellwright_widgets.drawing.brush import APPROVAL, Brush
from cellwright_widgets.drawing.console_screen import Cell, Screen
from cellwright_widgets.drawing.fold import folded_rows, missing
from cellwright_widgets.drawing.node import Node, element
from cellwright_widgets.drawing.text_view import draw_text

BOX = "cw-pre cw-console"


def draw_terminal(view: Terminal, brush: Brush) -> Node:
    """The output as its reader last saw it; where a person is asked about it, each letter and code of it."""
    if brush is APPROVAL:
        return draw_text(Text(view.text), brush)
    rows = terminal_rows(view.text, brush) if view.text.strip() else [missing("no output")]
    return element("div", "cw-terminal", *rows)


def draw_running(text: str, brush: Brush) -> Node:
    """The output so far, in a box that is at its end (`static/sheet.js`)."""
    note, rows = _rows(text, brush)
    return element("div", "cw-terminal cw-follow", element("div", "", *note, element("pre", BOX, *rows)))


def terminal_rows(text: str, brush: Brush) -> list[Node]:
    """Console text as blocks of rows."""
    note, rows = _rows(text, brush)
    return [*note, *folded_rows(rows, brush, BOX)]


def _rows(text: str, brush: Brush) -> tuple[list[Node], list[Node]]:
    left = len(text) - brush.characters
    note: list[Node] = [missing(f"the first {left:,} characters are not drawn; the log holds them")] if left > 0 else []
    lines = Screen(text[max(0, left) :]).lines
    return note, [element("span", "", *_spans(line, brush), "\n") for line in lines]


def _spans(cells: list[Cell], brush: Brush) -> Iterator[Node]:
    for ink, run in groupby(cells, key=lambda cell: cell[1]):
        text = brush.mark("".join(letter for letter, _ in run))
        yield element("span", ink.classes, text) if ink.classes else text
