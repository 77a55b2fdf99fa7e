"""The process of an MCP server: started, spoken with line by line, and gone with all its children at the end.

A server writes one message a line on its standard output. It may also write nonsense, a line without an end, or never
read what it is sent; it may die at any moment. It lives in a session of its own, where the interrupt of a keyboard does
not reach it, and gets only the harmless part of the environment. The transport of the SDK has no bound for a line, so
this is our own. The rule that must never break: what is kept of what a server says is bounded, and its end is noticed.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from cellwright.commands.process_group import signal_group

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.shared.message import SessionMessage

    Streams: TypeAlias = tuple[
        MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]
    ]

MAX_LINE = 16_000_000
"""Bytes of one message; a server that sends more is ended."""
MAX_WORDS = 2_000
"""Characters of what it says beside the protocol that are kept."""
POLITE = 2.0
"""Seconds it may take to end once its input is closed."""


class ServerProcess:
    """One process from its start to its end; a server that is started again is another one."""

    def __init__(self, command: Sequence[str], cwd: Path | None = None, env: Mapping[str, str] | None = None) -> None:
        self._command, self._cwd, self._env = tuple(command), cwd, dict(env or {})
        self._said = ""
        self._why = ""
        self.ended = asyncio.Event()
        """Set once it says nothing more, whether it is dead or was cut off."""
        self.pid = 0

    @property
    def ending(self) -> str:
        """Why it ended, with the last that it said beside the protocol."""
        said = f"; the last it said: {self._said.strip()}" if self._said.strip() else ""
        return (self._why or "its process ended") + said

    @contextlib.asynccontextmanager
    async def streams(self) -> AsyncIterator[Streams]:
        """Starts it; the streams of its messages and of those for it. At the end nothing of it is left.

        Raises:
            OSError: if it can't be started.
        """
        import anyio
        from mcp.client.stdio import get_default_environment
        from mcp.shared.message import SessionMessage

        process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=self._cwd,
            env=get_default_environment() | self._env,
            start_new_session=True,
            limit=MAX_LINE,
        )
        self.pid = process.pid
        inward, messages = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        outward, to_write = anyio.create_memory_object_stream[SessionMessage](0)
        tasks = [
            asyncio.create_task(self._read(process, inward)),
            asyncio.create_task(self._write(process, to_write)),
            asyncio.create_task(self._listen(process)),
        ]
        try:
            yield messages, outward
        finally:
            for stream in (messages, outward, inward, to_write):
                stream.close()
            try:
                await _end(process, 0 if self._why else POLITE)
                await asyncio.wait(tasks, timeout=POLITE)  # its pipes are at their end, unless a descendant got away
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.wait(tasks)

    async def _read(
        self, process: asyncio.subprocess.Process, inward: MemoryObjectSendStream[SessionMessage | Exception]
    ) -> None:
        """Passes on the messages; a line that is none is kept among its words."""
        import anyio
        from mcp.shared.message import SessionMessage
        from mcp_types import jsonrpc_message_adapter

        output = _pipe(process.stdout)
        try:
            with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                while line := await output.readline():
                    try:
                        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
                    except ValueError:
                        self._note(line)
                        continue
                    await inward.send(SessionMessage(message))
        except ValueError:
            self._why = f"it sent a message of over {MAX_LINE:,} bytes"
        finally:
            self.ended.set()
            inward.close()
        while await output.read(MAX_LINE):  # what nobody reads would keep it from ending
            pass

    async def _write(
        self, process: asyncio.subprocess.Process, to_write: MemoryObjectReceiveStream[SessionMessage]
    ) -> None:
        if process.stdin is None:
            return
        with contextlib.suppress(OSError):
            async for item in to_write:
                process.stdin.write(item.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
                await process.stdin.drain()
        to_write.close()

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        while said := await _pipe(process.stderr).read(MAX_WORDS):
            self._note(said)

    def _note(self, said: bytes) -> None:
        self._said = (self._said + said[-4 * MAX_WORDS :].decode(errors="replace"))[-MAX_WORDS:]


def _pipe(pipe: asyncio.StreamReader | None) -> asyncio.StreamReader:
    if pipe is None:
        raise LookupError("the process was started without this pipe")
    return pipe


async def _end(process: asyncio.subprocess.Process, patience: float) -> None:
    """Closes its input, which asks it to end; then its whole group is killed, since children may outlive it."""
    if process.stdin is not None:
        process.stdin.close()
    try:
        await _exited(process, patience)
    finally:
        signal_group(process, "kill")
    await _exited(process, POLITE)


async def _exited(process: asyncio.subprocess.Process, patience: float) -> None:
    """Waits for its exit. `process.wait` would wait for the pipes, too, which its children may hold."""
    loop = asyncio.get_running_loop()
    latest = loop.time() + patience
    while process.returncode is None and loop.time() < latest:
        await asyncio.sleep(0.01)
