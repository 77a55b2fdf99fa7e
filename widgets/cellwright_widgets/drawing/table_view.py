"""Draws a page of a table: what stands in its columns, which rows these are, and how many there are beyond them.

Numbers, and the names over them, stand right-aligned, rounded as one reads down a column, with the exact value as the
cell's title; a long cell is clipped and opens on a click. The table scrolls inside its own box, so a wide one never
widens the page. Where all rows are at hand in the kernel it has controls to
sort, filter, page and copy (`table_pages.py` answers them). No data-grid library draws it: those looked at (Grid.js,
SlickGrid, Tabulator, AG Grid) have 50 KB to 2 MB of script, which each widget would carry in its own state, write parts
of the page by `innerHTML`, and leave nothing in a saved notebook. A page of 50 rows needs none of their scrolling, and
a plain `<table>` is what screen readers know best. The rule that must never break: what is not shown is counted.
"""

from __future__ import annotations

from collections.abc import Iterator

from cellwright.codec import canonical
from cellwright.messages import JsonObject
from cellwright.views.table import TABLE_COLUMNS, TABLE_ROWS, Page, Table, legible_table
from cellwright_widgets.drawing.brush import Brush
from cellwright_widgets.drawing.control import button, field, part
from cellwright_widgets.drawing.fold import fold, missing
from cellwright_widgets.drawing.node import Element, Node, element, spaced

CLIP = 80
"""Characters of a cell that are shown at once."""
DEPTH = 30
"""Rows shown at once where no other page can be had; the others of the page are folded."""
LABELS = {"integer": "int", "number": "num", "bool": "bool", "date": "date", "text": "text"}
"""What stands over a column, by what it holds."""
NUMERIC = ("integer", "number")
ANSWERER = "table"
"""Who answers the controls."""


def draw_table(view: Table, brush: Brush) -> Node:
    """The first page with its counts."""
    return draw_page(Page(view, matching=view.total), brush)


def draw_page(page: Page, brush: Brush) -> Node:
    """A page, with its controls if there are others."""
    view = page.table
    names = [_name(page, place, brush) for place in range(len(view.columns))]
    kinds = view.kinds or ("",) * len(names)
    pairs = zip(view.rows, legible_table(view).rows, strict=True)
    rows = [element("tr", "", *(_cell(*one, brush) for one in zip(*pair, kinds, strict=False))) for pair in pairs]
    if not view.source:
        head = element("tr", "", *names)
        shown: list[Node] = [_sheet(head, rows[: DEPTH + 5] if len(rows) <= DEPTH + 5 else rows[:DEPTH])]
        if len(rows) > DEPTH + 5:
            shown.append(fold(f"{len(rows) - DEPTH} rows more of this page", _sheet(head, rows[DEPTH:])))
        below = [missing(words) for words in (_counts(view), brush.mark(view.note)) if words]
        return element("div", "cw-table-box", *shown, *below)
    head = element("tr", "", element("th", "cw-number", "#", attrs={"scope": "col", "aria-label": "row"}), *names)
    for number, row in enumerate(rows, page.start + 1):
        row[2].insert(0, element("th", "cw-number cw-row-number", f"{number:,}", attrs={"scope": "row"}))
    return part(view.source, "cw-table-box", _tools(page, brush), _sheet(head, rows), *_empty(page))


def _sheet(head: Element, rows: list[Element]) -> Node:
    table = element("table", "cw-table", element("thead", "", head), element("tbody", "", *rows))
    return element("div", "cw-scroll", table)


def _tools(page: Page, brush: Brush) -> Node:
    """What can be done with the table, and where in it this page is."""
    end = page.start + len(page.table.rows)
    rows = f"{page.start + 1:,}–{end:,} of {page.matching:,} rows" if end > page.start else "no rows"
    if page.order.filter:
        rows += f" that match, of {page.table.total:,}"
    last = max(0, (page.matching - 1) // TABLE_ROWS * TABLE_ROWS)
    steps = (
        ("«", "start", "first page", 0, page.start == 0),
        ("‹", "back", "page before", max(0, page.start - TABLE_ROWS), page.start == 0),
        ("›", "on", "next page", page.start + TABLE_ROWS, end >= page.matching),
        ("»", "end", "last page", last, end >= page.matching),
    )
    turn = [
        button(sign, key, _press(page, start=start), hint=hint, is_off=off) for sign, key, hint, start, off in steps
    ]
    copies = [
        button(f"Copy {form.upper()}", form, _press(page, do=form), hint=f"copy these rows as {form.upper()}")
        for form in ("tsv", "csv")
    ]
    search = field(_filter_hint(page.table), "filter", _press(page, do="filter"), brush.mark(page.order.filter))
    where = element("span", "cw-table-where", rows)
    parts = spaced(
        search, where, element("span", "cw-keys", *turn), *_columns(page), element("span", "cw-keys", *copies)
    )
    return element("div", "cw-table-tools", *parts)


def _filter_hint(view: Table) -> str:
    """What can be typed, with a column that there is."""
    named = zip(view.columns, view.kinds, strict=False)
    numeric = (name for name, kind in named if kind in NUMERIC and name.isidentifier() and len(name) < CLIP // 4)
    name = next(numeric, "")
    return f"Filter: a word, or {name} > 0" if name else "Filter: a word"


def _columns(page: Page) -> Iterator[Node]:
    """Which columns are shown, where not all of them are."""
    first, count = page.first, len(page.table.columns)
    total = count + page.table.hidden_columns
    if page.table.hidden_columns <= 0:
        return
    yield element("span", "cw-table-where", f"columns {first + 1:,}–{first + count:,} of {total:,}")
    back, on = max(0, first - TABLE_COLUMNS), first + TABLE_COLUMNS
    yield element(
        "span",
        "cw-keys",
        button("‹", "left", _press(page, first=back), hint="columns before", is_off=first == 0),
        button("›", "right", _press(page, first=on), hint="next columns", is_off=on >= total),
    )


def _press(page: Page, **changes: object) -> JsonObject:
    """What a control says: the page as it is, with some of it changed."""
    order = page.order
    now = {"start": page.start, "first": page.first, "sort": order.column, "down": order.descending}
    return {"to": ANSWERER, "source": page.table.source, **now, "filter": order.filter, **changes}


def _empty(page: Page) -> list[Node]:
    return [] if page.table.rows else [missing("no row matches" if page.order.filter else "no rows")]


def _counts(view: Table) -> str:
    more_rows = view.total - len(view.rows)
    parts = [f"{more_rows:,} more rows"] if more_rows > 0 else []
    if view.hidden_columns > 0:
        parts.append(f"{view.hidden_columns:,} more columns")
    if not view.rows and not parts:
        parts.append("no rows")
    return " · ".join(parts)


def _name(page: Page, place: int, brush: Brush) -> Element:
    """The name of a column and what it holds, on the side on which its values stand; pressed, it sorts by them."""
    view = page.table
    kind = view.kinds[place] if place < len(view.kinds) else ""
    is_number = kind in NUMERIC if kind else _holds_numbers(view, place)
    name: list[Node] = [_clip(view.columns[place], brush)]
    if kind in LABELS:
        name += [" ", element("small", "cw-kind", LABELS[kind])]
    attrs = {"scope": "col"}
    if view.source:
        is_by, is_down = page.order.column == page.first + place, page.order.descending
        sign = ("▼" if is_down else "▲") if is_by else "↕"
        then: JsonObject = {"sort": None} if is_by and is_down else {"sort": page.first + place, "down": is_by}
        hint = f"sort by {brush.mark(view.columns[place])[:60]}"
        name += [" ", button(sign, f"sort-{place}", _press(page, **then, start=0), "cw-sort", hint)]
        attrs |= {"aria-sort": "descending" if is_down else "ascending"} if is_by else {}
    return element("th", "cw-number" if is_number else "", *name, attrs=attrs)


def _holds_numbers(view: Table, place: int) -> bool:
    values = [row[place] for row in view.rows if place < len(row) and row[place] is not None]
    return bool(values) and all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def _cell(value: object, read: object, kind: str, brush: Brush) -> Element:
    """A value, and how it is read where that is another text: then the exact value is the title, and is copied."""
    match value:
        case str() if kind == "date" and len(value) < CLIP:
            exact = brush.mark(value).replace("T", " ", 1)
            return _short("cw-date", str(read), exact) if read != value else element("td", "cw-date", exact)
        case None:
            return element("td", "cw-null", "–", attrs={"title": "null"})
        case bool():
            return element("td", "cw-bool", str(value).lower())
        case int() | float():
            is_exact = not isinstance(read, str) or float(read) == value
            return element("td", "cw-number", str(read)) if is_exact else _short("cw-number", str(read), str(value))
        case "NaN" | "Infinity" | "-Infinity":
            return element("td", "cw-number cw-null", value)
        case str():
            return element("td", "", _clip(value, brush))
    return element("td", "", _clip(canonical(value), brush))


def _short(cls: str, read: str, exact: str) -> Element:
    return element("td", f"{cls} cw-short", read, attrs={"title": exact})


def _clip(text: str, brush: Brush) -> Node:
    marked = brush.mark(text)
    if len(marked) <= CLIP:
        return marked
    return fold(marked[: CLIP - 20] + "…", element("div", "cw-cell", marked[: brush.characters // 10]))
