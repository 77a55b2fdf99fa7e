"""Draws a page of rows, and says how many rows and columns there are beyond it.

Numbers, and the names over them, stand right-aligned; a long cell is clipped and opens on a click. The table scrolls
inside its own box, so a wide one never widens the page.
"""

from __future__ import annotations

from cellwright.codec import canonical
from cellwright.views import Table
from cellwright_widgets.brush import Brush
from cellwright_widgets.fold import fold, missing
from cellwright_widgets.node import Element, Node, element

CLIP = 80
"""Characters of a cell that are shown at once."""
DEPTH = 30
"""Rows shown at once; the others of the page are folded."""


def draw_table(view: Table, brush: Brush) -> Node:
    """The table with its counts."""
    head = element("tr", "", *(_name(view, place, brush) for place in range(len(view.columns))))
    rows = [element("tr", "", *(_cell(value, brush) for value in row)) for row in view.rows]
    shown: list[Node] = [_sheet(head, rows[: DEPTH + 5] if len(rows) <= DEPTH + 5 else rows[:DEPTH])]
    if len(rows) > DEPTH + 5:
        shown.append(fold(f"{len(rows) - DEPTH} rows more of this page", _sheet(head, rows[DEPTH:])))
    counts = _counts(view)
    return element("div", "cw-table-box", *shown, *([missing(counts)] if counts else []))


def _sheet(head: Element, rows: list[Element]) -> Node:
    table = element("table", "cw-table", element("thead", "", head), element("tbody", "", *rows))
    return element("div", "cw-scroll", table)


def _counts(view: Table) -> str:
    more_rows = view.total - len(view.rows)
    parts = [f"{more_rows:,} more rows"] if more_rows > 0 else []
    if view.hidden_columns > 0:
        parts.append(f"{view.hidden_columns:,} more columns")
    if not view.rows and not parts:
        parts.append("no rows")
    return " · ".join(parts)


def _name(view: Table, place: int, brush: Brush) -> Element:
    """The name of a column, on the side on which its values stand."""
    values = [row[place] for row in view.rows if place < len(row) and row[place] is not None]
    numbers = bool(values) and all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
    name = _clip(view.columns[place], brush)
    return element("th", "cw-number" if numbers else "", name, attrs={"scope": "col"})


def _cell(value: object, brush: Brush) -> Element:
    match value:
        case None:
            return element("td", "cw-null", "–", attrs={"title": "null"})
        case bool():
            return element("td", "", str(value).lower())
        case int() | float():
            return element("td", "cw-number", str(value))
        case str():
            return element("td", "", _clip(value, brush))
    return element("td", "", _clip(canonical(value), brush))


def _clip(text: str, brush: Brush) -> Node:
    marked = brush.mark(text)
    if len(marked) <= CLIP:
        return marked
    return fold(marked[: CLIP - 20] + "…", element("div", "cw-cell", marked[: brush.characters // 10]))
