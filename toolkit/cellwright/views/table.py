"""A table as a person sees it: a page of its rows, what its columns hold, and how many rows there are in all.

A view is plain data, so the rows beyond the page are not in it. Where they can still be had, in the kernel that the run
lives in, `source` names them on the run's shelf (`shelf.py`), from which a front end gets other pages. The rule that
must never break: a table says how much of it is not shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from cellwright.codec import NotJsonError, canonical, to_json
from cellwright.messages import JsonObject
from cellwright.text.visible_text import mark_hidden
from cellwright.views.frame import AS_IT_IS, Frame, Order, kind_of
from cellwright.views.legible import legible
from cellwright.views.records import Records

TABLE_ROWS = 50
"""Rows that a table view carries at most; `total` says how many there are."""
TABLE_COLUMNS = 20
CELL_LENGTH = 300
Rows = Frame | Records
"""All rows of a table, of which pages are read."""
Mask = Callable[[Any], Any]
"""Gives JSON data with the secrets in it masked."""


def as_it_is(data: Any) -> Any:  # noqa: ANN401 (JSON is what it is)
    """The mask of data in which nothing is secret."""
    return data


class Table(Struct, frozen=True):
    """A page of rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    """JSON values, at most `TABLE_ROWS` rows."""
    total: int
    """Rows in all."""
    hidden_columns: int = 0
    """Columns that are not shown."""
    kinds: tuple[str, ...] = ()
    """What stands in each column: integer, number, bool, date, text or other; empty if that is not known."""
    source: str = ""
    """The name of all rows on the shelf of the run; empty where there is no more than this page."""
    note: str = ""
    """What a reader should know of the rows that are not here."""
    kind: Literal["table"] = "table"

    @property
    def has_more(self) -> bool:
        """Whether there are rows or columns that it does not show."""
        return self.total > len(self.rows) or self.hidden_columns > 0


class Page(Struct, frozen=True):
    """A page of a table, and where in it."""

    table: Table
    start: int = 0
    """The number of its first row, from 0."""
    first: int = 0
    """The number of its first column, from 0."""
    order: Order = AS_IT_IS
    matching: int = 0
    """Rows that the filter lets through."""


def table_view(
    columns: Sequence[object], rows: Sequence[Sequence[object]], total: int | None = None, kinds: Sequence[str] = ()
) -> Table:
    """The first rows and columns of a table, with long texts cut; `total` counts the rows there are in all."""
    shown = tuple(str(column)[:CELL_LENGTH] for column in columns[:TABLE_COLUMNS])
    page = tuple(tuple(table_cell(value) for value in row[:TABLE_COLUMNS]) for row in rows[:TABLE_ROWS])
    hidden = max(0, len(columns) - TABLE_COLUMNS)
    return Table(shown, page, len(rows) if total is None else total, hidden, tuple(kinds[:TABLE_COLUMNS]))


def table_page(rows: Rows, mask: Mask = as_it_is, start: int = 0, order: Order = AS_IT_IS, first: int = 0) -> Page:
    """A page of rows, from the column `first` on.

    Raises:
        ValueError: for an order or a filter that the rows can't be put in.
    """
    width = slice(first, first + TABLE_COLUMNS)
    found, matching = rows.page(order, start, TABLE_ROWS, width)
    names = tuple(mask(name)[:CELL_LENGTH] for name in rows.names[width])
    cells = tuple(tuple(table_cell(value, mask) for value in row) for row in found)
    table = Table(names, cells, rows.total, len(rows.names) - len(names), tuple(rows.kinds[width]))
    return Page(table, start, first, order, matching)


def rows_of(value: JsonObject | Sequence[Any]) -> Records | None:
    """The rows of JSON data, if it is a table: the form of a data frame (see `codec.py`), or objects much alike."""
    match value:
        case {"columns": [*columns], "rows": [*rows], "total": int()} if is_grid(columns, rows):
            dtypes = value.get("dtypes") if isinstance(value, dict) else None
            kinds = [kind_of(str(dtype)) for dtype in dtypes] if isinstance(dtypes, list) else []
            return Records([str(column) for column in columns], rows, kinds if len(kinds) == len(columns) else ())
        case [dict() as first, *_] if first and all(isinstance(row, dict) for row in value):
            records: list[JsonObject] = value  # type: ignore[assignment]  # all of them were looked at
            names = list(dict.fromkeys(name for row in records for name in row)) if _are_alike(records) else []
            return Records(names, [[row.get(name) for name in names] for row in records]) if names else None
    return None


def rows_view(rows: Rows, value: object) -> Table:
    """The first page of the rows of a value, which may say itself how many there are in all."""
    view = table_page(rows).table
    return replace(view, total=max(value["total"], view.total)) if isinstance(value, dict) else view


def is_frame_json(value: object) -> bool:
    """Whether JSON data is what `codec.py` makes of a data frame."""
    match value:
        case {"columns": [*columns], "dtypes": [*dtypes], "rows": [*rows], "total": int()}:
            return len(columns) == len(dtypes) and is_grid(columns, rows)
    return False


def legible_table(view: Table) -> Table:
    """The page as a person reads down its columns (see `legible.py`); as it is if a log has damaged its rows."""
    width = len(view.columns)
    if any(len(row) != width for row in view.rows):
        return view
    kinds = view.kinds if len(view.kinds) == width else ("",) * width
    columns = [legible([row[place] for row in view.rows], kind) for place, kind in enumerate(kinds)]
    return replace(view, rows=tuple(zip(*columns, strict=True)))


def table_text(view: Table) -> str:
    """The page with every value as it is, as a model reads it."""
    grid = [view.columns, *(tuple(map(_said, row)) for row in view.rows)]
    grid = [tuple(mark_hidden(text.replace("\n", "⏎"))[:60] for text in row) for row in grid]
    widths = [max(len(row[i]) for row in grid) for i in range(len(view.columns))]
    lines = ["  ".join(_put(*cell) for cell in zip(row, widths, _sides(view), strict=True)).rstrip() for row in grid]
    return "\n".join([*lines, *_table_rest(view)])


def table_cell(value: object, mask: Mask = as_it_is) -> object:
    """A value as it stands in a table: as `whole_cell` has it, and long texts cut."""
    plain = whole_cell(value, mask)
    if isinstance(plain, str) and len(plain) > CELL_LENGTH:
        return plain[:CELL_LENGTH] + f"… ({len(plain):,} characters)"
    return plain


def whole_cell(value: object, mask: Mask) -> object:
    """A value as JSON with secrets masked, one line of text for what has parts."""
    try:
        plain = mask(to_json(value))
    except NotJsonError:
        return f"<{type(value).__qualname__}>"
    return canonical(plain) if isinstance(plain, dict | list) else plain


def is_grid(columns: Sequence[object], rows: Sequence[object]) -> bool:
    """Whether there is a row for each column in each row."""
    return len(columns) > 0 and all(isinstance(row, list) and len(row) == len(columns) for row in rows)


def _are_alike(records: Sequence[JsonObject]) -> bool:
    """Whether objects read well as a table: they have the same keys for the most part, and hold mostly plain values."""
    names = {name for row in records for name in row}
    cells = sum(map(len, records))
    nested = sum(isinstance(value, dict | list) for row in records for value in row.values())
    return cells * 3 >= len(names) * len(records) * 2 and nested * 2 <= cells


def _said(value: object) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _sides(view: Table) -> Sequence[bool]:
    """For each column whether its values stand at its right side."""
    return [kind in ("integer", "number") for kind in view.kinds] or [False] * len(view.columns)


def _put(text: str, width: int, is_right: bool) -> str:
    return text.rjust(width) if is_right else text.ljust(width)


def _table_rest(view: Table) -> list[str]:
    rest = []
    if view.total > len(view.rows):
        rest.append(f"{view.total - len(view.rows):,} more rows")
    if view.hidden_columns:
        rest.append(f"{view.hidden_columns} more columns")
    return [*rest, *([view.note] if view.note else [])]
