"""What the person sees of a call, as plain data.

A view says *what* is to be shown, never how: a widget, a terminal and a saved log each draw it in their way. So
that a log from last year still redraws, views are frozen values with a JSON form (`as_json`, `from_json`) that
carries a version. The functions here are pure. The rule that must never break: a view is made from the same
value as the model's content, and never feeds the model.
"""

from __future__ import annotations

import base64
import dataclasses
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, assert_never

from cellwright.codec import canonical, to_json
from cellwright.errors import LogError
from cellwright.file_diff import Diff, diff_text
from cellwright.inquiry import Inquiry, inquiry_text
from cellwright.messages import JsonObject, clean_text, told
from cellwright.notebook_diff import NotebookDiff, cells_from_json, notebook_diff_text
from cellwright.todo_list import Todo, todo_text
from cellwright.visible_text import mark_hidden

VERSION = 1
TABLE_ROWS = 50
"""Rows that a table view carries at most; `total` says how many there are."""
TABLE_COLUMNS = 20
CELL_LENGTH = 300


@dataclass(frozen=True, slots=True)
class Text:
    """Plain text."""

    text: str
    kind: Literal["text"] = "text"


@dataclass(frozen=True, slots=True)
class Markdown:
    """Text with the marks of Markdown."""

    text: str
    kind: Literal["markdown"] = "markdown"


@dataclass(frozen=True, slots=True)
class Code:
    """Source code."""

    code: str
    language: str = ""
    """Such as `python`; empty if unknown."""
    kind: Literal["code"] = "code"


@dataclass(frozen=True, slots=True)
class Table:
    """A page of rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    """JSON values, at most `TABLE_ROWS` rows."""
    total: int
    """Rows in all."""
    hidden_columns: int = 0
    """Columns that are not shown."""
    kind: Literal["table"] = "table"


@dataclass(frozen=True, slots=True)
class Terminal:
    """Console output, with its escape sequences."""

    text: str
    kind: Literal["terminal"] = "terminal"


@dataclass(frozen=True, slots=True)
class Picture:
    """An image."""

    media_type: str
    data: str
    """The bytes in base64."""
    alt: str = ""
    kind: Literal["image"] = "image"


@dataclass(frozen=True, slots=True)
class Failure:
    """Something went wrong."""

    error_type: str
    message: str
    detail: str = ""
    """A traceback or other long text, folded at first."""
    kind: Literal["error"] = "error"


@dataclass(frozen=True, slots=True)
class Group:
    """Several views under one title."""

    title: str
    views: tuple[View, ...]
    kind: Literal["group"] = "group"


View = Text | Markdown | Code | Diff | NotebookDiff | Table | Terminal | Picture | Failure | Todo | Inquiry | Group

KINDS: dict[str, type[View]] = {
    "code": Code,
    "diff": Diff,
    "error": Failure,
    "group": Group,
    "image": Picture,
    "markdown": Markdown,
    "notebook_diff": NotebookDiff,
    "question": Inquiry,
    "table": Table,
    "terminal": Terminal,
    "text": Text,
    "todo": Todo,
}


def table_view(columns: Sequence[object], rows: Sequence[Sequence[object]], total: int | None = None) -> Table:
    """The first rows and columns of a table, with long texts cut; `total` counts the rows there are in all."""
    shown = tuple(str(column)[:CELL_LENGTH] for column in columns[:TABLE_COLUMNS])
    page = tuple(tuple(_cell(value) for value in row[:TABLE_COLUMNS]) for row in rows[:TABLE_ROWS])
    return Table(shown, page, len(rows) if total is None else total, max(0, len(columns) - TABLE_COLUMNS))


def value_view(value: Any) -> View:  # noqa: ANN401 (JSON is what it is)
    """The view of a JSON value that says nothing of itself: a table if it is one, else text or JSON."""
    match value:
        case str():
            return Text(value)
        case {"columns": [*columns], "rows": [*rows], "total": int(total)} if _is_grid(columns, rows):
            return table_view(columns, rows, total)
        case [dict() as first, *_] if first and all(isinstance(r, dict) and r.keys() == first.keys() for r in value):
            records: list[JsonObject] = value
            return table_view(list(first), [[row[name] for name in first] for row in records])
        case dict() | list():
            return Code(pretty(value), "json")
    return Text(canonical(value))


def checked_view(view: object) -> View:
    """The view, once it is sure that it is one and can be written down.

    Raises:
        TypeError: if it is no view.
        NotJsonError: if something in it has no JSON form.
    """
    if not isinstance(view, View):
        raise TypeError(f"{type(view).__name__} is no view; return one such as Text(...)")
    as_json(view)
    return view


def as_json(view: View) -> JsonObject:
    """The view as JSON data, with the format's version."""
    data: JsonObject = {"version": VERSION}
    for name in view.__match_args__:
        value = getattr(view, name)
        data[name] = clean_text(value) if type(value) is str else to_json(value)
    return data


def from_json(data: JsonObject) -> View:
    """The view that `as_json` gave.

    Raises:
        LogError: for a version or kind that this Cellwright does not know.
    """
    kind = KINDS.get(data.get("kind", ""))
    if kind is None or data.get("version", VERSION) != VERSION:
        raise LogError(
            f"unknown view {data.get('kind')!r} (version {data.get('version')!r}); it was written by another "
            "version of Cellwright, open it with that one"
        )
    fields = {f.name: _tuples(data[f.name]) for f in dataclasses.fields(kind) if f.name in data}
    try:
        if kind is Group:
            fields["views"] = tuple(from_json(view) for view in data["views"])
        if kind is NotebookDiff:
            fields["cells"] = cells_from_json(data["cells"])
        return kind(**fields)
    except (KeyError, TypeError, AttributeError) as error:
        raise LogError(f"a {data['kind']} view is damaged ({told(error)}); read the result's content") from None


def as_text(view: View) -> str:
    """The view for a terminal or a log, nothing hidden."""
    match view:
        case Text(text=text) | Markdown(text=text) | Code(code=text) | Terminal(text=text):
            return mark_hidden(text)
        case NotebookDiff():
            return notebook_diff_text(view)
        case Diff():
            return diff_text(view)
        case Table():
            return _table_text(view)
        case Picture(media_type=media_type, data=data, alt=alt):
            return f"[{media_type}, {len(data) * 3 // 4:,} bytes] {mark_hidden(alt)}".rstrip()
        case Failure(error_type=error_type, message=message, detail=detail):
            return mark_hidden(f"{error_type}: {message}" + (f"\n{detail}" if detail else ""))
        case Inquiry():
            return inquiry_text(view)
        case Todo():
            return todo_text(view)
        case Group(title=title, views=views):
            return "\n".join([mark_hidden(title), *(as_text(inner) for inner in views)])
        case _:
            assert_never(view)


def pretty(value: object) -> str:
    """JSON for people: indented, in the order given, long but complete."""
    return json.dumps(value, indent=2, ensure_ascii=False)


def _is_grid(columns: Sequence[object], rows: Sequence[object]) -> bool:
    return len(columns) > 0 and all(isinstance(row, list) and len(row) == len(columns) for row in rows)


def _cell(value: object) -> object:
    plain = to_json(value)
    if isinstance(plain, dict | list):
        plain = canonical(plain)
    if isinstance(plain, str) and len(plain) > CELL_LENGTH:
        return plain[:CELL_LENGTH] + f"… ({len(plain):,} characters)"
    return plain


def _tuples(value: Any) -> Any:  # noqa: ANN401 (JSON is what it is)
    return tuple(_tuples(v) for v in value) if isinstance(value, list) else value


def _table_text(view: Table) -> str:
    grid = [view.columns, *(tuple("" if v is None else str(v) for v in row) for row in view.rows)]
    grid = [tuple(mark_hidden(text.replace("\n", "⏎"))[:60] for text in row) for row in grid]
    widths = [max(len(row[i]) for row in grid) for i in range(len(view.columns))]
    lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in grid]
    return "\n".join([*lines, *_table_rest(view)])


def _table_rest(view: Table) -> list[str]:
    rest = []
    if view.total > len(view.rows):
        rest.append(f"{view.total - len(view.rows):,} more rows")
    if view.hidden_columns:
        rest.append(f"{view.hidden_columns} more columns")
    return rest


def figure_view(figure: Any, alt: str = "") -> Picture:  # noqa: ANN401 (matplotlib is no dependency)
    """The picture of a matplotlib figure, or of anything else that has its `savefig`."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", bbox_inches="tight", dpi=80)
    return Picture("image/png", base64.b64encode(buffer.getvalue()).decode("ascii"), alt)
