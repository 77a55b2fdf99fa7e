"""The child kernels of one run, each by its name, from its first use to the end of the run.

Code that a model runs wants to go on from what earlier code has left, so a kernel is kept, not started for each call.
One belongs to the run itself; each notebook that is run has its own. The rule that must never break: when a run ends,
its kernels have ended, with all that they started.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from cellwright.errors import ToolError, unknown_name
from cellwright.kernels.code_piece import CodePiece
from cellwright.kernels.kernel_session import KernelSession
from cellwright.waiting.outlasting import outlast

if TYPE_CHECKING:
    from cellwright.kernels.gateway import Gateway

ADDRESS = "CELLWRIGHT_GATEWAY_URL"
"""The variable of the environment that names a server whose kernels are used, where the agent's set-up doesn't."""
AT_ONCE = 8
"""Kernels of one run that are there at the same time, at most; each takes the memory of a program."""


class Kernels:
    """The kernels of one run. `before` names those of the run that it goes on from, which ended with that.

    They run here, or on the server that a `gateway` leads to.
    """

    def __init__(self, before: tuple[str, ...] = (), gateway: Gateway | None = None) -> None:
        self.gateway = gateway
        self._held: dict[str, KernelSession] = {}
        self._before = set(before)
        self._pieces: dict[str, CodePiece] = {}

    def installed(self) -> dict[str, str]:
        """The kernels that there can be: the language of each, by name.

        Raises:
            ToolError: `gateway_failed`.
        """
        if self.gateway is not None:
            return self.gateway.kernels()
        from cellwright.kernels.kernel_process import installed_kernels

        return installed_kernels()

    def names(self) -> tuple[str, ...]:
        """The names of those that were started."""
        return tuple(self._held)

    def find(self, name: str) -> KernelSession | None:
        """The kernel of this name, if it was started."""
        return self._held.get(name)

    def session(
        self, name: str, kernel_name: str, cwd: Path, env: Mapping[str, str | None] | None = None
    ) -> KernelSession:
        """The kernel of this name; one that is not there yet is started in this folder when code first runs in it.

        Raises:
            ToolError: `too_many_kernels`.
        """
        held = self._held.get(name)
        if held is not None and held.kernel.kernel_name == kernel_name:
            return held
        if held is not None:
            held.kernel.kill("its notebook names another kernel now")
        there = [name for name, session in self._held.items() if session.is_there]
        if len(there) >= AT_ONCE:
            raise ToolError("too_many_kernels", f"{AT_ONCE} kernels are running ({', '.join(there)}); use one of these")
        from cellwright.kernels.child_kernel import ChildKernel  # kernels take a third of a second to import

        session = self._held[name] = KernelSession(name, ChildKernel(kernel_name, cwd, env, gateway=self.gateway))
        return session

    def ended_before(self, name: str) -> bool:
        """Whether an earlier run had a kernel of this name, whose variables are gone. Told once."""
        was = name in self._before
        self._before.discard(name)
        return was

    def begin(self, session: KernelSession, code: str, timeout: float | None) -> CodePiece:
        """Begins a piece of code that goes on in the background.

        Raises:
            ToolError: `kernel_busy`.
        """
        session.require_free()
        name = f"code-{len(self._pieces) + 1}"
        piece = self._pieces[name] = CodePiece(name, session, code, timeout)
        return piece

    def pieces(self) -> tuple[CodePiece, ...]:
        """Those that were begun in the background, in their order."""
        return tuple(self._pieces.values())

    def piece(self, name: str) -> CodePiece:
        """The piece of code of this name.

        Raises:
            ToolError: `not_found`, with the names that there are.
        """
        if name not in self._pieces:
            raise unknown_name("code", name, *self._pieces)
        return self._pieces[name]

    async def close(self) -> None:
        """Ends all, side by side."""
        ends = [asyncio.ensure_future(session.kernel.close()) for session in self._held.values()]
        ends += [asyncio.ensure_future(piece.end()) for piece in self._pieces.values()]
        await outlast(lambda: all(end.done() for end in ends), lambda: asyncio.wait(ends))


def gateway_of(given: Gateway | str | None) -> Gateway | None:
    """The server whose kernels are meant by a set-up: the one given, that of the environment, or none.

    Raises:
        UsageError: if its address can't be one.
    """
    address = os.environ.get(ADDRESS, "").strip() if given is None else given
    if not address:
        return None
    from cellwright.kernels.gateway import Gateway  # with all that speaks HTTP

    return Gateway(address) if isinstance(address, str) else address
