"""One connection to an MCP server, from its opening to its end.

Over standard streams the end is seen at once; over HTTP there is nothing to see until a call fails for it. Either way
`wake` is set, and so it is when the server says that its tools changed. The rule that must never break: every request
comes to an end, with an answer or with an error that says whether the server may have done something.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from cellwright.env import Ask
from cellwright.errors import CellwrightError, ToolError, UsageError
from cellwright.mcp.elicitation import Elicitation
from cellwright.mcp.offer import MAX_TOOLS
from cellwright.mcp.process import ServerProcess
from cellwright.messages import JsonObject, told

if TYPE_CHECKING:
    from mcp import Client
    from mcp.shared.dispatcher import ProgressFnT
    from mcp_types import (
        CallToolRequestParams,
        CallToolResult,
        ElicitRequestParams,
        ElicitResult,
        InputRequest,
        InputRequiredResult,
    )
    from mcp_types import Tool as Offered

    from cellwright.mcp.elicitation import Answer

MAX_PAGES = 100
MAX_ROUNDS = 10
"""How often a server may answer a call with a question."""
PAUSE = 0.25
"""Seconds before a call is made again whose server asked for nothing but that."""
MAX_LINES = 1_000
"""Lines of progress that are passed on in one call."""
MAX_WORDS = 1_000
"""Characters of what a server says in a line of progress or an error."""


class Target(Struct, frozen=True):
    """How a server is reached: by a command or by an address."""

    command: tuple[str, ...]
    url: str
    cwd: Path | None
    env: dict[str, str]
    headers: dict[str, str]
    """May hold secrets; never shown."""


class Connection:
    """A client of the SDK with what it is connected to. `Connection.open` makes one."""

    def __init__(
        self, client: Client, process: ServerProcess | None, wake: asyncio.Event, elicitation: Elicitation
    ) -> None:
        self.wake = wake
        """Set when there is something to look at: the end, or a changed list of tools."""
        self._client = client
        self._elicitation = elicitation
        self._process = process
        self._lost = ""

    @classmethod
    @contextlib.asynccontextmanager
    async def open(cls, target: Target, timeout: float, elicitation: Elicitation) -> AsyncIterator[Connection]:
        """Connects within so many seconds, and disconnects at the end; `elicitation` answers what the server asks.

        Raises:
            UsageError: if there is no connection; whatever else the SDK raises.
        """
        wake = asyncio.Event()
        process = ServerProcess(target.command, target.cwd, target.env) if target.command else None
        async with contextlib.AsyncExitStack() as stack:
            try:
                async with asyncio.timeout(timeout):
                    client = await _client(target, process, wake, stack, elicitation)
            except TimeoutError:
                raise UsageError(f"it did not answer within {timeout:g} s{_said(process)}") from None
            except Exception as error:
                raise UsageError(f"{plainly(error)}{_said(process)}") from error
            connection = cls(client, process, wake, elicitation)
            watching = [asyncio.create_task(connection._watch()), asyncio.create_task(connection._hear())]
            try:
                yield connection
            finally:
                for task in watching:
                    task.cancel()
                await asyncio.wait(watching)

    @property
    def pid(self) -> int:
        """The id of the process, 0 if there is none."""
        return self._process.pid if self._process else 0

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return bool(self._lost) or (self._process is not None and self._process.ended.is_set())

    @property
    def ending(self) -> str:
        """Why it ended."""
        return self._lost or (self._process.ending if self._process else "the connection ended")

    async def tools(self, timeout: float) -> tuple[Offered, ...]:
        """All tools that the server lists, page by page, until there are more than are taken.

        Raises:
            UsageError: if the list does not come to an end.
        """
        found: list[Offered] = []
        cursor: str | None = None
        async with asyncio.timeout(timeout):
            for _ in range(MAX_PAGES):
                page = await self._client.list_tools(cursor=cursor)
                found += page.tools
                cursor = page.next_cursor
                if cursor is None or len(found) > MAX_TOOLS:
                    return tuple(found)
        raise UsageError(f"its list of tools has more than {MAX_PAGES} pages")

    async def call(self, name: str, args: JsonObject, progress: Callable[[str], None], ask: Ask) -> CallToolResult:
        """Calls a tool; what the server wants to know meanwhile the person is asked. Cancelling tells it to stop.

        Raises:
            ToolError: `connection_lost`, `server_error`, `invalid_answer` or `needs_input`.
        """
        from mcp_types import CallToolRequestParams, InputRequiredResult

        params, tell = CallToolRequestParams(name=name, arguments=args), _told(progress)
        with self._elicitation.during(ask) as answered:
            for _ in range(MAX_ROUNDS):
                answer = await self._sent(params, tell)
                if not isinstance(answer, InputRequiredResult):
                    return answer
                given = {key: await _input(wanted, answered) for key, wanted in (answer.input_requests or {}).items()}
                await asyncio.sleep(0 if given else PAUSE)
                params = params.model_copy(
                    update={"input_responses": given or None, "request_state": answer.request_state}
                )
        raise ToolError("needs_input", f"{name} asked the person {MAX_ROUNDS} times, and still has no result")

    async def _sent(self, params: CallToolRequestParams, tell: ProgressFnT) -> CallToolResult | InputRequiredResult:
        from mcp_types import CallToolRequest, CallToolResult, InputRequiredResult
        from pydantic import TypeAdapter, ValidationError

        answers: TypeAdapter[CallToolResult | InputRequiredResult]
        answers = TypeAdapter(CallToolResult | InputRequiredResult)
        try:
            # not `call_tool`, which holds the answer against its schema with a validator that a pattern can hang
            return await self._client.session.send_request(
                CallToolRequest(params=params), answers, progress_callback=tell
            )
        except ValidationError as error:
            what = error.errors()[0]["msg"] if error.error_count() else "it is malformed"
            raise ToolError("invalid_answer", f"the server answered what is no result of a tool: {what}") from None
        except Exception as error:
            raise self._failure(params.name, error) from None

    def _failure(self, name: str, error: Exception) -> ToolError:
        from mcp_types import CONNECTION_CLOSED

        code = getattr(error, "code", None)
        if isinstance(code, int) and code != CONNECTION_CLOSED and not self.is_over:
            return ToolError("server_error", f"the server refused the call: {told(error)[:MAX_WORDS]}")
        self._lost = self._lost or (self.ending if self._process else told(error)[:MAX_WORDS])
        self.wake.set()
        return ToolError(
            "connection_lost",
            f"the connection to the server was lost while {name} was running ({self.ending}). What it did until then "
            "is not known: look before you call it again",
        )

    async def _watch(self) -> None:
        """Wakes who waits once the process has ended."""
        if self._process is not None:
            await self._process.ended.wait()
            self.wake.set()

    async def _hear(self) -> None:
        """Asks to be told of changes, where the protocol is one in which that has to be asked for."""
        from mcp_types.version import MODERN_PROTOCOL_VERSIONS

        capabilities = self._client.server_capabilities
        listed = capabilities.tools is not None and capabilities.tools.list_changed
        if self._client.protocol_version not in MODERN_PROTOCOL_VERSIONS or not listed:
            return
        with contextlib.suppress(Exception):  # without it the tools are listed again when it connects again
            async with self._client.listen(tools_list_changed=True) as changes:
                async for _ in changes:
                    self.wake.set()


async def _client(
    target: Target,
    process: ServerProcess | None,
    wake: asyncio.Event,
    stack: contextlib.AsyncExitStack,
    elicitation: Elicitation,
) -> Client:
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared._httpx_utils import create_mcp_http_client
    from mcp_types import ToolListChangedNotification

    async def hear(message: object) -> None:
        if isinstance(message, ToolListChangedNotification):
            wake.set()

    made = partial(Client, message_handler=hear, cache=None, elicitation_callback=elicitation)
    if process is not None:
        return await stack.enter_async_context(made(process.streams()))
    http = await stack.enter_async_context(create_mcp_http_client(headers=target.headers))
    return await stack.enter_async_context(made(streamable_http_client(target.url, http_client=http)))


async def _input(wanted: InputRequest, answered: Callable[[ElicitRequestParams], Awaitable[Answer]]) -> ElicitResult:
    """What a server needs before it goes on with a call.

    Raises:
        ToolError: `needs_input` for what is not given to servers, or can't be asked.
    """
    from mcp_types import ElicitRequest, ErrorData

    if not isinstance(wanted, ElicitRequest):
        raise ToolError("needs_input", f"the server wants {wanted.method} first, which is given to no server here")
    answer = await answered(wanted.params)
    if isinstance(answer, ErrorData):
        raise ToolError("needs_input", f"the server asks something first, and {answer.message}")
    return answer


def _told(tell_line: Callable[[str], None]) -> ProgressFnT:
    lines = 0

    async def tell(progress: float, total: float | None, message: str | None) -> None:
        nonlocal lines
        lines += 1
        if lines <= MAX_LINES:
            share = f"{progress:g}" if total is None else f"{progress:g} of {total:g}"
            tell_line(f"{message[:MAX_WORDS]} ({share})" if message else share)

    return tell


def _said(process: ServerProcess | None) -> str:
    return f" ({process.ending})" if process is not None and process.ended.is_set() else ""


def plainly(error: BaseException) -> str:
    """What went wrong; of a group of errors, the first."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return (str(error) if isinstance(error, CellwrightError) else told(error))[:MAX_WORDS]
