"""What the person sees of a call, as plain data.

A view says *what* is to be shown, never how: a widget, a terminal and a saved log each draw it in their way. So
that a log from last year still redraws, views are frozen values with a JSON form (`as_json`, `from_json`) that
carries a version. The functions here are pure. The rule that must never break: a view is made from the same
value as the model's content, and never feeds the model.
"""

from __future__ import annotations

import base64
import io
import json
import sys
from typing import Any, Literal, assert_never

from msgspec import Struct
from msgspec.structs import replace

from cellwright.codec import canonical, to_json
from cellwright.errors import LogError
from cellwright.messages import JsonObject, clean_text, told
from cellwright.text.console_text import clean_console
from cellwright.text.visible_text import mark_hidden
from cellwright.views.file_diff import Diff, diff_text
from cellwright.views.inquiry import Inquiry, inquiry_text
from cellwright.views.notebook_diff import NotebookDiff, as_tuples, cells_from_json, notebook_diff_text
from cellwright.views.table import Table, legible_table, rows_of, rows_view, table_text
from cellwright.views.todo_list import Todo, todo_text
from cellwright.views.tree import Tree, tree_text, tree_view

VERSION = 1
LEVELS = 50
"""Groups in groups; to draw one takes several calls in one another, and a program has about a thousand."""


class Text(Struct, frozen=True):
    """Plain text."""

    text: str
    kind: Literal["text"] = "text"


class Markdown(Struct, frozen=True):
    """Text with the marks of Markdown."""

    text: str
    kind: Literal["markdown"] = "markdown"


class Code(Struct, frozen=True):
    """Source code."""

    code: str
    language: str = ""
    """Such as `python`; empty if unknown."""
    kind: Literal["code"] = "code"


class Terminal(Struct, frozen=True):
    """Console output, with its escape sequences."""

    text: str
    kind: Literal["terminal"] = "terminal"


class Picture(Struct, frozen=True):
    """An image."""

    media_type: str
    data: str
    """The bytes in base64."""
    alt: str = ""
    kind: Literal["image"] = "image"


class Failure(Struct, frozen=True):
    """Something went wrong."""

    error_type: str
    message: str
    detail: str = ""
    """A traceback or other long text, folded at first."""
    kind: Literal["error"] = "error"


class Group(Struct, frozen=True):
    """Several views under one title.

    Raises:
        ValueError: for groups in groups more than `LEVELS` deep.
    """

    title: str
    views: tuple[View, ...]
    kind: Literal["group"] = "group"

    def __post_init__(self) -> None:
        if _levels(self) > LEVELS:
            raise ValueError(f"groups stand in groups more than {LEVELS} deep; put their views side by side")


def _levels(view: View) -> int:
    return 1 + max(map(_levels, view.views), default=0) if isinstance(view, Group) else 0


View = (
    Text | Markdown | Code | Diff | NotebookDiff | Table | Tree | Terminal | Picture | Failure | Todo | Inquiry | Group
)

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
    "tree": Tree,
}


def value_view(value: Any) -> View:  # noqa: ANN401 (JSON is what it is)
    """The view of a JSON value that says nothing of itself: a table if it is one, else text or a tree."""
    match value:
        case str():
            return Text(value)
        case dict() | list() if (rows := rows_of(value)) is not None:
            return rows_view(rows, value)
        case dict() | list():
            return tree_view(value)
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
    for name in view.__struct_fields__:
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
    fields = {name: as_tuples(data[name]) for name in kind.__struct_fields__ if name in data}
    try:
        if kind is Group:
            fields["views"] = tuple(from_json(view) for view in data["views"])
        if kind is NotebookDiff:
            fields["cells"] = cells_from_json(data["cells"])
        return kind(**fields)
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
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
            return table_text(legible_table(view))
        case Tree():
            return tree_text(view)
        case Picture(media_type=media_type, data=data, alt=alt):
            return mark_hidden(f"[{media_type[:60]}, {len(data) * 3 // 4:,} bytes] {alt}".rstrip())
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


def as_seen(view: View) -> str:
    """The same for what is over: console output as its reader saw it last, its codes obeyed and gone."""
    match view:
        case Terminal(text=text):
            return as_text(Text(clean_console(text)))
        case Failure(detail=detail):
            return as_text(replace(view, detail=clean_console(detail)))
        case Group(title=title, views=views):
            return "\n".join([mark_hidden(title), *map(as_seen, views)])
    return as_text(view)


def pretty(value: object) -> str:
    """JSON for people: indented, in the order given, long but complete."""
    return json.dumps(value, indent=2, ensure_ascii=False)


def figure_view(figure: Any, alt: str = "") -> Picture:  # noqa: ANN401 (matplotlib is no dependency)
    """The picture of a matplotlib figure, or of anything else that has its `savefig`.

    A figure of pyplot is closed in a kernel, where it would be shown once more below the cell; it can still be drawn.
    """
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None and isinstance(figure, pyplot.Figure) and "inline" in pyplot.get_backend():
        pyplot.close(figure)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", bbox_inches="tight", dpi=80)
    return Picture("image/png", base64.b64encode(buffer.getvalue()).decode("ascii"), alt)
