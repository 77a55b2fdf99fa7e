"""One kernel that a run holds on to, with what is known of it: what ran there, and what still comes in.

The same kernel serves the cells of a notebook and the code that a model tries beside them, so that both see the same
variables. The rule that must never break: what is known is known of the kernel as it is now; with a kernel that has
died or was started anew, all of it is forgotten.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING

from cellwright.errors import ToolError
from cellwright.kernels.cell_outputs import CellOutputs
from cellwright.kernels.kernel_ledger import KernelLedger
from cellwright.messages import JsonObject

if TYPE_CHECKING:
    from cellwright.kernels.child_kernel import ChildKernel, Execution

KEPT = 20
"""Pieces of code that are still listened to after their end."""
SOON = 0.05
"""Seconds between two looks whether code that waits for its kernel has begun."""


class KernelSession:
    """A child kernel by its name in the run, which is its kernel's, or the path of a notebook."""

    def __init__(self, name: str, kernel: ChildKernel) -> None:
        self.name = name
        self.kernel = kernel
        self._ledger = KernelLedger()
        self._start = kernel.starts
        self._begun: float | None = None
        self._free = asyncio.Event()
        self._free.set()
        self._late: deque[CellOutputs] = deque(maxlen=KEPT)

    @property
    def ledger(self) -> KernelLedger:
        """What the kernel as it is now has run."""
        if not self.kernel.is_alive or self.kernel.starts != self._start:
            self._ledger, self._start = KernelLedger(), self.kernel.starts
        return self._ledger

    @property
    def busy_for(self) -> float | None:
        """Seconds for which code has been running in it; None if it is free."""
        return None if self._begun is None else time.monotonic() - self._begun

    @property
    def is_there(self) -> bool:
        """Whether its kernel lives, or is being started for code."""
        return self.kernel.is_alive or self.busy_for is not None

    def require_free(self) -> None:
        """Raises:
        ToolError: `kernel_busy`, if something is running in it.
        """
        if self.busy_for is not None:
            what = f"code has been running in the kernel {self.name} for {self.busy_for:.0f} s"
            raise ToolError(
                "kernel_busy", f"{what}, which does one thing at a time; wait for it, or use interrupt_kernel"
            )

    async def interrupt(self, timeout: float) -> bool:
        """Interrupts the code that is running; whether it has ended after so many seconds at most."""
        while self.busy_for is not None and self.kernel.running is None:
            await self._settled(SOON)  # its kernel is being started, which must not be interrupted
        await self.kernel.interrupt()
        return await self._settled(timeout)

    async def _settled(self, timeout: float) -> bool:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._free.wait(), timeout)
        return self._free.is_set()

    def news(self) -> tuple[JsonObject, ...]:
        """What earlier pieces of code put out after their end, by threads for example, and nobody was told yet."""
        late = [cell.outputs for cell in self._late]
        parts = [self.kernel.part(cell) if outputs else cell for cell, outputs in zip(self._late, late, strict=True)]
        self._late = deque(parts, KEPT)
        return tuple(output for outputs in late for output in outputs)

    async def run(self, source: str, timeout: float | None, said: Callable[[str], None] | None = None) -> Execution:
        """Runs code for so many seconds at most; `said` is told what it prints, as it comes.

        Raises:
            ToolError: `kernel_failed`.
        """
        async with self._busy():
            execution = await self.kernel.run(source, timeout, said=said)
        self.ledger.other_code += 1
        self._late.append(self.kernel.part(execution.cell))
        return execution

    async def run_cell(self, cell: tuple[str, str], source: str, timeout: float, start: int) -> Execution:
        """Runs a cell, given its name and version, in the kernel as it was started that time, and in no later one."""
        self.ledger.forget(cell[0])
        async with self._busy():
            execution = await self.kernel.run(source, timeout, start=start)
        if execution.status == "ok":
            self.ledger.note(*cell)
        return execution

    async def ask(self, source: str, timeout: float) -> Execution:
        """Runs code of this side's own, which leaves no trace in the kernel as it is now."""
        async with self._busy():
            return await self.kernel.run(source, timeout, start=self.kernel.starts, silent=True)

    @contextlib.asynccontextmanager
    async def _busy(self) -> AsyncIterator[None]:
        self._begun = time.monotonic()
        self._free.clear()
        try:
            yield
        finally:
            self._begun = None
            self._free.set()
