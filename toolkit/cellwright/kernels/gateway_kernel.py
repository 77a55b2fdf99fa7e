"""One kernel on a server of others: the same to those who use it as a process here (`kernel_process.py`).

Cells and answers go over one websocket, in Jupyter's own messages. The server watches the kernel: it tells when it
starts it anew after a death, which here is the end of this kernel, since its variables are gone. The rule that must
never break: a kernel that was started is ended on the server, whatever happens here; and a server that is gone is
noticed, so that nobody waits for an answer that can't come.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import json
import struct
import threading
import time
import uuid
from collections.abc import Mapping
from pathlib import Path
from queue import Empty
from typing import Any
from urllib.parse import quote

from tornado.httpclient import HTTPClientError, HTTPRequest
from tornado.websocket import WebSocketClientConnection, WebSocketClosedError, websocket_connect

from cellwright.errors import ToolError
from cellwright.kernels.gateway import TIMEOUT, Gateway
from cellwright.kernels.kernel_outputs import UNREADABLE
from cellwright.messages import JsonObject
from cellwright.waiting.threads import in_thread

START_TIMEOUT = 60.0
"""Seconds a kernel may take until it answers; on a cluster it may have to wait for a place."""
ASK_AGAIN = 5.0
"""Seconds after which a kernel that does not answer is asked once more whether it is there."""
END_TIMEOUT, END_AGAIN = 20.0, 0.5
"""Seconds for which the server is asked to end a kernel, and between two such requests."""
PING = 10.0
"""Seconds between two signs of life of the connection."""
MAX_MESSAGE = 200_000_000
"""Bytes of one message; larger ones end the conversation."""
GONE = {
    "restarting": "the server started it anew, as after a crash or when memory runs out",
    "autorestarting": "the server started it anew, as after a crash or when memory runs out",
    "dead": "the server could not start it anew after it had ended",
}
"""What the server says of a kernel that has ended, and what that means."""


class Inbox:
    """The messages of one channel that have come in."""

    def __init__(self) -> None:
        self._messages: asyncio.Queue[JsonObject] = asyncio.Queue()

    def put(self, message: JsonObject) -> None:
        """Adds one."""
        self._messages.put_nowait(message)

    async def get_msg(self, timeout: float) -> Mapping[str, Any]:
        """The next one.

        Raises:
            Empty: if none comes within so many seconds.
        """
        if not self._messages.empty():
            return self._messages.get_nowait()
        try:
            return await asyncio.wait_for(self._messages.get(), timeout)
        except TimeoutError:
            raise Empty from None


class Inboxes:
    """The channels from which answers are read, by the names that a client of a kernel here gives them."""

    def __init__(self) -> None:
        self.iopub_channel = Inbox()
        self.shell_channel = Inbox()
        self.stdin_channel = Inbox()


class GatewayKernel:
    """One kernel from its start to its end; a restarted kernel is another one."""

    def __init__(self, gateway: Gateway, kernel_name: str, cwd: Path) -> None:
        self.client = Inboxes()
        self.language = ""
        """The language of its cells, in lower case."""
        self._gateway, self._name, self._cwd = gateway, kernel_name, cwd
        self._session = uuid.uuid4().hex
        self._id = ""
        self._closed = False
        self._deciding = threading.Lock()
        self._socket: WebSocketClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._answered = asyncio.Event()
        self._ending = ""

    async def start(self) -> None:
        """Starts it and waits until it answers.

        Raises:
            ToolError: `gateway_failed`, `no_kernel` with the names that the server has, or `kernel_failed`.
        """
        known = await in_thread(self._gateway.kernels)
        if self._name not in known:
            there = ", ".join(f"{name} ({language})" for name, language in known.items()) or "none"
            raise ToolError("no_kernel", f"{self._gateway.address} has no kernel {self._name[:100]!r}. It has: {there}")
        self.language = known[self._name].lower()
        await in_thread(self._create)
        await self._connect()
        self._reader = asyncio.create_task(self._read())
        await self._until_answered()

    def execute(self, source: str, *, silent: bool) -> str:
        """Sends a cell that can't ask for input; the id of the request."""
        content = {"code": source, "silent": silent, "store_history": not silent, "user_expressions": {}}
        return self._send("execute_request", {**content, "allow_stdin": False, "stop_on_error": False})

    def is_alive(self) -> bool:
        """Whether it still runs, as far as the server says."""
        return bool(self._id) and not self._closed and not self._ending

    def ending(self) -> str:
        """How it ended, for people."""
        return self._ending or "it is gone"

    def last_words(self) -> str:
        """Nothing: what the process itself writes stays on the server."""
        return ""

    async def interrupt(self) -> None:
        """Interrupts the running cell; wakes a kernel that sleeps in an `await` and would not notice."""
        with contextlib.suppress(ToolError):
            await in_thread(lambda: self._gateway.ask("POST", f"{self._path}/interrupt", {}))
        self._send("kernel_info_request", {})

    async def end(self) -> None:
        """Ends it on the server; what does not answer in time is left to `close`."""
        if self._id and not self._closed:
            await in_thread(self._delete)

    def close(self) -> None:
        """Ends it on the server if it is there yet, in a thread that outlives this call and the event loop."""
        with self._deciding:
            self._closed, left = True, self._id
        if self._reader:
            self._reader.cancel()
        if self._socket:
            _hang_up(self._socket)
        if left:
            threading.Thread(target=self._delete, name="cellwright-gateway").start()

    @property
    def _path(self) -> str:
        return f"api/kernels/{quote(self._id, safe='')}"

    def _create(self) -> None:
        """Asks for a new kernel; if that was given up meanwhile, ends it again."""
        body = {"name": self._name, "env": {"KERNEL_WORKING_DIR": str(self._cwd)}}
        made = self._gateway.ask("POST", "api/kernels", body, START_TIMEOUT)
        try:
            name = str(made["id"])
        except UNREADABLE:
            said = f"{self._gateway.address} was asked for a kernel, and does not say which one it has started"
            raise ToolError("gateway_failed", said) from None
        with self._deciding:
            self._id = name
            given_up = self._closed
        if given_up:
            self._delete()

    def _delete(self) -> None:
        """Ends it on the server. Once more if that fails: a server that is starting it anew can't end it just then."""
        deadline = time.monotonic() + END_TIMEOUT
        while self._id:
            try:
                self._gateway.ask("DELETE", self._path, timeout=END_TIMEOUT)
            except ToolError as error:
                if error.code == "gateway_error" and time.monotonic() < deadline:
                    time.sleep(END_AGAIN)
                    continue
            self._ending, self._id = self._ending or "it was ended", ""

    async def _connect(self) -> None:
        address = f"{self._gateway.socket_address}/{self._path}/channels?session_id={self._session}"
        request = HTTPRequest(address, headers=self._gateway.headers, connect_timeout=TIMEOUT)
        request.request_timeout = START_TIMEOUT
        made = asyncio.ensure_future(websocket_connect(request, ping_interval=PING, max_message_size=MAX_MESSAGE))
        try:
            self._socket = await asyncio.shield(made)
        except asyncio.CancelledError:
            made.add_done_callback(lambda _: None if made.exception() else _hang_up(made.result()))
            raise
        except (HTTPClientError, OSError, WebSocketClosedError) as error:
            said = f"{self._gateway.address} started the kernel, but does not let this agent speak to it: {error}"
            raise ToolError("gateway_failed", said) from None

    async def _until_answered(self) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + START_TIMEOUT
        while not self._answered.is_set():
            if not self.is_alive() or loop.time() > deadline:
                how = self._ending or f"it did not answer within {START_TIMEOUT:g} s"
                raise ToolError("kernel_failed", f"The kernel on {self._gateway.address} did not start: {how}.")
            self._send("kernel_info_request", {})
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._answered.wait(), ASK_AGAIN)

    def _send(self, kind: str, content: JsonObject) -> str:
        """Sends a message; where nobody hears it any more, that is noticed by whoever waits for the answer."""
        msg_id = uuid.uuid4().hex
        header = {"msg_id": msg_id, "msg_type": kind, "session": self._session, "username": "cellwright"}
        header |= {"version": "5.3", "date": datetime.datetime.now(datetime.UTC).isoformat()}
        message = {"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": "shell"}
        with contextlib.suppress(WebSocketClosedError):
            if self._socket:
                self._socket.write_message(json.dumps({**message, "buffers": []}))
        return msg_id

    async def _read(self) -> None:
        """Sorts what comes in, until the connection ends."""
        while self._socket:
            data = await self._socket.read_message()
            if data is None:
                self._ending = self._ending or f"the connection to {self._gateway.address} has ended"
                return
            with contextlib.suppress(struct.error, *UNREADABLE):
                self._take(_message(data))

    def _take(self, message: JsonObject) -> None:
        kind, content = message["msg_type"], message["content"]
        message["parent_header"].get("msg_id")  # raises for what is no message
        if kind == "kernel_info_reply":
            self._answered.set()
        if kind == "status" and content.get("execution_state") in GONE:
            self._ending = self._ending or GONE[content["execution_state"]]
        match message["channel"]:
            case "iopub":
                self.client.iopub_channel.put(message)
            case "shell":
                self.client.shell_channel.put(message)
            case "stdin":
                self.client.stdin_channel.put(message)


def _hang_up(socket: WebSocketClientConnection) -> None:
    """Closes at once: to take leave of each other takes turns of an event loop that may end now."""
    stream = socket.protocol.stream if socket.protocol else None
    socket.close()
    if stream:
        stream.close()


def _message(data: str | bytes) -> JsonObject:
    """A message as it comes over a websocket: JSON, or JSON in front of buffers, which no cell's output needs."""
    if isinstance(data, bytes):
        (count,) = struct.unpack_from("!I", data)
        starts = [*struct.unpack_from(f"!{count}I", data, 4), len(data)]
        data = data[starts[0] : starts[1]].decode()
    message: JsonObject = json.loads(data)
    message["msg_type"] = message.get("msg_type") or message["header"]["msg_type"]
    return message
