"""What a server asks the person while it works on a call of ours (elicitation).

The person is asked as `ask_user` asks, one question for each field of the server's form. An address that is to be
opened is shown whole, and opened by the person or not at all. Models are not lent (sampling), nor are folders named
(roots): neither is announced, so a server that asks for it is refused. The rule that must never break: a server hears
nothing but what the person answered to a question that named it; where nobody can be asked, or once its call has ended,
the question is cancelled.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from cellwright.env import Ask
from cellwright.errors import ToolError
from cellwright.mcp.form_field import GIVEN_UP, LEFT_OUT, MAX_WORDS, NO, YES, Field, checked_form
from cellwright.messages import told
from cellwright.views.inquiry import Inquiry, NoReply, Reply

if TYPE_CHECKING:
    from mcp.client.session import ClientRequestContext
    from mcp_types import ElicitRequestFormParams, ElicitRequestParams, ElicitRequestURLParams, ElicitResult, ErrorData

    Answer = ElicitResult | ErrorData

MAX_ADDRESS, MAX_WHY = 2_000, 500
OPENS = "I open it"
READ_IN_TWO_WAYS = re.compile(r"[\s\\\x00-\x1f\x7f]")
"""What a browser reads as something else than `urlsplit`, so that it could go to another host than the one shown."""


class Elicitation:
    """The questions of one server. Outside the newest protocol it does not say of which call a question is; then it is
    put to the person of the one that began last, and mostly there is one only."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._open: list[Questions] = []

    @contextmanager
    def during(self, ask: Ask) -> Iterator[Callable[[ElicitRequestParams], Awaitable[Answer]]]:
        """While a call goes on; gives what answers a question that is surely of it. Its end takes them all back."""
        questions = Questions(self._server, ask)
        self._open.append(questions)
        try:
            yield questions.answer
        finally:
            self._open.remove(questions)
            questions.take_back()

    async def __call__(self, context: ClientRequestContext, params: ElicitRequestParams) -> Answer:
        """Answers a question of the server."""
        from mcp_types import ElicitResult

        return await self._open[-1].answer(params) if self._open else ElicitResult(action="cancel")


class Questions:
    """What a server asks during one call."""

    def __init__(self, server: str, ask: Ask) -> None:
        self._server, self._ask = server, ask
        self._tasks: set[asyncio.Task[ElicitResult]] = set()

    async def answer(self, params: ElicitRequestParams) -> Answer:
        """What the person answers; an error for what can't be asked."""
        from mcp_types import INVALID_PARAMS, ElicitResult, ErrorData

        task = asyncio.ensure_future(self._address(params) if params.mode == "url" else self._form(params))
        self._tasks.add(task)
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            task.cancel()
            raise
        if task.cancelled():
            return ElicitResult(action="cancel")
        error = task.exception()  # a form is a stranger's, and may be made of anything
        why = error.message if isinstance(error, ToolError) else told(error) if error else ""
        return ErrorData(code=INVALID_PARAMS, message=f"it can't be asked: {why[:MAX_WHY]}") if error else task.result()

    def take_back(self) -> None:
        """The call is over; nobody waits for an answer."""
        for task in self._tasks:
            task.cancel()

    async def _address(self, params: ElicitRequestURLParams) -> ElicitResult:
        from mcp_types import ElicitResult

        parts = urlsplit(params.url)
        if READ_IN_TWO_WAYS.search(params.url) or "@" in parts.netloc:
            raise ToolError("invalid_arguments", "its address does not say plainly to which host it leads")
        if parts.scheme not in ("http", "https") or not parts.hostname or len(params.url) > MAX_ADDRESS:
            raise ToolError("invalid_arguments", "it is no address of the web, or too long")
        text = f"{self._says(params.message)}\n\nIt wants you to open this address at {parts.hostname}:\n{params.url}"
        said = await self._ask(Inquiry.of(text, ((OPENS, "in a browser; nothing is opened by itself"), (NO, ""))))
        return ElicitResult(action=_action(said, OPENS))

    async def _form(self, params: ElicitRequestFormParams) -> ElicitResult:
        from mcp_types import ElicitResult

        schema, says = checked_form(params.requested_schema), self._says(params.message)
        if not schema.properties:
            action = _action(await self._ask(Inquiry.of(says, ((YES, ""), (NO, "")))), YES)
            return ElicitResult(action=action, content={} if action == "accept" else None)
        content: dict[str, Any] = {}
        for name, facts in params.requested_schema["properties"].items():  # in the order of the server's
            value = await Field.of(name, facts, name in schema.required).asked(schema, says, self._ask)
            if value is GIVEN_UP:
                return ElicitResult(action="cancel")
            if value is not LEFT_OUT:
                content[name] = value
            elif name in schema.required and "default" not in facts:
                return ElicitResult(action="decline")
        defaults = {name: facts["default"] for name, facts in schema.properties.items() if "default" in facts}
        return ElicitResult(action="accept", content=defaults | content) if content else ElicitResult(action="decline")

    def _says(self, message: str) -> str:
        cut = f" [... {len(message) - MAX_WORDS:,} more characters]" if len(message) > MAX_WORDS else ""
        return f"The MCP server {self._server} asks, and gets what you answer:\n{message[:MAX_WORDS]}{cut}"


def _action(said: Reply | NoReply, yes: str) -> Literal["accept", "decline", "cancel"]:
    """What it comes to; that nobody was there is no word of the person's."""
    if isinstance(said, NoReply) and not said.declined:
        return "cancel"
    return "accept" if said == Reply((yes,)) else "decline"
