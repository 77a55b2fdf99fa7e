"""The transcript of a run that is over, alive once more: its tables have their other pages, its trees unfold.

The record that a run leaves has no kernel behind it. But the kernel still has the run, and often what its tools gave;
a log on disk has at least what the tools told. So the cards are drawn again with their controls, and each table or tree
gets its rows from the shelf of the run, else from the log if that holds all of them. The rule that must never break: a
control is drawn only where there is something behind it, and where there is not, the card says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import traitlets
from msgspec.structs import replace

from cellwright.errors import LogError, UsageError
from cellwright.log.events import Event
from cellwright.messages import JsonObject
from cellwright.runs.run import Run
from cellwright.sessions.recorded_run import RecordedRun
from cellwright.sessions.session import Session
from cellwright.undo.undoable import Undoable
from cellwright.views.shelf import Shelf
from cellwright.views.table import Table, as_it_is, rows_of
from cellwright.views.tree import Tree, values_in
from cellwright.views.view import Group, View, from_json
from cellwright_widgets.cards.record import record_html, record_text
from cellwright_widgets.cards.undo_bar import TO
from cellwright_widgets.drawing import table_view, tree_view
from cellwright_widgets.drawing.style import STATIC
from cellwright_widgets.drawing.tree_view import TreeBranches
from cellwright_widgets.live.live_view import shelf_of
from cellwright_widgets.live.place import new_place, placed
from cellwright_widgets.live.table_pages import TablePages
from cellwright_widgets.live.transcript import Transcript
from cellwright_widgets.live.undo_answer import UndoAnswer

SCRIPTS = (
    *("node.js", "fold.js", "hand.js", "parcel.js", "clock.js", "sheet.js", "copy.js", "press.js", "place.js"),
    "reopened.js",
    *("keys.js", "questions.js", "transcript.js"),
)
GONE = "the other rows are no longer in the kernel, and the log holds these"
Subject = Run | RecordedRun | Session | Sequence[Event] | Path


class Reopened(Transcript):
    """The transcript of a run that has ended, or of the last one of a log."""

    _esm = "\n".join((STATIC / name).read_text("utf-8") for name in SCRIPTS)
    place = traitlets.Unicode("").tag(sync=True)
    """What the place in the document is called over which the page draws it."""

    def __init__(self, subject: Subject, shelf: Shelf, title: str = "Cellwright") -> None:
        super().__init__(title)
        self.place = new_place()
        self.shelf = shelf
        run, events = _told(subject)
        kept = shelf_of(run) if isinstance(run, Run) else None
        self.fill([with_sources(event, kept, shelf) for event in events])
        self.presses.answerers |= {
            table_view.ANSWERER: TablePages(shelf).answer,
            tree_view.ANSWERER: TreeBranches(shelf).answer,
        }
        if run is not None:
            self.presses.answerers[TO] = UndoAnswer(run).answer

    def record(self) -> JsonObject:
        """What stays in a notebook, as a MIME bundle."""
        return placed(self.place, record_html(self.events, self.title), record_text(self.events))


def _told(subject: Subject) -> tuple[Undoable | None, Sequence[Event]]:
    """The run, if there is one, and its events."""
    if isinstance(subject, Run) and not subject.is_done:
        raise UsageError(f"{subject.id} is still going on; await it first, or look at it with Inspector(run)")
    if isinstance(subject, Path):
        subject = Session.load(subject)
    if isinstance(subject, Session):
        subject = subject.last
    return (subject, subject.events) if isinstance(subject, Run | RecordedRun) else (None, subject)


def with_sources(event: Event, kept: Shelf | None, shelf: Shelf) -> Event:
    """The event, with what its view shows only a part of put on the shelf."""
    view = event.data.get("view")
    if event.kind != "result" or view is None:
        return event
    try:
        known = from_json(view) if isinstance(view, dict) else view
    except LogError:
        return event  # the card says why it can't be drawn
    return event._replace(data={**event.data, "view": _sourced(known, event.data.get("value"), kept, shelf)})


def _sourced(view: View, value: Any, kept: Shelf | None, shelf: Shelf) -> View:  # noqa: ANN401 (JSON is what it is)
    match view:
        case Group():
            return replace(view, views=tuple(_sourced(inner, None, kept, shelf) for inner in view.views))
        case Table() | Tree() if view.source or view.has_more:
            source = _again(view.source, kept, shelf) or _from_log(view, value, shelf)
            if isinstance(view, Table) and not source:
                return replace(view, source="", note=view.note or GONE)
            return replace(view, source=source)
    return view


def _again(source: str, kept: Shelf | None, shelf: Shelf) -> str:
    """The name of what the shelf of the run still has; nothing if it does not."""
    if kept is None or not source:
        return ""
    try:
        known = kept.thing(source)
    except LookupError:
        return ""
    return shelf.put(known.thing, known.cells, known.mask)


def _from_log(view: Table | Tree, value: Any, shelf: Shelf) -> str:  # noqa: ANN401 (JSON is what it is)
    """The name of what the log holds of it; nothing if that is not all. In a log all secrets are masked."""
    if isinstance(view, Tree):
        return shelf.put(value, values_in(value), as_it_is) if isinstance(value, dict | list) else ""
    rows = rows_of(value) if isinstance(value, dict | list) else None
    if rows is None or rows.total != view.total or len(rows.names) < len(view.columns) + view.hidden_columns:
        return ""
    return shelf.put(rows, rows.total * len(rows.names), as_it_is)
