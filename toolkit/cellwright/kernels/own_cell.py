"""Code run in the person's own kernel, as one of their cells would, from inside of that kernel.

The shell runs it the way it runs a cell, magics, top-level `await` and plots included, but it takes no number and
leaves `In`, `Out` and `_` to the person. Its variables are theirs. What it puts out is kept apart, and it is
interrupted at its time limit, as far as that can be done from within.

The rule that must never break: one piece of code at a time, and the result says what became of it, also where it
could not be ended.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct

from cellwright.kernels.interruption import Interruption
from cellwright.kernels.own_shell import until_free
from cellwright.kernels.shell_capture import ShellCapture
from cellwright.messages import JsonObject

GRACE = 2.0
"""Seconds that code gets to end after its time is over, where it only awaits; code that computes can't be left."""
_turn = asyncio.Lock()
"""Held while code runs. There is one shell in a process, and one thread for it."""

Ending = Literal["ok", "error", "timeout", "interrupted", "still_running"]


class OwnCell(Struct, frozen=True):
    """Code that was run, or still runs."""

    ending: Ending
    """`timeout` and `interrupted`: it was, and ended by it; what ignored an interrupt ends as it does without one."""
    outputs: list[JsonObject]
    seconds: float
    variables: tuple[str, ...] = ()
    """The names that it bound in the person's namespace, anew or once more."""
    ignored: int = 0
    """Interrupts at its time limit that it did not heed."""
    frame: object = None
    """The value of the last line, if it is a data frame."""


class BusyError(Exception):
    """A cell of the person's runs, or other code of an agent."""


async def run_own_cell(
    shell: Any,  # noqa: ANN401 (the core doesn't import IPython, so it has no type of it)
    source: str,
    seconds: float,
    tell: Callable[[str], None],
    *,
    is_awaited: Callable[[], bool],
) -> OwnCell:
    """Runs code as soon as no cell runs, or within the cell that waits for it; `tell` hears what it prints.

    Raises:
        BusyError: if a cell runs for all of these seconds.
    """
    await _take_turn(shell, seconds, is_awaited)
    capture = ShellCapture(shell, source, tell)
    interruption = Interruption(_execution(shell, source), seconds, capture.context())
    interruption.task.add_done_callback(lambda _: _turn.release())
    before, started = _names(shell), time.monotonic()
    with capture:
        interruption.begin()
        try:
            await asyncio.wait({interruption.task}, timeout=seconds + GRACE)
        except asyncio.CancelledError:
            interruption.task.cancel()
            await asyncio.wait({interruption.task})
            raise
        finally:
            interruption.end()
    took = time.monotonic() - started
    bound = tuple(sorted(name for name, value in _names(shell).items() if before.get(name) != value))
    ending = _ending(interruption)
    ignored = interruption.by_clock - (ending == "timeout")
    return OwnCell(ending, capture.cell.outputs, took, bound, ignored, capture.frame)


async def _take_turn(shell: Any, seconds: float, is_awaited: Callable[[], bool]) -> None:  # noqa: ANN401 (as above)
    try:
        await asyncio.wait_for(_turn.acquire(), seconds)
    except TimeoutError:
        raise BusyError("other code of an agent runs in the kernel") from None
    try:
        if not await until_free(shell, seconds, is_awaited):
            raise BusyError("a cell runs in the kernel")
    except BaseException:
        _turn.release()
        raise


async def _execution(shell: Any, source: str) -> Any:  # noqa: ANN401 (as above)
    """What a kernel does for a cell; IPython's result."""
    failed = None
    try:
        cell = shell.transform_cell(source)
    except Exception:  # shown by the shell as the traceback of the cell
        cell, failed = source, sys.exc_info()
    result = None
    try:
        result = await shell.run_cell_async(
            source, store_history=False, transformed_cell=cell, preprocessing_exc_tuple=failed
        )
    finally:
        shell.events.trigger("post_execute")  # plots are displayed by this
        if result is not None:
            shell.events.trigger("post_run_cell", result)
    return result


def _ending(interruption: Interruption) -> Ending:
    task = interruption.task
    if not task.done():
        return "still_running"
    result: Any = None if task.cancelled() else task.result()
    if getattr(result, "success", False):
        return "ok"
    if interruption.by_person:
        return "interrupted"
    return "timeout" if interruption.by_clock else "error"


def _names(shell: Any) -> dict[str, int]:  # noqa: ANN401 (as above)
    """The person's variables, each with the identity of its value."""
    hidden = shell.user_ns_hidden
    return {name: id(value) for name, value in shell.user_ns.items() if not name.startswith("_") and name not in hidden}
