"""A child kernel: a place to run cells in that may hang, crash or print for ever.

Chosen: jupyter_client directly instead of nbclient, because nbclient answers a timeout by raising, keeps outputs
without bound, gives late outputs to nobody and takes a cell's own death for the end of the notebook. What is left
of it after that is a loop over messages, which stands in `kernel_channels.py`.

A cell always comes to an end: by itself, by its time limit (interrupted, and killed if it ignores that), or with its
kernel. The rule that must never break: whatever happens, `run` returns what the cell has put out so far, and says
whether the variables are still there.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Literal

from msgspec import Struct, field

from cellwright.errors import ToolError
from cellwright.kernels.cell_outputs import CellOutputs
from cellwright.kernels.gateway import Gateway
from cellwright.kernels.gateway_kernel import GatewayKernel
from cellwright.kernels.kernel_channels import AnyKernel, KernelChannels, Request
from cellwright.kernels.kernel_outputs import KernelOutputs
from cellwright.kernels.kernel_prelude import PRELUDE
from cellwright.kernels.kernel_process import KernelProcess
from cellwright.messages import JsonObject

GRACE = 5.0
"""Seconds a cell gets to end after its interrupt."""

Status = Literal["ok", "error", "timeout", "died"]
"""How a cell ended; `died` means its kernel did."""


class Execution(Struct, frozen=True):
    """One cell that was run."""

    status: Status
    execution_count: int | None
    message: str = ""
    """What there is to say beside the outputs: a timeout, a death, lost variables. Empty for an ordinary end."""
    cell: CellOutputs = field(default_factory=CellOutputs)

    @property
    def outputs(self) -> list[JsonObject]:
        """The nbformat outputs in order of arrival. They go on living: updates and late prints still reach them."""
        return self.cell.outputs


class ChildKernel:
    """One kernel, started when it is first needed, and started anew after it was lost. `kill` leaves nothing of it.

    `env` is added to this process's environment; None takes a variable out. `prelude` is Python that a kernel of
    that language runs before its first cell, each time that it starts. With a `gateway` it runs on that server, in an
    environment that is the server's.
    """

    def __init__(
        self,
        kernel_name: str = "python3",
        cwd: Path | None = None,
        env: Mapping[str, str | None] | None = None,
        prelude: str = "",
        gateway: Gateway | None = None,
    ) -> None:
        self.kernel_name = kernel_name
        self.starts = 0
        """How often it was started; its variables are those since the last start."""
        self._new_process: Callable[[], AnyKernel] = (
            functools.partial(GatewayKernel, gateway, kernel_name, cwd or Path.cwd())
            if gateway
            else functools.partial(KernelProcess, kernel_name, cwd or Path.cwd(), env or {})
        )
        self._prelude = prelude
        self._process: AnyKernel | None = None
        self._channels: KernelChannels | None = None
        self._outputs = KernelOutputs()
        self._turn = asyncio.Lock()
        self.running: CellOutputs | None = None
        """What the cell that is running has put out so far."""
        self._given_up: Request | None = None
        self._lost = ""

    @classmethod
    @contextlib.asynccontextmanager
    async def start(
        cls,
        kernel_name: str = "python3",
        cwd: Path | None = None,
        env: Mapping[str, str | None] | None = None,
        prelude: str = "",
    ) -> AsyncIterator[ChildKernel]:
        """A kernel that belongs to one `async with` block. If the block ends by an exception, it is killed at once.

        Raises:
            ToolError: `kernel_failed`.
        """
        kernel = cls(kernel_name, cwd, env, prelude)
        try:
            await kernel.open()
            yield kernel
            await kernel.close()
        finally:
            kernel.kill()

    @property
    def is_alive(self) -> bool:
        """Whether there is a kernel, with the variables of all cells since its start."""
        return self._channels is not None and self._channels.process.is_alive()

    @property
    def language(self) -> str:
        """The language of its cells, in lower case; empty while it is not there."""
        return self._process.language if self._process else ""

    async def open(self) -> None:
        """Starts it, if it is not there.

        Raises:
            ToolError: `kernel_failed`.
        """
        async with self._turn:
            await self._there()

    async def run(
        self,
        source: str,
        timeout: float | None = None,
        waited: Callable[[], float] = lambda: 0.0,
        *,
        start: int | None = None,
        silent: bool = False,
        said: Callable[[str], None] | None = None,
    ) -> Execution:
        """Runs a cell to its end, or to its time limit in seconds. Cells asked for at once run one after another.

        `waited` tells the seconds so far that don't count, since the cell had to wait for this side. A cell that
        rests on what ran before names the `start` of the kernel that it is for, and runs in no later one. A silent one
        has no number, leaves nothing in the kernel's history, and does not cost the kernel its life if it hangs.
        `said` is told what the cell prints, as it comes.

        Raises:
            ToolError: `kernel_failed`, if a new kernel is needed and does not start.
        """
        async with self._turn:
            if start is not None and not (self.is_alive and self.starts == start):
                return self._gone()
            channels, note = await self._there()
            request = channels.send(source, silent=silent)
            self.running, request.cell.said = request.cell, said
            try:
                ending = await channels.end_of(request, timeout, waited)
                if ending == "late" and silent:
                    return await self._unanswered(request, timeout or 0.0)
                if ending == "late":
                    return await self._overdue(channels, request, timeout or 0.0, note)
            except asyncio.CancelledError:
                self._given_up = request
                await request.process.interrupt()
                raise
            finally:
                self.running, request.cell.said = None, None
            if request.ends_kernel:  # some kernels obey only once the next cell has begun, and some never
                await self.close("earlier code called exit() or quit()")
            return _ended(request, note) if ending == "done" else self._death(request)

    def part(self, cell: CellOutputs) -> CellOutputs:
        """What comes in for a cell from now on, apart from what is in its outputs by now."""
        return self._outputs.part(cell)

    async def interrupt(self) -> None:
        """Interrupts the cell that is running; it then ends as one that failed."""
        if self._channels:
            await self._channels.process.interrupt()

    async def close(self, why: str = "it was shut down") -> None:
        """Asks the kernel to end, and kills what is left of it. A cell that is running ends as one that died."""
        try:
            if self._process:
                await self._process.end()
        finally:
            self.kill(why)

    def kill(self, why: str = "it was shut down") -> None:
        """Ends the kernel at once, with all that it started; the next cell runs in a new one, and says why."""
        if self._process:
            self._lost = why
            self._process.close()
        if self._channels:
            self._channels.close()
        self._process = self._channels = None

    async def _there(self) -> tuple[KernelChannels, str]:
        """Sees to it that there is a kernel, free for the next cell; what is to be said if it is not the old one."""
        await self._settle()
        if self._channels and self.is_alive:
            return self._channels, ""
        why = self._lost or "the kernel had died"
        self.kill()
        channels = await self._launched()
        self.starts, self._lost = self.starts + 1, ""
        if self.starts == 1:
            return channels, ""
        return channels, f"This cell ran in a new kernel, because {why}: variables of earlier cells are lost."

    async def _settle(self) -> None:
        """Waits for the end of a cell that was given up; a kernel in which it does not end is given up, too."""
        left, self._given_up = self._given_up, None
        if left is None or self._channels is None or left.process is not self._process:
            return
        if await self._channels.end_of(left, GRACE) == "late":
            self.kill("an earlier cell that was stopped ignored its interrupt")

    async def _launched(self) -> KernelChannels:
        process = self._process = self._new_process()
        try:
            await process.start()
            channels = self._channels = KernelChannels(process, self._outputs)
            if process.language == "python":
                request = channels.send(PRELUDE + self._prelude, silent=True)
                if await channels.end_of(request, GRACE) == "died":
                    how = f"{process.ending()}.{process.last_words()}"
                    raise ToolError("kernel_failed", f"The kernel did not start: {how}")
        except BaseException:
            self.kill()
            raise
        return channels

    async def _unanswered(self, request: Request, timeout: float) -> Execution:
        """Gives up a cell of this side's own; whether the kernel is stuck is found out by the next one."""
        self._given_up = request
        await request.process.interrupt()
        return Execution("timeout", None, f"The kernel did not answer within {timeout:g} s.", request.cell)

    async def _overdue(self, channels: KernelChannels, request: Request, timeout: float, note: str) -> Execution:
        """Interrupts a cell that is over its time, and ends its kernel if it ignores that."""
        late = f"{note} The cell did not end within {timeout:g} s"
        await request.process.interrupt()
        ending = await channels.end_of(request, GRACE)
        if ending == "done":
            count = request.answer.get("execution_count")
            message = f"{late} and was interrupted; variables are kept.{_losses(request)}"
            return Execution("timeout", count, message.strip(), request.cell)
        if request.process is self._process:
            self.kill("an earlier cell ignored its interrupt")
        how = f"ignored its interrupt for {GRACE:g} s" if ending == "late" else "took the kernel down when interrupted"
        message = (
            f"{late}, and {how}. The kernel was killed and is restarted for the next cell; all variables are lost."
        )
        return Execution("timeout", None, message.strip(), request.cell)

    def _gone(self) -> Execution:
        """The end of a cell that was not begun, because its kernel is not there any more."""
        how = f"{self._lost or 'it is gone'}."
        if not self._lost and self._process:
            how = f"{self._process.ending()}.{self._process.last_words()}"
        self.kill(self._lost or "the kernel had died")
        return Execution("died", None, f"The kernel died before this cell was begun: {how} All variables are lost.")

    def _death(self, request: Request) -> Execution:
        if request.process is not self._process:  # this side ended it, and there may be another by now
            why = self._lost or "it was ended"
            return Execution("died", None, f"The kernel ended while the cell ran: {why}.", request.cell)
        how = f"{request.process.ending()}.{request.process.last_words()}"
        self.kill("the kernel had died")
        return Execution("died", None, f"The kernel died: {how} All variables are lost.", request.cell)


def _ended(request: Request, note: str) -> Execution:
    """A cell that came to its end by itself."""
    content = request.answer
    status: Status = "ok" if content.get("status") == "ok" else "error"
    for wish in request.payload:
        if wish.get("source") == "page" and isinstance(wish.get("data"), dict):  # help, for a browser's pager
            request.cell.take("display_data", {"data": wish["data"], "metadata": {}}, "")
    if request.ends_kernel:
        note += " The cell called exit() or quit(), which ended its kernel: all variables are lost."
    error = f"{content.get('ename')}: {content.get('evalue')}"
    told = (output["output_type"] == "error" or error in output.get("text", "") for output in request.cell.outputs)
    if content.get("ename") and not any(told):
        note += f" {error}"  # what is silent fails silently
    if not content:
        note += " The kernel did not say how the cell ended; if that goes on, restart it."
    note += _losses(request)
    return Execution(status, content.get("execution_count"), note.strip(), request.cell)


def _losses(request: Request) -> str:
    """What is known to be missing, or may be."""
    if not request.idle.done():
        return " The kernel did not say that all outputs were sent; some may be missing."
    lost = request.idle.result()
    why = "they came faster than they could be carried, or could not be read"
    return f" {lost:,} messages of its output were lost: {why}." if lost else ""
