"""A run taken apart: a timeline, a list of its turns and calls, and beside it all that is known of one of them.

What stands in the notebook is a record in plain HTML; where the kernel that wrote it is still there, the page draws the
live view over it (`static/place.js`). So nothing has to be replaced when the kernel goes, and a reader who never had
one sees the record. The page asks for all that it shows: first for the lines and the bars, in parts that stay small,
then for one sheet at a time; while a run goes on it asks each second for what is new. The rule that must never break:
a page can only ask and be shown; nothing that it says changes a run.
The lesson is `notebooks/12_inspector.ipynb`.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import anywidget
import traitlets
from IPython.display import display

from cellwright.errors import UsageError
from cellwright.log.events import Event
from cellwright.messages import JsonObject
from cellwright.runs.run import Run
from cellwright.sessions.recorded_run import RecordedRun
from cellwright.sessions.session import Session
from cellwright.text.visible_text import mark_hidden
from cellwright_widgets.cards.call_head import call_brief, draw_call_brief
from cellwright_widgets.cards.call_story import CallStory
from cellwright_widgets.cards.item_view import RUN_STATES, draw_head
from cellwright_widgets.drawing.fold import missing
from cellwright_widgets.drawing.node import Node, element, to_html, to_text
from cellwright_widgets.drawing.style import AS_IT_IS, STATIC, style
from cellwright_widgets.inspector.call_inspection import draw_call_sheet
from cellwright_widgets.inspector.inspection import Inspection, Row, Source, Turn
from cellwright_widgets.inspector.timeline_view import draw_timeline, timeline_json
from cellwright_widgets.inspector.turn_inspection import draw_turn_line, draw_turn_sheet
from cellwright_widgets.live.place import new_place, placed

SCRIPTS = (
    *("fold.js", "node.js", "clock.js", "place.js", "keys.js", "ruler.js", "gantt.js", "walk.js", "rows.js", "card.js"),
    "inspector.js",
)
ROWS = 200
"""Lines in one message to the page, and five times as many bars."""
KEPT = 300
"""Lines of the record."""


class Inspector(anywidget.AnyWidget):
    """Takes a run apart: one that has ended, waits, or goes on, or the events of a log."""

    _esm = "\n".join((STATIC / name).read_text("utf-8") for name in SCRIPTS)
    _css = style("inspector.css")
    place = traitlets.Unicode("").tag(sync=True)
    """What the place in the document is called over which the page draws the live view."""

    def __init__(
        self, subject: Run | RecordedRun | Session | Sequence[Event] | str | Path, title: str = "Inspector"
    ) -> None:
        super().__init__()
        self.title = title
        self.place = new_place()
        self._run = subject if isinstance(subject, Run) else None
        self._inspection = Inspection(source_of(subject))
        self._lock = threading.Lock()
        self._settling: asyncio.Task[None] | None = None
        self.on_msg(self._on_message)

    def _on_message(self, _: object, content: JsonObject, __: object) -> None:
        match content:
            case {"since": list(since)}:
                with self._lock:
                    for message in self._newer([number for number in since if isinstance(number, int)]):
                        self.send(message)
            case {"open": str(key)}:
                with self._lock:
                    self.send({"sheet": key, "node": self._sheet(key)})

    def _newer(self, since: Sequence[int]) -> Iterator[JsonObject]:
        """What changed after so many events of each run, in messages that stay small; at least one."""
        inspection = self._inspection
        inspection.renew()
        found, parts = inspection.timeline(), inspection.parts
        rows = [[row.path, row.key, draw_line(row)] for row in inspection.rows(since)]
        lanes, spans = timeline_json(found, parts, since)
        marks = [[mark.at, mark.text] for mark in found.marks if mark.number > (since[0] if since else 0)]
        most = max(1, -(-len(rows) // ROWS), -(-len(spans) // (5 * ROWS)))
        for part in range(most):
            yield {
                "since": list(since),
                "part": part,
                "parts": most,
                "known": inspection.known,
                "head": draw_head(self.title, inspection.head),
                "seconds": found.seconds,
                "over": found.is_over or not self._goes_on(),
                "lanes": lanes,
                "marks": marks if part == 0 else [],
                "rows": rows[part * ROWS : (part + 1) * ROWS],
                "spans": spans[part * 5 * ROWS : (part + 1) * 5 * ROWS],
            }

    def _goes_on(self) -> bool:
        return self._run is not None and not self._run.is_done

    def _sheet(self, key: str) -> Node:
        found = self._inspection.find(key)
        if found is None:
            return missing("There is no such line any more.")
        part, row = found
        match row.shows:
            case CallStory() as call:
                return draw_call_sheet(call, part.about[call.id], part.head.run)
            case Turn() as turn:
                return draw_turn_sheet(turn, part)
        return element("article", "cw-sheet", element("p", "", mark_hidden(str(row.shows))))

    def record(self) -> JsonObject:
        """What stays in a notebook, as a MIME bundle."""
        inspection = self._inspection
        inspection.renew()
        rows = list(inspection.rows())
        lines = [element("li", f"cw-depth-{min(len(row.path), 4)}", draw_line(row)) for row in rows[:KEPT]]
        rest = [missing(f"{len(rows) - KEPT:,} more lines; the log holds all")] if len(rows) > KEPT else []
        going = [] if inspection.head.ended else [missing("The run was still going on when this was written.")]
        head = element("div", "cw-bar", draw_head(self.title, inspection.head))
        drawn = (head, draw_timeline(inspection.timeline()), element("ul", "cw-lines", *lines), *rest, *going)
        inner = "".join(map(to_html, drawn))
        html = f"<style>{style('inspector.css')}</style><article class='cw {AS_IT_IS} cw-record'>{inner}</article>"
        return placed(self.place, html, repr(self))

    def __repr__(self) -> str:
        inspection = self._inspection
        state = RUN_STATES.get(inspection.head.state, inspection.head.state)
        rows = list(inspection.rows())
        lines = ["  " * (len(row.path) - 2) + _told(row) for row in rows[:KEPT]]
        rest = [f"… {len(rows) - KEPT:,} more lines"] if len(rows) > KEPT else []
        return "\n".join([f"{self.title}: {mark_hidden(state)}", inspection.timeline().text(), *lines, *rest])

    def _ipython_display_(self) -> None:
        """Shows the record; one that was written while the run went on is written anew at its end."""
        handle: Any = display(self.record(), raw=True, display_id=True)
        if self._goes_on():
            self._settling = asyncio.get_running_loop().create_task(self._settle(handle))

    async def _settle(self, handle: Any) -> None:  # noqa: ANN401 (IPython is untyped here)
        if self._run is not None:
            await self._run.wait()
        handle.update(self.record(), raw=True)


def source_of(subject: Run | RecordedRun | Session | Sequence[Event] | str | Path) -> Source:
    """Where the events of a run come from.

    Raises:
        UsageError: for what has no events.
        LogError: for a file that is no log.
    """
    if isinstance(subject, Run):
        run = subject
        return lambda: _events_of(run)
    if isinstance(subject, Path) or (isinstance(subject, str) and subject):
        subject = Session.load(subject)
    if isinstance(subject, Session):
        subject = subject.last
    if isinstance(subject, RecordedRun):
        recorded = _events_of(subject)
        return lambda: recorded
    if isinstance(subject, Sequence) and not isinstance(subject, str) and all(isinstance(e, Event) for e in subject):
        events: Mapping[str, Sequence[Event]] = {"": tuple(subject)}
        return lambda: events
    raise UsageError(
        f"{subject!r:.80} has no events; give Inspector a run, a session, the events of a run, or the path of a log"
    )


def _events_of(run: Run | RecordedRun) -> Mapping[str, Sequence[Event]]:
    children: Sequence[Run | RecordedRun] = run.children
    below = {f"agent-{number}": child.events for number, child in enumerate(children, 1)}
    return {"": run.events, **below}


def draw_line(row: Row) -> Node:
    """A line of the list."""
    match row.shows:
        case CallStory() as call:
            return draw_call_brief(call)
        case Turn() as turn:
            return draw_turn_line(turn)
    heading = mark_hidden(" ".join(str(row.shows)[:300].split()))
    return element("div", "cw-turn-line cw-agent-line", element("span", "cw-brief", heading))


def _told(row: Row) -> str:
    """The line in words."""
    if isinstance(row.shows, CallStory):
        call = row.shows
        state = call.state + (f" ({call.error_type})" if call.error_type else "")
        return mark_hidden(f"{call.name}  {call_brief(call)}  [{state}]".replace("\n", "⏎"))
    return to_text(draw_line(row))
