"""A task whose first step is made at once, by who begins it.

Most async tools have their answer without waiting for anything. As an ordinary task such a tool costs two turns of the
event loop, which take longer than the tool. Python 3.12 knows tasks that begin at once; for 3.11 one is made here from
the functions that asyncio documents for that (Extending, Task lifetime support). The rule that must never break:
whatever the coroutine asks (which task is this, which context variables are set), it finds what any task would.
"""

from __future__ import annotations

import asyncio
import contextvars
import sys
from collections.abc import Coroutine, Generator
from typing import Any, Literal, TypeVar

T = TypeVar("T")


def begun(coroutine: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """The task of a coroutine, its first step made. In Python 3.11 the task tells of an early end a turn later."""
    loop = asyncio.get_running_loop()
    if sys.version_info >= (3, 12):
        return asyncio.Task(coroutine, loop=loop, eager_start=True)
    around, context = asyncio.current_task(loop), contextvars.copy_context()
    rest = Rest(coroutine)
    task: asyncio.Task[T] = asyncio.Task(rest, loop=loop, context=context)
    if around is not None:
        asyncio._leave_task(loop, around)
    asyncio._enter_task(loop, task)
    try:
        context.run(rest.begin)
    finally:
        asyncio._leave_task(loop, task)
        if around is not None:
            asyncio._enter_task(loop, around)
    return task


class Rest(Coroutine[Any, Any, T]):
    """What is left of a coroutine after its first step: nothing, or to wait for what that step gave, and to go on."""

    def __init__(self, coroutine: Coroutine[Any, Any, T]) -> None:
        self._coroutine = coroutine
        self._first: Any = None
        self._state: Literal["waits", "goes on", "returned", "raised"] = "waits"

    def begin(self) -> None:
        """Makes the first step."""
        try:
            self._first = self._coroutine.send(None)
        except StopIteration as end:
            self._first, self._state = end.value, "returned"
        except BaseException as error:  # the task tells of it, once its turn comes
            self._first, self._state = error, "raised"

    def send(self, value: Any) -> Any:  # noqa: ANN401 (as any coroutine)
        """Gives what the first step gave, then goes on."""
        if self._state == "goes on":
            return self._coroutine.send(value)
        first, self._first = self._first, None
        if self._state in ("returned", "raised"):
            raise StopIteration(first) if self._state == "returned" else first
        self._state = "goes on"
        return first

    def throw(self, *error: Any) -> Any:  # noqa: ANN401 (as any coroutine)
        """Raises it where the coroutine waits."""
        if self._state in ("returned", "raised"):
            return self.send(None)
        self._state = "goes on"
        return self._coroutine.throw(*error)

    def close(self) -> None:
        """Ends it where it waits."""
        self._coroutine.close()

    def __await__(self) -> Generator[Any, Any, T]:
        raise TypeError("this is the rest of a coroutine, for a task")
