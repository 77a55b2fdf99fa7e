"""The conversation with one kernel: cells go out, messages come in, each to the cell that it answers.

A kernel answers on two channels: what a cell puts out comes on one, how it ended on the other, in no order between
them. A cell has come to its end when both have said so, or when one has and the other stays silent. On a third channel
a kernel may ask for input, though it was told that there is none: then the cell is interrupted.

The rule that must never break: whatever a kernel sends, and however fast, costs its own conversation and holds up
nothing else.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from queue import Empty
from typing import Any, Literal

from jupyter_client.channels import AsyncZMQSocketChannel
from msgspec import Struct

from cellwright.kernels.cell_outputs import CellOutputs
from cellwright.kernels.gateway_kernel import GatewayKernel, Inbox
from cellwright.kernels.kernel_outputs import UNREADABLE, KernelOutputs
from cellwright.kernels.kernel_process import KernelProcess

AnyKernel = KernelProcess | GatewayKernel
"""A kernel of this machine, or of another."""
WATCH = 0.25
"""Seconds between two looks whether the kernel is alive."""
ASK_AGAIN = 0.2
"""Seconds of waiting for a message before the channel is asked anew."""
SILENCE = 10.0
"""Seconds without any message after which a cell that has ended by one channel is not waited for on the other."""

COUNTED = ("stream", "display_data", "execute_result", "error", "update_display_data")
"""The messages that a kernel with our prelude counts, so that a loss is noticed."""


class Request(Struct, frozen=True):
    """A cell on its way: where it runs, its outputs, the kernel's reply, and the word that all outputs were sent."""

    process: AnyKernel
    cell: CellOutputs
    reply: asyncio.Future[Mapping[str, Any]]
    idle: asyncio.Future[int]
    """How many messages with outputs were lost, as far as the kernel counts them."""

    @property
    def answer(self) -> Mapping[str, Any]:
        """What the kernel said of the end of the cell; empty if it has not."""
        content = self.reply.result()["content"] if self.reply.done() else {}
        return content if isinstance(content, dict) else {}

    @property
    def payload(self) -> list[Mapping[str, Any]]:
        """What the cell wants of a front end, such as to show help or to end its kernel."""
        given = self.answer.get("payload")
        return [wish for wish in given if isinstance(wish, dict)] if isinstance(given, list) else []

    @property
    def ends_kernel(self) -> bool:
        """Whether the cell has asked for the end of its kernel, as `exit()` does."""
        return any(wish.get("source") == "ask_exit" and not wish.get("keepkernel") for wish in self.payload)


class KernelChannels:
    """Speaks with a kernel that has been started, until it is closed."""

    def __init__(self, process: AnyKernel, outputs: KernelOutputs) -> None:
        self.process = process
        self._outputs = outputs
        self._requests: dict[str, Request] = {}
        self._heard: dict[str, int] = {}
        self._last_message = 0.0
        self._interrupting: asyncio.Task[None] | None = None
        self._readers = [
            asyncio.create_task(self._read(process.client.iopub_channel, self._hear)),
            asyncio.create_task(self._read(process.client.shell_channel, self._answer)),
            asyncio.create_task(self._read(process.client.stdin_channel, self._refuse)),
        ]

    def send(self, source: str, *, silent: bool = False) -> Request:
        """Sends a cell. A silent one has no number and stays out of the kernel's history."""
        loop = asyncio.get_running_loop()
        msg_id = self.process.execute(source, silent=silent)
        request = Request(self.process, self._outputs.open(msg_id), loop.create_future(), loop.create_future())
        self._requests = {name: sent for name, sent in self._requests.items() if not sent.idle.done()}
        self._requests[msg_id] = request
        return request

    async def end_of(
        self, request: Request, timeout: float | None, waited: Callable[[], float] = lambda: 0.0
    ) -> Literal["done", "died", "late"]:
        """Waits for the end of a cell, of its kernel, or of so many seconds, to which those of `waited` are added."""
        loop = asyncio.get_running_loop()
        parts: set[asyncio.Future[Any]] = {request.reply, request.idle}
        deadline = float("inf") if timeout is None else loop.time() + timeout
        while True:
            pause = max(0.0, min(WATCH, deadline + waited() - loop.time()))
            _, waiting = await asyncio.wait(parts, timeout=pause)
            if not waiting:
                return "done"
            if not self.process.is_alive():
                await asyncio.wait(waiting, timeout=WATCH)  # the last messages are still on their way
                return "done" if request.reply.done() else "died"
            if len(waiting) < len(parts) and loop.time() - self._last_message > SILENCE:
                return "done"
            if loop.time() >= deadline + waited():
                return "late"

    def close(self) -> None:
        """Hears no more of the kernel."""
        for task in (*self._readers, *([self._interrupting] if self._interrupting else [])):
            task.cancel()

    async def _read(self, channel: AsyncZMQSocketChannel | Inbox, use: Callable[[Mapping[str, Any]], None]) -> None:
        """Gives each message of a channel to `use`.

        The channel is asked anew at short intervals: sending on a socket can swallow the wake-up of a message that
        arrives at that moment.
        """
        while True:
            with contextlib.suppress(Empty, *UNREADABLE):  # else one such message were the last that is read
                use(await channel.get_msg(timeout=ASK_AGAIN))
            await asyncio.sleep(0)  # a kernel that floods its channel must not hold up everything else

    def _hear(self, message: Mapping[str, Any]) -> None:
        self._last_message = asyncio.get_running_loop().time()
        self._outputs.take(message)
        name, content = message["parent_header"].get("msg_id", ""), message["content"]
        request = self._requests.get(name)
        if request is None or request.idle.done():
            return
        if message["msg_type"] in COUNTED:
            self._heard[name] = self._heard.get(name, 0) + 1
        if message["msg_type"] == "status" and content.get("execution_state") == "idle":
            sent, heard = content.get("sent"), self._heard.pop(name, 0)
            request.idle.set_result(max(0, sent - heard) if isinstance(sent, int) else 0)

    def _answer(self, message: Mapping[str, Any]) -> None:
        request = self._requests.get(message["parent_header"].get("msg_id", ""))
        if request and message["msg_type"] == "execute_reply" and not request.reply.done():
            request.reply.set_result(message)

    def _refuse(self, message: Mapping[str, Any]) -> None:
        request = self._requests.get(message["parent_header"].get("msg_id", ""))
        if request and message["msg_type"] == "input_request" and not request.reply.done():
            prompt = str(message["content"].get("prompt", ""))[:200]
            told = f"[it asked for input ({prompt!r}), which nobody can give, and is interrupted]\n"
            request.cell.print("stderr", told)
            if self._interrupting is None or self._interrupting.done():  # it may ask without end
                self._interrupting = asyncio.create_task(self.process.interrupt())
