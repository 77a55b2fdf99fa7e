"""A child kernel: a place to run cells in that may hang, crash or print for ever.

Chosen: jupyter_client directly instead of nbclient, because nbclient answers a timeout by raising, keeps outputs
without bound, gives late outputs to nobody and takes a cell's own death for the end of the notebook. What is left
of it after that is a loop over messages, which stands here where it can be read.

A cell always comes to an end: by itself, by its time limit (interrupted, and killed if it ignores that), or with its
kernel. The rule that must never break: whatever happens, `run` returns what the cell has put out so far, and says
whether the variables are still there.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty
from typing import Any, Literal

from jupyter_client.channels import AsyncZMQSocketChannel

from cellwright.cell_outputs import CellOutputs
from cellwright.errors import ToolError
from cellwright.kernel_outputs import KernelOutputs
from cellwright.kernel_prelude import PRELUDE
from cellwright.kernel_process import KernelProcess
from cellwright.messages import JsonObject

GRACE = 5.0
"""Seconds a cell gets to end after its interrupt."""
WATCH = 0.25
"""Seconds between two looks whether the kernel is alive."""
ASK_AGAIN = 0.2
"""Seconds of waiting for a message before the channel is asked anew."""
SILENCE = 10.0
"""Seconds without any output after which a cell that has ended is not waited for any more."""

Status = Literal["ok", "error", "timeout", "died"]
"""How a cell ended; `died` means its kernel did."""


@dataclass(frozen=True, slots=True)
class Execution:
    """One cell that was run."""

    status: Status
    execution_count: int | None
    message: str = ""
    """What there is to say beside the outputs: a timeout, a death, lost variables. Empty for an ordinary end."""
    cell: CellOutputs = field(default_factory=CellOutputs, repr=False)

    @property
    def outputs(self) -> list[JsonObject]:
        """The nbformat outputs in order of arrival. They go on living: updates and late prints still reach them."""
        return self.cell.outputs


@dataclass(frozen=True, slots=True)
class _Request:
    """A cell on its way: its outputs, the kernel's reply, and the word that all outputs were sent."""

    cell: CellOutputs
    reply: asyncio.Future[Mapping[str, Any]]
    idle: asyncio.Future[None]


class ChildKernel:
    """A kernel that belongs to one `async with` block and is gone after it, with all processes it started."""

    def __init__(self, kernel_name: str, cwd: Path, env: Mapping[str, str], prelude: str) -> None:
        self._new_process = functools.partial(KernelProcess, kernel_name, cwd, env)
        self._prelude = prelude
        self._process: KernelProcess | None = None
        self._readers: list[asyncio.Task[None]] = []
        self._requests: dict[str, _Request] = {}
        self._outputs = KernelOutputs()
        self._last_message = 0.0
        self._turn = asyncio.Lock()
        self._lost = ""

    @classmethod
    @contextlib.asynccontextmanager
    async def start(
        cls,
        kernel_name: str = "python3",
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        prelude: str = "",
    ) -> AsyncIterator[ChildKernel]:
        """Starts an installed kernel in a folder, with `env` added to this process's environment.

        `prelude` is Python that it runs before its first cell, and again if it had to be restarted. If the block
        ends by an exception, a cancellation for example, the kernel is killed at once.

        Raises:
            ToolError: `kernel_failed`.
        """
        kernel = cls(kernel_name, cwd or Path.cwd(), env or {}, prelude)
        try:
            await kernel._launch()
            yield kernel
            if kernel._process:
                await kernel._process.end()
        finally:
            kernel._discard()

    async def run(
        self, source: str, timeout: float | None = None, waited: Callable[[], float] = lambda: 0.0
    ) -> Execution:
        """Runs a cell to its end, or to its time limit in seconds. Cells asked for at once run one after another.

        `waited` tells the seconds so far that don't count, since the cell had to wait for this side.

        Raises:
            ToolError: `kernel_failed`, if a new kernel is needed and does not start.
        """
        async with self._turn:
            note = await self._revive()
            request = self._send(source)
            try:
                ending = await self._end_of(request, timeout, waited)
                if ending == "late":
                    return await self._overdue(request, timeout or 0.0, note)
            except asyncio.CancelledError:
                if self._process:
                    await self._process.interrupt()
                raise
            return self._execution(request, note) if ending == "done" else self._death(request)

    async def _end_of(
        self, request: _Request, timeout: float | None, waited: Callable[[], float] = lambda: 0.0
    ) -> Literal["done", "died", "late"]:
        loop = asyncio.get_running_loop()
        parts: set[asyncio.Future[Any]] = {request.reply, request.idle}
        deadline = float("inf") if timeout is None else loop.time() + timeout
        while True:
            pause = max(0.0, min(WATCH, deadline + waited() - loop.time()))
            _, waiting = await asyncio.wait(parts, timeout=pause)
            if not waiting:
                return "done"
            if not (self._process and self._process.is_alive()):
                await asyncio.wait(waiting, timeout=WATCH)  # the last messages are still on their way
                return "died" if not request.reply.done() else "done"
            if request.reply.done() and loop.time() - self._last_message > SILENCE:
                return "done"
            if loop.time() >= deadline + waited():
                return "late"

    def _execution(self, request: _Request, note: str) -> Execution:
        content = request.reply.result()["content"]
        status: Status = "ok" if content.get("status") == "ok" else "error"
        for page in content.get("payload") or ():
            if page.get("source") == "page":  # help text, for which a browser opens a pager
                request.cell.take("display_data", {"data": page.get("data") or {}, "metadata": {}}, "")
            if page.get("source") == "ask_exit":  # not obeyed by all kernels, so a cell after it may still run
                note += "The cell called exit() or quit()."
        if not request.idle.done():
            note += "The kernel did not say that all outputs were sent; some may be missing."
        return Execution(status, content.get("execution_count"), note, request.cell)

    async def _overdue(self, request: _Request, timeout: float, note: str) -> Execution:
        """Interrupts a cell that is over its time, and ends its kernel if it ignores that."""
        late = f"{note}The cell did not end within {timeout:g} s"
        if self._process:
            await self._process.interrupt()
        ending = await self._end_of(request, GRACE)
        if ending == "done":
            count = request.reply.result()["content"].get("execution_count")
            return Execution("timeout", count, f"{late} and was interrupted; variables are kept.", request.cell)
        self._discard()
        self._lost = "an earlier cell ignored its interrupt"
        how = f"ignored its interrupt for {GRACE:g} s" if ending == "late" else "took the kernel down when interrupted"
        message = (
            f"{late}, and {how}. The kernel was killed and is restarted for the next cell; all variables are lost."
        )
        return Execution("timeout", None, message, request.cell)

    def _death(self, request: _Request) -> Execution:
        how = f"{self._process.ending()}.{self._process.last_words()}" if self._process else "it is gone."
        self._discard()
        self._lost = "the kernel had died"
        return Execution("died", None, f"The kernel died: {how} All variables are lost.", request.cell)

    async def _revive(self) -> str:
        """Sees to it that there is a kernel; what the person must know if it is a new one."""
        if self._process and self._process.is_alive():
            return ""
        why = self._lost or "the kernel had died"
        self._discard()
        await self._launch()
        self._lost = ""
        return f"This cell ran in a new kernel, because {why}: variables of earlier cells are lost. "

    async def _launch(self) -> None:
        process = self._process = self._new_process()
        await process.start()
        self._readers = [
            asyncio.create_task(self._read(process.client.iopub_channel, self._hear)),
            asyncio.create_task(self._read(process.client.shell_channel, self._answer)),
        ]
        if process.language == "python":
            request = self._send(PRELUDE + self._prelude, silent=True)
            if await self._end_of(request, GRACE) == "died":
                raise ToolError("kernel_failed", f"The kernel did not start: {process.ending()}.{process.last_words()}")

    def _discard(self) -> None:
        for reader in self._readers:
            reader.cancel()
        self._readers = []
        self._requests.clear()
        if self._process:
            self._process.close()
        self._process = None

    def _send(self, source: str, *, silent: bool = False) -> _Request:
        if self._process is None:
            raise ToolError("kernel_failed", "There is no kernel; start another one")
        loop = asyncio.get_running_loop()
        msg_id = self._process.execute(source, silent=silent)
        request = _Request(self._outputs.open(msg_id), loop.create_future(), loop.create_future())
        self._requests[msg_id] = request
        return request

    async def _read(self, channel: AsyncZMQSocketChannel, use: Callable[[Mapping[str, Any]], None]) -> None:
        """Gives each message of a channel to `use`.

        The channel is asked anew at short intervals: sending on a socket can swallow the wake-up of a message that
        arrives at that moment.
        """
        while True:
            with contextlib.suppress(Empty, ValueError):  # ValueError: a message that isn't from this kernel
                use(await channel.get_msg(timeout=ASK_AGAIN))
            await asyncio.sleep(0)  # a kernel that floods its channel must not hold up everything else

    def _hear(self, message: Mapping[str, Any]) -> None:
        self._last_message = asyncio.get_running_loop().time()
        self._outputs.take(message)
        request = self._requests.get(message["parent_header"].get("msg_id", ""))
        is_idle = message["msg_type"] == "status" and message["content"].get("execution_state") == "idle"
        if request and is_idle and not request.idle.done():
            request.idle.set_result(None)

    def _answer(self, message: Mapping[str, Any]) -> None:
        request = self._requests.get(message["parent_header"].get("msg_id", ""))
        if request and message["msg_type"] == "execute_reply" and not request.reply.done():
            request.reply.set_result(message)
