"""The door through which code in a child kernel calls tools: a server on this machine's own loopback address.

Chosen: plain connections instead of the kernel's own messages, because what these can do differs between the
versions of ipykernel, and a connection tells by its end that nobody waits any more. A request is three lines: the
token, the name of the tool, the arguments as JSON; the answer is one line of JSON. The rule that must never break:
whatever comes in (garbage, silence, a line without end, a caller that dies) costs that connection and nothing else.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, TypeVar

from cellwright.code_mode.code_client import MAX_REQUEST, OPEN_CALLS, PATIENCE
from cellwright.messages import JsonObject
from cellwright.waiting.outlasting import outlast

Answering = Callable[[str, str], Coroutine[Any, Any, JsonObject]]
"""Takes the name of a tool and the text of its arguments to an answer. Cancelled when nobody waits for it any more."""
MAX_TASKS = 6 * OPEN_CALLS
"""Up to three for a connection. Code that opens connections without end must not use up the files of this process."""
Done = TypeVar("Done")


class CodeBridge:
    """A server that belongs to one `async with` block; after it no connection and no task is left."""

    def __init__(self, answer: Answering) -> None:
        self.port = 0
        self.token = secrets.token_urlsafe(32)
        """Known to the child alone; other programs of this machine can reach the port, too."""
        self._answer = answer
        self._tasks: set[asyncio.Task[Any]] = set()

    @classmethod
    @contextlib.asynccontextmanager
    async def open(cls, answer: Answering) -> AsyncIterator[CodeBridge]:
        """Listens on a free port until the block ends."""
        bridge = cls(answer)
        server = await asyncio.start_server(bridge._take, "127.0.0.1", 0, limit=MAX_REQUEST)
        bridge.port = server.sockets[0].getsockname()[1]
        try:
            yield bridge
        finally:
            server.close()
            await bridge._hang_up()

    def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._tasks) < MAX_TASKS:
            self._begin(self._serve(reader, writer))
        else:
            writer.transport.abort()

    def _begin(self, work: Coroutine[Any, Any, Done]) -> asyncio.Task[Done]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, EOFError, TimeoutError, asyncio.LimitOverrunError):
            try:
                async with asyncio.timeout(PATIENCE):
                    token, name, arguments = [(await reader.readuntil(b"\n"))[:-1] for _ in range(3)]
                if secrets.compare_digest(token, self.token.encode()):
                    await self._converse(
                        name.decode("utf-8", "replace"), arguments.decode("utf-8", "replace"), reader, writer
                    )
            finally:
                writer.transport.abort()

    async def _converse(
        self, name: str, arguments: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Answers, unless the other side leaves before; then waits until it has taken the answer and leaves."""
        answering, leaving = self._begin(self._answer(name, arguments)), self._begin(_departure(reader))
        try:
            await asyncio.wait({answering, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not leaving.done():
                writer.write(json.dumps(answering.result()).encode() + b"\n")
                await asyncio.wait({leaving})
        finally:
            stop(leaving, answering)

    async def _hang_up(self) -> None:
        """Ends all that goes on, however often the waiting for that is cancelled: a call ends within its grace."""
        await outlast(lambda: not self._tasks, self._end_all)

    async def _end_all(self) -> None:
        stop(*self._tasks)
        await asyncio.wait(self._tasks)


def stop(*tasks: asyncio.Task[Any]) -> None:
    """Cancels them, each once: a second time would cut the grace short in which a call comes to its end."""
    for task in tasks:
        if not task.cancelling():
            task.cancel()


async def _departure(reader: asyncio.StreamReader) -> None:
    """Until the other side closes the connection, or says something that it has no reason to say."""
    with contextlib.suppress(OSError):
        await reader.read(1)
