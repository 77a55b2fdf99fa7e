"""What a run can take back, be it going on, over or loaded from its log: the same words for all of them.

A person who sees a call that should not have been wants one word for that, `run.undo("call-3")`, and wants it to mean
the same tomorrow in another kernel. So the words stand here once, over `Undoing`, which knows how; whoever has a log, a
working folder and the copies has them. The rule that must never break: nothing here decides anything.
"""

from __future__ import annotations

from cellwright.undo.effect import Effect
from cellwright.undo.undoing import Undoing, UndoPlan


class Undoable:
    """Something whose calls can be undone."""

    def undoing(self) -> Undoing:
        """Who knows how."""
        raise NotImplementedError

    @property
    def effects(self) -> tuple[Effect, ...]:
        """What its calls did: which files they changed, and what no undo takes back."""
        return self.undoing().effects

    def undo(self, call_id: str) -> Effect:
        """Brings the files of a call back to what they were before it.

        Raises:
            UndoError: if that can't be, as when somebody else has changed one since; nothing was changed.
        """
        return self.undoing().undo(call_id)

    def redo(self, call_id: str) -> Effect:
        """Does again what was undone.

        Raises:
            UndoError: if that can't be; nothing was changed.
        """
        return self.undoing().redo(call_id)

    def undo_to(self, place: str | int) -> UndoPlan:
        """Undoes a call and all calls after it, or all from a step on; `undoing().plan(place)` says beforehand which.

        Raises:
            UndoError: if one of them can't be undone.
        """
        return self.undoing().undo_to(place)
