"""What else of a turn waits behind a question, and one button that allows all of it.

Three files to be written are three questions; a person who wants all three should see all three at once, and press
once. So everything that the button allows is drawn above it, as the question is, and nothing else is allowed: a call
that would do something else by its turn is asked about again. The rule that must never break: what can't be undone, or
can't be seen, is not among them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import ipywidgets

from cellwright.person.approval import Allow
from cellwright.person.question import Question, goes_with_others
from cellwright.text.quantity import quantity
from cellwright_widgets.drawing.node import element
from cellwright_widgets.questions.grant_choice import Make
from cellwright_widgets.questions.question_view import draw_entry, draw_waiting
from cellwright_widgets.questions.read_back import ReadBack


class TurnChoice:
    """The calls that wait behind one question. `answer` is called with those that were shown when it was pressed."""

    def __init__(
        self, question: Question, make: Make, back: ipywidgets.Button, answer: Callable[[Allow], None]
    ) -> None:
        self._question = question
        self._answer = answer
        self.listed: tuple[Question, ...] = ()
        """The calls that can be allowed together with the first."""
        self._alone: tuple[Question, ...] = ()
        self.place = ReadBack(make, back)
        self.widget = self.place.widget
        self.widget.add_class("cw-turn")

    @property
    def title(self) -> str:
        """What stands on the button that opens it."""
        return f"Allow all {1 + len(self.listed)} of these…"

    @property
    def remark(self) -> str:
        """What is said of the calls that wait, in a line; empty if none does."""
        count = len(self.listed) + len(self._alone)
        return f"{quantity(count, 'more call')} of this turn will be asked about after it." if count else ""

    def tell(self, waiting: Sequence[Question]) -> bool:
        """Takes what waits now; whether that is news. Where the list is open it is drawn anew, with a new button."""
        is_open = self.place.is_open
        listed = tuple(filter(goes_with_others, waiting)) if goes_with_others(self._question) else ()
        alone = tuple(question for question in waiting if question not in listed)
        if [q.facts for q in (*listed, *alone)] == [q.facts for q in (*self.listed, *self._alone)]:
            return False
        self.listed, self._alone = listed, alone
        if is_open:
            self.show()
        return True

    def show(self) -> None:
        """Draws each of them, and a button that allows these and no others."""
        listed = self.listed
        first = element("section", "cw-waiting", draw_entry(self._question, 1), "The call above.")
        rows = [first, *(draw_waiting(question, number) for number, question in enumerate(listed, 2))]
        rest = [
            element("p", "cw-why", "Not among these, and asked about by itself, since it can't be undone or seen:"),
            *(draw_waiting(question) for question in self._alone),
        ]
        drawn = element("div", "cw-waiting-list", *rows, *(rest if self._alone else []))
        self.place.show(drawn, f"Allow exactly these {len(rows)}", "primary", lambda: self._answer(Allow(also=listed)))

    def close(self) -> None:
        """The list is not shown, and its button does nothing."""
        self.place.close()
