"""Folds: parts of a drawing that open on a click.

A long text is shown with its head and its tail, and the middle in a fold that says how much it holds; no script is
needed, `<details>` also works in a saved page. The rule that must never break: nothing is left out in silence.
"""

from __future__ import annotations

from collections.abc import Sequence

from cellwright_widgets.drawing.brush import Brush
from cellwright_widgets.drawing.node import Element, Node, element

TAIL = 8
"""Lines shown after a folded middle: a harmful last line is never inside the fold."""
SLACK = 10
"""A fold that would hide fewer lines is not worth a click."""


def fold(summary: Node, *children: Node, name: str = "", is_open: bool = False) -> Element:
    """A part that opens on a click. One with a name stays as the person left it when its card is drawn anew."""
    attrs = {**({"data-fold": name} if name else {}), **({"open": ""} if is_open else {})}
    return element("details", "cw-fold", element("summary", "", summary), *children, attrs=attrs)


def folded_rows(rows: Sequence[Node], brush: Brush, cls: str) -> list[Node]:
    """Rows (each ends its own line) as one block, or as head, folded middle and tail if there are many."""
    if len(rows) <= brush.lines + SLACK:
        return [element("pre", cls, *rows)]
    head, middle, tail = rows[: brush.lines - TAIL], rows[brush.lines - TAIL : -TAIL], rows[-TAIL:]
    return [
        element("pre", cls, *head),
        fold(f"{len(middle):,} more lines", element("pre", cls, *middle)),
        element("pre", cls, *tail),
    ]


def bounded(text: str, brush: Brush) -> tuple[str, list[Node]]:
    """The text as far as it is drawn, and what is said of the rest."""
    left = len(text) - brush.characters
    if left <= 0:
        return text, []
    return text[: brush.characters], [missing(f"{left:,} more characters are not drawn; the log holds them")]


def missing(sentence: str) -> Element:
    """A line that says what is not shown."""
    return element("p", "cw-missing", sentence)


def clipped_line(line: str, brush: Brush) -> Node:
    """A line, its middle in an inline fold if it is very long."""
    if len(line) <= brush.line:
        return brush.mark(line)
    head, tail = brush.line * 3 // 5, brush.line // 5
    middle = line[head:-tail]
    return element(
        "span",
        "",
        brush.mark(line[:head]),
        fold(f"⟨{len(middle):,} more characters⟩", brush.mark(middle)),
        brush.mark(line[-tail:]),
    )
