"""The two faces of a tool's value: text for the model, a view for the person.

Both are made from the same JSON, by the tool's own functions or, where it has none, by the form of the value. When one
of them fails, the value is still told and shown. The rule that must never break: neither face is made from the other.
"""

from __future__ import annotations

import json
from typing import Any

from msgspec.structs import replace

from cellwright.calls.passage import Passage
from cellwright.codec import canonical
from cellwright.messages import told
from cellwright.tool import Output, Tool
from cellwright.views.frame import Frame, is_frame
from cellwright.views.table import Table, as_it_is, is_frame_json, rows_of, table_text, table_view
from cellwright.views.tree import Tree, values_in
from cellwright.views.view import Failure, Group, View, checked_view, value_view

HEAD = 10
"""Rows of a data frame in the model's text."""


def content_of(tool: Tool, value: Any) -> str:  # noqa: ANN401 (JSON is what it is)
    """The value as text; a tool whose own `render` fails still has its value told."""
    try:
        return _text(tool.render(value)) if tool.render else plain_text(value)
    except Exception as error:
        return f"{plain_text(value)}\n[{tool.name} could not render this: {told(error)}]"


def plain_text(value: Any) -> str:  # noqa: ANN401 (JSON is what it is)
    """A value as a model reads it: a text as it is, a data frame as its shape, its columns and its first rows."""
    if isinstance(value, str):
        return value
    if not is_frame_json(value):
        return canonical(value)
    shape = f"data frame of {value['total']:,} rows × {len(value['columns']):,} columns"
    columns = ", ".join(f"{name} ({dtype})" for name, dtype in zip(value["columns"], value["dtypes"], strict=True))
    head = table_text(table_view(value["columns"], value["rows"][:HEAD], value["total"]))
    return "\n".join([f"{shape}: {columns}", head])


def finalized(tool: Tool, content: str) -> str:
    """The content after the tool's own last word on it."""
    try:
        return _text(tool.finalize(content)) if tool.finalize else content
    except Exception as error:
        return f"{content}\n[{tool.name} could not finalize this: {told(error)}]"


def view_of(passage: Passage, value: Any, output: Output) -> View:  # noqa: ANN401 (JSON is what it is)
    """What the person sees: the view that the tool gave or makes, else that of the value."""
    tool, present = passage.found, passage.found.present_result
    try:
        if output.view is not None:
            return checked_view(output.view)
        if present is not None:
            return checked_view(present(json.loads(passage.frozen), value, output.meta))
    except Exception as error:
        failed = Failure("no_view", f"{tool.name} could not present this: {told(error)}")
        return Group(tool.name, (failed, value_view(value)))
    return _with_the_rest(passage, value, value_view(value))


def _with_the_rest(passage: Passage, value: Any, view: View) -> View:  # noqa: ANN401 (JSON is what it is)
    """The view of a value; what it shows only a part of is put on the run's shelf, if the run has one."""
    shelf = passage.env.shelf
    if not shelf.room or not isinstance(view, Table | Tree) or not view.has_more:
        return view
    if isinstance(view, Tree):
        return replace(view, source=shelf.put(value, values_in(value), as_it_is))
    given = passage.outcome.value if passage.outcome else None
    given = given.value if isinstance(given, Output) else given
    rows = Frame(given) if is_frame(given) else rows_of(value)
    return replace(view, source=shelf.put(rows, rows.total * len(rows.names))) if rows is not None else view


def _text(given: object) -> str:
    if not isinstance(given, str):
        raise TypeError(f"it gave no text but {type(given).__name__}")
    return given
