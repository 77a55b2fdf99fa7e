"""A server of a model on loopback, with all the troubles of real ones; it keeps what it was asked, byte for byte."""

import asyncio
import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

GONE = 10.0
"""Seconds that a stalled stream waits for the client to go."""


@dataclass(frozen=True)
class Answer:
    """What one request gets."""

    chunks: Sequence[bytes] = ()
    status: int = 200
    headers: dict = field(default_factory=dict)
    then: str = "end"
    """`end`: the body ends as it should; `cut`: the connection is dropped in it; `stall`: nothing more comes."""
    content_type: str = "text/event-stream"


def refusing(status: int, message: str = "no", headers=None) -> Answer:
    """An answer that is an error, as all providers write it."""
    error = {"type": "x", "message": message, "code": status, "status": "X"}
    text = json.dumps({"type": "error", "error": error}).encode()
    return Answer([text], status, headers or {}, content_type="application/json")


@dataclass
class Asked:
    """A request as it came."""

    method: str
    path: str
    headers: dict
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)


class WireServer:
    """Plays answers, one for each request, the last one for ever."""

    def __init__(self, answers: Sequence[Answer]) -> None:
        self.asked: list[Asked] = []
        self.left = threading.Event()
        """Set when a client has gone from a stream that was not at its end."""
        self.idle = threading.Event()
        """Set while nobody is connected."""
        self.connections = 0
        self.port = 0
        self._answers = list(answers)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def on_client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.idle.clear()
        self.connections += 1
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                while await self._serve(reader, writer):
                    pass
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()
            self.idle.set()

    async def _serve(self, reader, writer) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, path, _ = head[0].split(" ")
        headers = dict(line.lower().split(": ", 1) for line in head[1:] if ": " in line)
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        self.asked.append(Asked(method, path, headers, body))
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        return await self._play(answer, reader, writer)

    async def _play(self, answer: Answer, reader, writer) -> bool:
        headers = {"content-type": answer.content_type, "transfer-encoding": "chunked", **answer.headers}
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        writer.write(f"HTTP/1.1 {answer.status} X\r\n{lines}\r\n".encode())
        try:
            for chunk in answer.chunks:
                writer.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
                await writer.drain()
        except ConnectionError:
            self.left.set()
            raise
        if answer.then == "cut":
            return False
        if answer.then == "stall":
            if await has_left(reader):
                self.left.set()
            return False
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True


async def has_left(reader: asyncio.StreamReader) -> bool:
    """Waits for the client to go; one with something left to read goes with a reset."""
    try:
        async with asyncio.timeout(GONE):
            return not await reader.read(1)
    except ConnectionError:
        return True
    except TimeoutError:
        return False


@contextmanager
def serving(*answers: Answer) -> Iterator[WireServer]:
    """A server in a thread of its own, so that a script without an event loop can talk to it."""
    server, loop = WireServer(answers), asyncio.new_event_loop()
    stop, ready = asyncio.Event(), threading.Event()

    async def run() -> None:
        listening = await asyncio.start_server(server.on_client, "127.0.0.1", 0)
        server.port = listening.sockets[0].getsockname()[1]
        ready.set()
        await stop.wait()
        listening.close()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left)

    thread = threading.Thread(target=lambda: loop.run_until_complete(run()))
    thread.start()
    ready.wait(10)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)
        loop.close()
