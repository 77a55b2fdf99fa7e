"""A piece of code that goes on in a kernel while the run does other things.

A training takes an hour; meanwhile a model can read, edit, and ask now and then how far it is. The rule that must
never break: what came of it is told to whoever asks, and unasked where nobody has; and it ends with its run.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from cellwright.errors import ToolError
from cellwright.kernels.cell_outputs import CellOutputs

if TYPE_CHECKING:
    from cellwright.kernels.child_kernel import Execution
    from cellwright.kernels.kernel_session import KernelSession


class CodePiece:
    """Begun on the running event loop, in a kernel that is free, for so many seconds at most if a limit is given."""

    def __init__(self, name: str, session: KernelSession, code: str, timeout: float | None) -> None:
        self.name = name
        self.session = session
        self.is_told = False
        """Whether somebody was told what came of it."""
        self._task = asyncio.get_running_loop().create_task(session.run(code, timeout))

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self._task.done()

    def execution(self) -> Execution:
        """What came of it, or what it has put out so far.

        Raises:
            ToolError: `kernel_failed` if its kernel did not start.
        """
        if self._task.done() and not self._task.cancelled():
            self.is_told = True
            return self._task.result()
        from cellwright.kernels.child_kernel import Execution  # with what speaks to kernels: a third of a second

        if self._task.done():
            raise ToolError("cancelled", f"{self.name} was ended")
        return Execution("ok", None, "It is still running.", self.session.kernel.running or CellOutputs())

    async def wait(self, timeout: float | None) -> bool:
        """Until it has ended, or so many seconds have passed; whether it has."""
        await asyncio.wait({self._task}, timeout=timeout)
        return self.is_over

    async def end(self) -> None:
        """Gives it up, and waits until its task has ended."""
        self._task.cancel()
        await asyncio.wait({self._task})
