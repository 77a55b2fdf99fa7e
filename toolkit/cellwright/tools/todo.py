"""`todo`: the model's own list of steps, shown to the person as it changes.

The whole list is sent each time and takes the place of the one before. It changes nothing but itself, so nobody is
asked about it; calls of it go one after another, in the order they were made. Without items the list is read back,
which a model needs whose earlier turns are gone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from cellwright.env import Env
from cellwright.messages import JsonObject
from cellwright.tool import Opinion, Output, tool
from cellwright.views.todo_list import Status, Todo, todo_text

MOST = 100
"""Steps of one list."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the list."""

    content: Annotated[str, Field(min_length=1, max_length=500, description="What is to be done, in one line.")]
    status: Annotated[Status, Field(description="How far it is.")]


def _only_lists(args: JsonObject, env: Env) -> tuple[Opinion, str]:
    return "allow", "it changes nothing but the list"


@tool(check_permission=_only_lists, read_only=True, origin="built-in")
def todo(env: Env, items: Annotated[list[Step], Field(max_length=MOST)] | None = None) -> Output:
    """Write your list of what there is to do, for work of three steps or more.

    Send the whole list each time; it takes the place of the one before. The person sees it. Keep one step
    in_progress while you work, mark it completed as soon as it is done, and not before. Without items, the list is
    only read back.

    Args:
        items: All steps in order; an empty list clears it.
    """
    if items is not None:
        env.todo.now = Todo.of([(step.content, step.status) for step in items])
    now = env.todo.now
    return Output(todo_value(now), todo_text(now), now)


def todo_value(now: Todo) -> JsonObject:
    """The list as plain JSON."""
    return {"items": [{"content": content, "status": status} for content, status in now.items], "done": now.done}
