"""`show(x)`: what a person has in a variable, as they would see it in the card of a call.

A run that is over becomes a transcript again, whose tables page and trees unfold; a data frame, or rows in any form, a
table of which the kernel sends the pages that are looked at; other JSON data a tree. What the saved notebook keeps is
the first page in plain HTML, and in plain text. Only the last ones that were shown stay alive, so that a long session
does not hold on to all frames that were ever looked at. The rule that must never break: showing changes nothing, and
no more than a page of what is shown goes to the browser.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeGuard

import anywidget
import traitlets
from IPython.display import display
from msgspec.structs import replace

from cellwright.codec import NotJsonError, to_json
from cellwright.errors import UsageError
from cellwright.log.events import Event
from cellwright.messages import JsonObject
from cellwright.runs.run import Run
from cellwright.sessions.recorded_run import RecordedRun
from cellwright.sessions.session import Session
from cellwright.views.frame import Frame, is_frame
from cellwright.views.shelf import ROOM, Shelf
from cellwright.views.table import Rows, Table, as_it_is, rows_of, table_page
from cellwright.views.tree import Tree, values_in
from cellwright.views.tree import tree_view as tree_of
from cellwright.views.view import View, as_seen, value_view
from cellwright_widgets.drawing import table_view, tree_view
from cellwright_widgets.drawing.draw import draw
from cellwright_widgets.drawing.node import element, to_html
from cellwright_widgets.drawing.press import Presses
from cellwright_widgets.drawing.style import STATIC, live_style, style
from cellwright_widgets.drawing.tree_view import TreeBranches
from cellwright_widgets.live.kernel_facts import kernel
from cellwright_widgets.live.place import new_place, placed
from cellwright_widgets.live.reopened import Reopened, Subject
from cellwright_widgets.live.table_pages import TablePages

SCRIPTS = ("node.js", "fold.js", "copy.js", "press.js", "place.js", "shown.js")
KEPT = 20
"""What was shown last and stays alive; of older things the record stands."""
_alive: list[Shown | Reopened] = []


def show(thing: object) -> None:
    """Shows a run that is over, the last run of a session or a log (its events, or its path as a `Path`), a data frame
    of pandas, polars or pyarrow, JSON data, or a view of `cellwright.views.view`. Outside of a kernel it is printed.

    Raises:
        UsageError: for a run that is still going on, and for what is none of these.
    """
    shown = Reopened(thing, Shelf(ROOM)) if _is_run(thing) else Shown(thing)
    if kernel() is None:
        print(shown)
        return
    display(shown.record(), raw=True)
    _alive.append(shown)
    for old in _alive[:-KEPT]:
        _alive.remove(old)
        old.shelf.close()
        old.close()


class Shown(anywidget.AnyWidget):
    """One view of a value, with what it needs to be looked into."""

    _esm = "\n".join((STATIC / name).read_text("utf-8") for name in SCRIPTS)
    _css = live_style()
    place = traitlets.Unicode("").tag(sync=True)
    """What the place in the document is called over which the page draws it."""

    def __init__(self, thing: object) -> None:
        super().__init__()
        self.place = new_place()
        self.view, self.shelf = view_of(thing)
        self.presses = Presses(self.send, lambda: None)
        self.presses.answerers |= {
            table_view.ANSWERER: TablePages(self.shelf).answer,
            tree_view.ANSWERER: TreeBranches(self.shelf).answer,
        }
        self.on_msg(self._on_message)

    def record(self) -> JsonObject:
        """What stays in a notebook, as a MIME bundle."""
        drawn = to_html(element("article", "cw cw-shown", draw(_alone(self.view))))
        return placed(self.place, f"<style>{style()}</style>{drawn}", repr(self))

    def __repr__(self) -> str:
        return as_seen(_alone(self.view))

    def _on_message(self, _: object, content: JsonObject, __: object) -> None:
        """What a page says. It may be anything."""
        if not isinstance(content, dict):
            return
        if content.get("show") is True:
            self.send({"shown": draw(self.view)})
        self.presses.take(content.get("press"))


def view_of(thing: Any) -> tuple[View, Shelf]:  # noqa: ANN401 (anything may be shown)
    """The view of a value, and the shelf on which all of it is.

    Raises:
        UsageError: for what has no form that can be shown.
    """
    if isinstance(thing, View):
        return thing, Shelf()
    if is_frame(thing):
        return _table(Frame(thing))
    try:
        data = to_json(thing)
    except NotJsonError as error:
        raise UsageError(
            f"{type(thing).__name__} can't be shown ({error}); show takes a run, a session, a Path of a log, a data "
            "frame, JSON data, or a view"
        ) from None
    if not isinstance(data, dict | list):
        return value_view(data), Shelf()
    rows = rows_of(data)
    if rows is not None:
        return _table(rows)
    cells = values_in(data)
    shelf = Shelf(cells)
    return replace(tree_of(data), source=shelf.put(data, cells, as_it_is)), shelf


def _table(rows: Rows) -> tuple[Table, Shelf]:
    """The first page. All rows are the person's own already, so there is room for them, however many they are."""
    cells = rows.total * len(rows.names)
    shelf = Shelf(cells)
    return replace(table_page(rows).table, source=shelf.put(rows, cells, as_it_is)), shelf


def _alone(view: View) -> View:
    """The view as it stands where there is no kernel."""
    return replace(view, source="") if isinstance(view, Table | Tree) else view


def _is_run(thing: object) -> TypeGuard[Subject]:
    if isinstance(thing, Run | RecordedRun | Session | Path):
        return True
    return isinstance(thing, Sequence) and len(thing) > 0 and all(isinstance(event, Event) for event in thing)
