"""One run in the output of a cell: the transcript that grows, the questions under it, and the record they become.

All that is alive is one display; when the run has ended it is replaced by a static record, which is what the saved
notebook keeps: by the kernel, or by a page that did not hear of it (`static/document.js`). The view also knows how a
cell may wait for the run: where no click could reach a waiting cell, it lets the cell end at the first question and
the run goes on in the background. It says so, and nothing ever hangs.
"""

from __future__ import annotations

import asyncio
from typing import Any

import ipywidgets
from IPython.display import display

from cellwright.log.events import Event
from cellwright.person.question import Question
from cellwright.runs.run import Run
from cellwright.text.quantity import quantity
from cellwright.views.inquiry import Inquiry
from cellwright.views.shelf import Shelf
from cellwright_widgets.cards.record import record_html, record_text
from cellwright_widgets.live.interrupt import InterruptWatch
from cellwright_widgets.live.kernel_facts import cell_id, clicks_reach_awaiting_cells, execution
from cellwright_widgets.live.live_box import LiveBox
from cellwright_widgets.live.plot_gate import PlotGate

KEPT = 10
"""Views of ended runs that stay alive. A saved notebook may still hold the live view instead of the record, if its
page was left before it was saved; a page that opens it gets the record from here. Older views are closed, so that the
widgets of a long session stay few, but only those of which a page has said that the record stands in its document."""
SHELVES = 3
"""Ended runs whose tables and trees are still whole, so that `show(run)` can page and unfold them."""
_ended: list[LiveView] = []
"""The views that stay alive, the newest last."""
_going: dict[str, list[LiveView]] = {}
"""The views of the runs that go on, by the cell that started them when it was run last; run again, it stops them."""


class Interrupted(Exception):  # noqa: N818 (named for what the person did)
    """The person interrupted the cell while it waited for a run; the run has ended. Later cells are not run."""

    def _render_traceback_(self) -> list[str]:
        return [f"Interrupted: {self}"]


class LiveView:
    """An observer that shows a run in the cell that starts it."""

    def __init__(self, run: Run, title: str) -> None:
        self.run = run
        self.cell, self._execution = cell_id(), execution()
        self._box = LiveBox(run, title, self._is_watched)
        self.transcript, self.shelf, self.approver = self._box.transcript, self._box.shelf, self._box.approver
        self.approver.on_question = self._asked
        with self.transcript.hold_sync():
            self.transcript.shown, self.transcript.cell = self._box.model_id, self.cell or ""
        self._handle: Any = None
        self._interrupts = InterruptWatch(self._interrupt)
        self._plots = PlotGate()
        self._interrupted = False
        self._let_go = asyncio.Event()
        """The cell may stop waiting: the run has ended, or a question could not be answered while it waits."""

    def show(self) -> None:
        """Displays the view in the running cell, and stops the runs of the same cell from when it was run before."""
        if self.cell is not None:
            there = _going.get(self.cell, [])
            for earlier in there:
                if earlier._execution != self._execution:
                    earlier.run.cancel()
            _going[self.cell] = [*(view for view in there if view._execution == self._execution), self]
        self._handle = display(self._box, display_id=True)
        self._interrupts.begin()
        self._plots.begin()

    def show_in(self, place: ipywidgets.Box) -> None:
        """Puts the view into a box that is shown already. It stays there when the run has ended, and the run is not
        stopped by a cell that is run again."""
        self.cell = None
        self.transcript.cell = ""
        place.children = [self._box]

    def on_event(self, event: Event) -> None:
        """Hands the event to the transcript; at the end leaves the record behind."""
        self.transcript.on_event(event)
        if event.kind == "run_started":
            self._box.begin_pace()
        elif event.kind == "run_ended":
            self._settle()
        elif event.kind in ("undone", "redone") and self.run.is_done:
            self._leave_record()

    async def wait(self, run: Run) -> None:
        """Until the run has ended, or until a question that could not be answered while this cell waits.

        Raises:
            Interrupted: if the person interrupted the cell.
        """
        self._interrupts.arm()
        try:
            await self._let_go.wait()
            if self._interrupted:
                await run.wait()
                raise Interrupted(f"{run.id} was stopped, {quantity(run.steps, 'step')} done")
        finally:
            self._interrupts.disarm()

    def let_go(self) -> None:
        """Lets the cell that waits for the run end; the run goes on in the background."""
        self._let_go.set()

    def _is_watched(self) -> bool:
        """Whether there is a sign of a person: a page drew the transcript, or a front end runs the cells."""
        return self.transcript.was_seen or self.cell is not None

    def _asked(self, question: Question | Inquiry) -> None:
        self.transcript.wait_for_person(True)
        if not clicks_reach_awaiting_cells():
            self.let_go()

    def _interrupt(self) -> None:
        """Stops all runs of the cell: of several only the one that was shown last hears the interrupt."""
        for view in _going.get(self.cell or "", [self]):
            view._interrupted = True
            view.run.cancel()

    def _settle(self) -> None:
        """Replaces what is alive by the record."""
        self._interrupts.end()
        self._plots.end()
        self.transcript.flush()
        self._go_from_cell()
        self._leave_record()
        _ended.append(self)
        for old in _ended[:-SHELVES]:
            old.shelf.close()
        for old in _ended[:-KEPT]:
            if old.transcript.was_kept:
                _ended.remove(old)
                old._box.discard()
        self._let_go.set()

    def _go_from_cell(self) -> None:
        beside = _going.get(self.cell or "", [])
        if self in beside:
            beside.remove(self)
            if not beside:
                del _going[self.cell or ""]

    def _leave_record(self) -> None:
        """Puts the record in the place of the view; again when something of an ended run was undone."""
        events = self.transcript.events
        if self._handle is not None:
            record = {"text/html": record_html(events, self.transcript.title), "text/plain": record_text(events)}
            self._handle.update(record, raw=True)
            self.transcript.end(record)


def shelf_of(run: Run) -> Shelf | None:
    """The shelf of a run that has ended, if it is still kept."""
    return next((view.shelf for view in _ended if view.run is run), None)
