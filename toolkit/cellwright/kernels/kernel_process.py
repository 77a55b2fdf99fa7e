"""The process of a child kernel: started, interrupted, watched, and gone without a trace at the end.

A kernel starts processes of its own, dies in the middle of a cell, or ignores every request. So it lives in a
session of its own, where the interrupt of its parent's keyboard does not reach it, has no keyboard, and is ended
with all its descendants. The rule that must never break: `kill` does not wait, so that it works while the caller is
itself being cancelled, and after `close` nothing of the kernel is left: no process, no socket, no file.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import psutil  # type: ignore[import-untyped]  # comes with ipykernel
import zmq
import zmq.asyncio
from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel
from jupyter_client.manager import AsyncKernelManager

from cellwright.commands.process_group import signal_group
from cellwright.errors import ToolError

START_TIMEOUT = 60.0
"""Seconds a kernel may take until it answers."""
POLITE = 2.0
"""Seconds it may take to end when asked."""


class KernelProcess:
    """One kernel from its start to its end; a restarted kernel is another one."""

    def __init__(self, kernel_name: str, cwd: Path, env: Mapping[str, str | None]) -> None:
        context = zmq.asyncio.Context()
        context.setsockopt(zmq.RCVHWM, 0)  # else zmq drops outputs when they come faster than they are read
        self._context = context
        self._manager = AsyncKernelManager(kernel_name=kernel_name, context=context)
        self._cwd = cwd
        self._env = {name: value for name, value in {**os.environ, **env}.items() if value is not None}
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `close`)
        self._popen: subprocess.Popen[bytes] | None = None
        self._said_before = 0
        self._descendants: list[psutil.Process] = []
        self.client: AsyncKernelClient = self._manager.client()

    @property
    def language(self) -> str:
        """The language of its cells, in lower case."""
        spec = self._manager.kernel_spec
        return str(spec.language).lower() if spec else ""

    async def start(self) -> None:
        """Starts it and waits until it answers.

        Raises:
            ToolError: `kernel_failed`, with what it said.
        """
        try:
            await self._manager.start_kernel(
                cwd=str(self._cwd),
                env=self._env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
            )
            self._popen = getattr(self._manager.provisioner, "process", None)
            self.client.load_connection_info(self._manager.get_connection_info())
            self.client.start_channels(hb=False)
            await self.client.wait_for_ready(timeout=START_TIMEOUT)
        except (RuntimeError, OSError, NoSuchKernel) as error:
            raise ToolError("kernel_failed", f"The kernel did not start: {error}.{self.last_words()}") from error

    def execute(self, source: str, *, silent: bool) -> str:
        """Sends a cell that can't ask for input; the id of the request."""
        self._said_before = self._errors.seek(0, os.SEEK_END)
        execute: Callable[..., str] = self.client.execute
        return execute(source, silent=silent, allow_stdin=False, stop_on_error=False)

    def is_alive(self) -> bool:
        """Whether the process still runs."""
        return self._popen is not None and self._popen.poll() is None

    def ending(self) -> str:
        """How the process ended, for people."""
        code = self._popen.poll() if self._popen else None
        if code is None:
            return "it is gone"
        if code >= 0:
            return f"it ended itself with exit code {code}"
        name = signal.Signals(-code).name if -code in list(signal.Signals) else f"signal {-code}"
        hint = ", as when memory runs out" if name == "SIGKILL" else ""
        return f"killed by {name}{hint}"

    def last_words(self) -> str:
        """The end of what the process itself wrote as errors since the cell was sent; empty if nothing."""
        self._errors.seek(max(self._said_before, self._errors.seek(0, os.SEEK_END) - 1_000))
        lines = self._errors.read().decode("utf-8", "replace").splitlines()
        said = "\n".join(line for line in lines if not line.startswith("[IPKernelApp] WARNING")).strip()
        return f" It said: {said}" if said else ""

    async def interrupt(self) -> None:
        """Interrupts the running cell; wakes a kernel that sleeps in an `await` and would not notice."""
        with contextlib.suppress(RuntimeError, OSError):
            await self._manager.interrupt_kernel()
            self.client.kernel_info()

    async def end(self) -> None:
        """Asks the kernel to end; what is still there after two seconds is for `close` to kill."""
        deadline = time.monotonic() + POLITE
        self._note_descendants()
        if self.is_alive():
            self.client.shutdown()
        while self.is_alive() and time.monotonic() < deadline:
            await asyncio.sleep(0.02)

    def kill(self) -> None:
        """Ends the process and all it started, at once."""
        if self._popen is None:  # its start was cancelled before it was told of
            self._popen = getattr(self._manager.provisioner, "process", None)
        if self._popen is None:
            return
        self._note_descendants()
        signal_group(self._popen, "kill")
        self._popen.kill()
        for process in self._descendants:
            with contextlib.suppress(psutil.Error):
                process.kill()

    def _note_descendants(self) -> None:
        """Once the kernel is gone nobody can tell any more which processes were its own."""
        with contextlib.suppress(psutil.Error):
            if self._popen and self.is_alive():
                self._descendants = psutil.Process(self._popen.pid).children(recursive=True)

    def close(self) -> None:
        """Kills what is left and gives back sockets and files."""
        self.kill()
        if self._popen is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._popen.wait(2)
        self.client.stop_channels()
        self._manager.cleanup_connection_file()
        self._context.destroy(linger=0)
        self._errors.close()


def installed_kernels() -> dict[str, str]:
    """The kernels that are installed: the language of each, by name."""
    found = KernelSpecManager().get_all_specs()
    return {name: str(found[name]["spec"].get("language", "")) for name in sorted(found)}
