"""What is alive of a run on a page: the transcript that grows, and under it the questions, both wired to the run.

A run is shown in the cell that started it, or in a chat panel; what is pressed in it means the same in both places.
The rule that must never break: wherever it is shown, Stop stops this run, and its questions stand under it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets

from cellwright.person.question import Question
from cellwright.runs.run import Run
from cellwright.views.inquiry import Inquiry
from cellwright.views.shelf import ROOM, Shelf
from cellwright_widgets.cards.undo_bar import TO
from cellwright_widgets.drawing import table_view, tree_view
from cellwright_widgets.drawing.tree_view import TreeBranches
from cellwright_widgets.live.pace import Pace
from cellwright_widgets.live.table_pages import TablePages
from cellwright_widgets.live.transcript import Transcript
from cellwright_widgets.live.undo_answer import UndoAnswer
from cellwright_widgets.questions.widget_approver import WidgetApprover


class LiveBox(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """The transcript and the questions under it, with the transcript's fallback for pages without widgets.

    `watched` says whether there is a sign of a person who could answer.
    """

    def __init__(self, run: Run, title: str, watched: Callable[[], bool]) -> None:
        self._run = run
        self.transcript = Transcript(title)
        self.transcript.on_stop.append(run.cancel)
        self.shelf = Shelf(ROOM)
        """What the views of the run show a part of, for as long as they live."""
        self.transcript.presses.answerers |= {
            table_view.ANSWERER: TablePages(self.shelf).answer,
            tree_view.ANSWERER: TreeBranches(self.shelf).answer,
            TO: UndoAnswer(run).answer,
        }
        questions = ipywidgets.VBox()
        self.approver = WidgetApprover(questions, watched)
        self.approver.on_question = self._asked
        self.on_question: list[Callable[[], None]] = []
        """Called when a question is first shown."""
        self.approver.on_settled = lambda: self.transcript.wait_for_person(False)
        super().__init__([self.transcript, questions])
        self.add_class("cw-run")

    def begin_pace(self) -> None:
        """Shows how the run goes on, once it has begun, and what pauses it and takes it on."""
        if self._run.pauses is not None:
            pace = Pace(self._run)
            self._run.pauses.watchers.append(lambda: self.transcript.show_pace(pace))
            self.transcript.show_pace(pace)

    def _asked(self, _: Question | Inquiry) -> None:
        self.transcript.wait_for_person(True)
        for listener in self.on_question:
            listener()

    def discard(self) -> None:
        """Frees its widgets."""
        for widget in (*self.children, self):
            widget.layout.close()
            widget.close()

    def __repr__(self) -> str:
        return repr(self.transcript)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:  # noqa: ANN401 - IPython's protocol
        return {**super()._repr_mimebundle_(**kwargs), **self.transcript.fallback()}
