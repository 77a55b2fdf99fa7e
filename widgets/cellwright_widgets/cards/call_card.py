"""Draws one call: what was asked of which tool, who allowed it, how far it is, what came out.

The person sees the view; what the model read of the same result is one click away, and so are the arguments. The
rule that must never break: a card needs nothing but the story of its call, however little that holds yet.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from msgspec.structs import replace

from cellwright.messages import JsonObject
from cellwright.views.file_diff import Diff
from cellwright.views.inquiry import Inquiry
from cellwright.views.notebook_diff import NotebookDiff
from cellwright.views.table import Table
from cellwright.views.todo_list import Todo
from cellwright.views.view import Code, Failure, Group, Picture, Terminal, Text, View
from cellwright_widgets.cards.call_head import call_class, error_name, head_parts, marked_name
from cellwright_widgets.cards.call_story import CallStory
from cellwright_widgets.cards.call_trail import draw_trail
from cellwright_widgets.cards.model_side import draw_left_out, draw_model_side
from cellwright_widgets.cards.undo_bar import undo_bar
from cellwright_widgets.drawing.brush import TRANSCRIPT
from cellwright_widgets.drawing.code_view import code_rows
from cellwright_widgets.drawing.draw import draw
from cellwright_widgets.drawing.fold import fold
from cellwright_widgets.drawing.node import Node, element
from cellwright_widgets.drawing.terminal_view import draw_running, terminal_rows
from cellwright_widgets.drawing.text_view import text_rows

AUTHORS = {"person": ", as you changed them", "hook": ", as a hook changed them"}
FEW = 10
"""Rows of a table that opens by itself, as one of which all pages are at hand does."""


def draw_call(call: CallStory) -> Node:
    """The whole card."""
    summary = element("summary", "cw-call-head", *head_parts(call))
    body = element("div", "cw-call-body", *_body(call))
    attrs = {"data-fold": "card", "data-call": marked_name(call.id), **({"open": ""} if is_telling(call) else {})}
    return element("details", call_class(call), summary, body, attrs=attrs)


def is_telling(call: CallStory) -> bool:
    """Whether its card is open at first: what a person would want to see, which was asked, went wrong or goes on,
    and drawings worth a look. What came of a call that code made is told by the code's own result."""
    if call.within and call.state in ("done", "failed"):
        return call.answer is not None
    if call.state == "done":
        return call.answer is not None or _is_worth_a_look(call.view)
    return call.state in ("asking", "failed", "denied") or bool(call.progress or call.metadata.get("still_running"))


def _is_worth_a_look(view: View | None) -> bool:
    """Changes, pictures and short tables are; what was only read by the model is one click away."""
    if isinstance(view, Group):
        return any(_is_worth_a_look(inner) for inner in view.views if not isinstance(inner, Table))
    if isinstance(view, Table):
        return len(view.rows) <= FEW or bool(view.source)
    return isinstance(view, Diff | NotebookDiff | Picture | Failure | Todo | Inquiry)


def _body(call: CallStory) -> Iterator[Node]:
    if call.ended is not None:
        yield draw_model_side(call)
    yield from draw_trail(call)
    mine = list(_my_side(call))
    if mine:
        yield element("div", "cw-mine", *mine)
    yield from draw_left_out(call.metadata)
    yield from undo_bar(call)
    yield element("div", "cw-folds", *_folds(call))


def _my_side(call: CallStory) -> Iterator[Node]:
    """What the person sees of it."""
    if call.state == "asking":
        yield element("p", "cw-hint", "The question stands below this transcript.")
    if call.view is not None:
        yield draw(_shown(call, call.view))
    elif call.ended is not None and call.content:
        yield draw(Text(call.content) if call.state == "done" else _shown(call, Failure(call.error_type, call.content)))
    elif call.progress:
        yield draw_running(call.progress, TRANSCRIPT)
    elif call.effect is not None and call.state != "asking":
        yield draw(call.effect)


def _shown(call: CallStory, view: View) -> View:
    """The view without what the head of the card says: which error it was, and that it was denied or stopped."""
    if isinstance(view, Group) and not view.title and view.views:
        return replace(view, views=(_shown(call, view.views[0]), *view.views[1:]))
    if not isinstance(view, Failure):
        return view
    is_told = call.state in ("denied", "cancelled") or (call.state == "failed" and view.error_type == error_name(call))
    return replace(view, error_type="") if is_told else view


def _folds(call: CallStory) -> Iterator[Node]:
    if isinstance(call.effect, Code) and call.ended is not None and call.effect != call.view:
        yield fold("code", draw(call.effect), name="code")
    if call.effect is not None and call.state == "denied":
        yield fold("what it would have done", draw(call.effect), name="effect")
    label = "arguments" + AUTHORS.get(call.by, "")
    if call.args is not None:
        text = json.dumps(call.args, indent=2, ensure_ascii=False)
        yield fold(label, *code_rows(text, "json", TRANSCRIPT), name="arguments")
    else:
        yield fold("arguments, as they came", *text_rows(call.arguments, TRANSCRIPT, "cw-pre"), name="arguments")
    if call.metadata.keys() - {"code", "seconds"}:
        yield fold("how it went", *text_rows(_how_it_went(call.metadata), TRANSCRIPT, "cw-pre"), name="metadata")
    if call.progress and call.view is not None and not isinstance(call.view, Terminal):
        yield fold("progress", *terminal_rows(call.progress, TRANSCRIPT), name="progress")


def _how_it_went(metadata: JsonObject) -> str:
    """The stages with their times, and what else is known. Uncoloured: it stands in every card and has to be small."""
    stages = metadata.get("stages")
    times = stages.items() if isinstance(stages, dict) else ()
    lines = [f"{seconds * 1000:9.2f} ms  {stage}" for stage, seconds in times if isinstance(seconds, int | float)]
    rest = {name: value for name, value in metadata.items() if name != "stages" or not lines}
    return "\n".join([*lines, json.dumps(rest, indent=1, ensure_ascii=False, default=str)])
