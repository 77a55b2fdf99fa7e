"""An MCP server as our side of the connection sees it: its tools are ours as long as it is there.

    async with McpServer("git", command=["uvx", "mcp-server-git"]) as git:
        agent = Agent(model, ["all", *git.tools])
        git.attach(agent.registry)

Attached registries follow what happens: tools that the server adds or changes are there from the next turn on; when the
connection drops, the tools are out of sight, and back once it is there again, which is tried at growing intervals. The
rules that must never break: what a server does harms only its own calls; the connection is opened, used and closed in
one task, as the SDK demands; and its tools are asked about, unless a rule such as `mcp__git` allows them.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from cellwright.env import Env
from cellwright.errors import RegistryError, ToolError, UsageError
from cellwright.mcp.answer import output_of
from cellwright.mcp.connection import Connection, Target, plainly
from cellwright.mcp.elicitation import Elicitation
from cellwright.mcp.offer import Offer, is_same, offer_of
from cellwright.messages import JsonObject
from cellwright.registry import Registry
from cellwright.tool import Output, Tool

NAME = re.compile(r"[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*")
MAX_NAME = 24
PAUSES = (0.2, 1.0, 5.0, 15.0, 60.0)
"""Seconds before each try to connect again; the last one for all that follow."""


class McpServer:
    """A server that is started (`command`) or spoken to at an address (`url`), used as `async with McpServer(...)`.

    `env` is added to the harmless part of the environment, which is all that the process gets. With `trusted`, what its
    tools say of themselves (that they only read) counts. `timeout` is for each call, `start_timeout` for connecting.

    Raises:
        UsageError: for a name that can't be part of a tool's name, or if it is not said how to connect.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str] = (),
        *,
        url: str = "",
        cwd: str | Path | None = None,
        env: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        trusted: bool = False,
        timeout: float | None = 300.0,
        start_timeout: float = 60.0,
        pauses: Sequence[float] = PAUSES,
    ) -> None:
        if not NAME.fullmatch(name) or len(name) > MAX_NAME:
            raise UsageError(
                f"{name!r} is no name for an MCP server; use 1 to {MAX_NAME} letters and digits, with single _ or - "
                "between them"
            )
        if isinstance(command, str) or bool(command) == bool(url):
            raise UsageError(f'MCP server {name}: give either command=["program", "argument"] or url="https://..."')
        self.name = name
        self.namespace = f"mcp__{name}__"
        self.state = "not connected yet"
        """`connected`, or why it is not."""
        self._target = Target(tuple(command), url, Path(cwd) if cwd else None, dict(env or {}), dict(headers or {}))
        self._trusted, self._timeout, self._start_timeout = trusted, timeout, start_timeout
        self._pauses = tuple(pauses) or PAUSES
        self._elicitation = Elicitation(name)
        self._offer = Offer()
        self._calls: dict[str, Callable[[JsonObject, Env], Awaitable[Output]]] = {}
        self._registries: list[Registry] = []
        self._connection: Connection | None = None
        self._task: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()
        self._moved = asyncio.Event()
        self._is_opening = False

    @property
    def tools(self) -> tuple[Tool, ...]:
        """Its tools as they were listed last, sorted by name."""
        return self._offer.tools

    @property
    def left_out(self) -> tuple[str, ...]:
        """What it offers and can't be taken, each with the reason."""
        return self._offer.left_out

    @property
    def pid(self) -> int:
        """The id of its process, 0 if there is none."""
        return self._connection.pid if self._connection else 0

    def attach(self, registry: Registry) -> None:
        """Adds its tools to a registry, and keeps them there as they are on the server.

        Raises:
            RegistryError: if another server's tools are there under this name.
        """
        there = {tool.name: tool for tool in registry if tool.name.startswith(self.namespace)}
        strange = [name for name, tool in there.items() if tool not in self.tools]
        if strange:
            raise RegistryError(f"the registry has {strange[0]} of another server; give this one another name")
        for tool in self.tools:
            if tool.name not in there:
                registry.add(tool)
        self._registries.append(registry)
        self._remark(registry)
        if self._connection is None:
            registry.suspend(self.namespace)

    async def until(self, is_so: Callable[[McpServer], bool]) -> None:
        """Waits until something holds of it: `await server.until(lambda s: s.state == "connected")`."""
        while not is_so(self):
            await self._moved.wait()

    async def __aenter__(self) -> Self:
        """Connects.

        Raises:
            UsageError: without the package `mcp`, or if the server can't be reached or makes no sense.
        """
        require_sdk()
        if self._task is not None:
            raise UsageError(f"the MCP server {self.name} is connected already; make another McpServer")
        first: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._stay(first), name=f"mcp {self.name}")
        try:
            await first
        except BaseException:
            await self._close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Disconnects; its tools are then out of sight in the registries that it was attached to."""
        await self._close()

    async def _close(self) -> None:
        self._closing.set()
        if self._connection is not None:
            self._connection.wake.set()
        if self._task is not None:
            if self._is_opening:  # which would take its time; there is nothing yet to part from
                self._task.cancel()
            await asyncio.wait({self._task})
        self._gone("it was disconnected")

    async def _stay(self, first: asyncio.Future[None]) -> None:
        """Connects, again and again, until it is closed; this task opens and closes all connections."""
        loop, failures = asyncio.get_running_loop(), 0
        while not self._closing.is_set():
            began, why, self._is_opening = loop.time(), "", True
            try:
                async with Connection.open(self._target, self._start_timeout, self._elicitation) as connection:
                    await self._there(connection)
                    self._is_opening = False
                    if not first.done():
                        first.set_result(None)
                    await self._follow(connection)
                    why = connection.ending
            except Exception as error:
                why = plainly(error)
            self._gone(why)
            if not first.done():
                first.set_exception(UsageError(f"the MCP server {self.name} can't be reached: {why}"))
                return
            failures = 0 if loop.time() - began > self._pauses[-1] else failures
            pause = self._pauses[min(failures, len(self._pauses) - 1)]
            failures += 1
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), pause)

    async def _follow(self, connection: Connection) -> None:
        """Waits for the end of the connection; lists the tools again when the server says that they changed."""
        while True:
            await connection.wake.wait()
            connection.wake.clear()
            if self._closing.is_set() or connection.is_over:
                return
            await self._there(connection)

    async def _there(self, connection: Connection) -> None:
        """Lists the tools and brings the registries to that; a tool that did not change stays the same object."""
        offered = await connection.tools(self._start_timeout)
        offer = offer_of(self.name, offered, self._behaviour, trusted=self._trusted, timeout=self._timeout)
        old = {tool.name: tool for tool in self._offer.tools}
        kept = (old[tool.name] if is_same(old.get(tool.name), tool) else tool for tool in offer.tools)
        self._offer, self._connection = Offer(tuple(kept), offer.left_out), connection
        for registry in self._registries:
            self._renew(registry, old)
        self._tell("connected")

    def _renew(self, registry: Registry, old: Mapping[str, Tool]) -> None:
        new = {tool.name: tool for tool in self._offer.tools}
        for name in old.keys() - new.keys():
            with contextlib.suppress(RegistryError):  # somebody else has removed it
                registry.remove(name)
        for name, tool in new.items():
            try:
                if name not in old:
                    registry.add(tool)
                elif old[name] is not tool:
                    registry.replace(tool)
                    registry.remark(f"the MCP server {self.name} has changed {name}; it may be asked about again")
            except RegistryError as error:
                registry.remark(f"{name} of the MCP server {self.name} is left out: {error}")
        self._remark(registry)
        registry.resume(self.namespace)

    def _remark(self, registry: Registry) -> None:
        for text in self._offer.left_out:
            registry.remark(text)

    def _gone(self, why: str) -> None:
        self._connection = None
        for registry in self._registries:
            registry.suspend(self.namespace)
        self._tell(why)

    def _tell(self, state: str) -> None:
        self.state = state
        self._moved.set()
        self._moved = asyncio.Event()

    def _behaviour(self, name: str) -> Callable[[JsonObject, Env], Awaitable[Output]]:
        async def call(args: JsonObject, env: Env) -> Output:
            connection = self._connection
            if connection is None:
                raise ToolError("not_connected", f"the MCP server {self.name} is not connected: {self.state}")
            if self._task is None or self._task.get_loop() is not asyncio.get_running_loop():
                raise ToolError("not_connected", f"the MCP server {self.name} is connected in another event loop")
            try:
                return output_of(await connection.call(name, args, env.progress, env.ask))
            finally:
                if connection.is_over and self._connection is connection:  # before the model can make its next call
                    self._gone(connection.ending)

        return self._calls.setdefault(name, call)


def require_sdk() -> None:
    """The official SDK is there.

    Raises:
        UsageError: with what to install.
    """
    try:
        import mcp  # noqa: F401 (whether it is there)
    except ImportError as missing:
        raise UsageError("MCP needs the package mcp; run: pip install 'cellwright[mcp]'") from missing
