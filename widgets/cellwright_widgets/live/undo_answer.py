"""Answers the undo buttons of a live run: does it, and draws the line of the card as it stands then.

It works on the event loop of the run, where no call begins meanwhile. What a page sends is not trusted: a call is
looked up in the log, and what can't be undone is refused there. The rule that must never break: a refusal is shown
where the person has pressed.
"""

from __future__ import annotations

from cellwright.errors import UndoError, UsageError
from cellwright.undo.undoable import Undoable
from cellwright_widgets.cards.undo_bar import draw_plan, draw_undo, refusal
from cellwright_widgets.drawing.node import Node
from cellwright_widgets.drawing.press import Press


class UndoAnswer:
    """Who answers the undo buttons of one run."""

    def __init__(self, run: Undoable) -> None:
        self._run = run

    async def answer(self, press: Press) -> Node:
        """Does what the button says, and gives the line of the card anew.

        Raises:
            UndoError: if the page names a call that has changed nothing.
        """
        call_id, act = str(press.facts.get("call", "")), press.facts.get("act")
        said: list[Node] = []
        try:
            if act == "plan":
                return draw_plan(call_id, self._run.undoing().plan(call_id))
            self._do(call_id, act)
        except UsageError as error:
            said = [refusal(str(error))]
        effect = next((effect for effect in self._run.effects if effect.call_id == call_id and effect.changes), None)
        if effect is None:
            raise UndoError(f"no call {call_id!r:.80} has changed a file")
        return draw_undo(call_id, effect.paths, effect.is_undone, *said)

    def _do(self, call_id: str, act: object) -> None:
        match act:
            case "undo":
                self._run.undo(call_id)
            case "redo":
                self._run.redo(call_id)
            case "undo_to":
                self._run.undo_to(call_id)
