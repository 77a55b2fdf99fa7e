"""The model's own list of what there is to do, which the person can follow.

A model that works in many steps keeps a list, so that it forgets none and the person sees how far it is. The list is
written as a whole each time: there is one truth, and no step can get lost between two small changes. It belongs to
one run; a sub-agent has its own. The rule that must never break: a list that is kept has no step twice and at most
one step in progress, whatever was sent.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from cellwright.errors import ToolError
from cellwright.text.visible_text import mark_hidden

Status = Literal["pending", "in_progress", "completed"]
"""How far a step is."""
MARKS: dict[str, str] = {"pending": "[ ]", "in_progress": "[>]", "completed": "[x]"}
"""The statuses as plain text shows them."""


class Todo(Struct, frozen=True):
    """A list of steps. It is also the view of it.

    `Todo.of` is the way to make one that is checked.
    """

    items: tuple[tuple[str, Status], ...] = ()
    """Each step in words, in the order of the list, and how far it is."""
    kind: Literal["todo"] = "todo"

    @classmethod
    def of(cls, items: list[tuple[str, Status]]) -> Todo:
        """The list of these steps, each in one line.

        Raises:
            ToolError: `invalid_arguments` for a step without words, one that is there twice, or a second in progress.
        """
        steps = tuple((" ".join(content.split()), status) for content, status in items)
        places: dict[str, int] = {}
        for number, (content, _) in enumerate(steps, 1):
            if not content:
                raise ToolError("invalid_arguments", f"step {number} has no words; say what is to be done")
            if content in places:
                raise ToolError(
                    "invalid_arguments",
                    f"steps {places[content]} and {number} are both {content[:80]!r}; each step is there once",
                )
            places[content] = number
        busy = [content for content, status in steps if status == "in_progress"]
        if len(busy) > 1:
            raise ToolError(
                "invalid_arguments",
                f"{len(busy)} steps are in_progress ({busy[0][:80]!r}, {busy[1][:80]!r}); one at most is worked on, "
                "the others are pending or completed",
            )
        return cls(steps)

    @property
    def done(self) -> int:
        """How many steps are completed."""
        return sum(status == "completed" for _, status in self.items)

    @property
    def summary(self) -> str:
        """How far the list is, in a few words."""
        return f"{self.done} of {len(self.items)} done" if self.items else "nothing is on the list"


class TodoList:
    """The list of one run, as it is now."""

    def __init__(self, now: Todo | None = None) -> None:
        self.now = now or Todo()


def todo_text(todo: Todo) -> str:
    """The list as plain text, a line for each step, nothing hidden."""
    lines = (f"{MARKS.get(status, '[?]')} {mark_hidden(content)}" for content, status in todo.items)
    return "\n".join([todo.summary, *lines])
