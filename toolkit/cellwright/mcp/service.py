"""Our tools, offered to any client of the Model Context Protocol: what `cellwright mcp` does.

Each call takes the way of every other call: schema, guards, rules, mode, the question to the person, limits. Results go
out as text, pictures and the value, and a failure with the type of its error. The rule that must never break: a client
gets nothing from a tool that our own model would not get; where nobody can be asked, what needs approval is denied.
"""

from __future__ import annotations

import itertools
import json
import secrets
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from cellwright.calls.passage import Setup
from cellwright.calls.pipeline import run_call
from cellwright.calls.repetition import Repetition
from cellwright.calls.scheduler import may_overlap
from cellwright.codec import canonical
from cellwright.log.events import Log
from cellwright.mcp.errand import Errand, answer_of, form_of
from cellwright.mcp.server import require_sdk
from cellwright.messages import Call, told
from cellwright.person.approval import Answer, Unavailable
from cellwright.person.question import Question
from cellwright.registry import Registry
from cellwright.result import Result
from cellwright.tool import Tool
from cellwright.waiting.lane import Lane

if TYPE_CHECKING:
    from mcp.server import Server
    from mcp.server.context import ServerRequestContext
    from mcp_types import (
        CallToolRequestParams,
        CallToolResult,
        InputRequiredResult,
        ListToolsResult,
        PaginatedRequestParams,
    )
    from mcp_types import Tool as Offered

QUESTION = "approval"
MAX_VALUE = 50_000
"""Characters of a value without a schema that go out beside the text; a client may show its model both."""
MAX_REASON = 500
FACTS = ("code", "decision", "repairs", "still_running", "masked")
"""The facts about the way of a call that a client gets."""


class Service:
    """The tools of a setup as an MCP server; its log and approver are replaced by those of each call.

    Raises:
        UsageError: without the package `mcp`.
    """

    def __init__(self, setup: Setup) -> None:
        require_sdk()
        usable = [tool for tool in setup.registry if not tool.system]  # the others steer a run, and there is none
        self._setup = replace(setup, registry=Registry(usable, setup.registry.refused))
        self._lane = Lane(setup.standing.now.max_parallel)
        self._numbers = itertools.count(1)
        self._errands: set[Errand] = set()
        self._waiting: dict[str, tuple[Errand, str]] = {}
        """Errands whose question is with a client, by the token with which the answer comes, and their calls."""

    async def serve(self) -> None:
        """Serves one client on standard input and output until it hangs up."""
        from mcp.server.stdio import stdio_server

        server = self.server()
        try:
            async with stdio_server() as (messages, answers):
                await server.run(messages, answers, server.create_initialization_options())
        finally:
            for errand in list(self._errands):
                await errand.stop()
            await self._setup.env.jobs.close()
            await self._setup.env.kernels.close()

    def server(self) -> Server[Any]:
        """The server of the SDK, for another transport than standard streams."""
        from mcp.server import Server

        return Server("cellwright", version=version("cellwright"), on_list_tools=self._list, on_call_tool=self._call)

    async def _list(
        self, context: ServerRequestContext[Any, Any], params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        from mcp_types import ListToolsResult

        return ListToolsResult(tools=[offered(tool) for tool in self._setup.open_tools()])

    async def _call(
        self, context: ServerRequestContext[Any, Any], params: CallToolRequestParams
    ) -> CallToolResult | InputRequiredResult:
        from mcp_types.version import MODERN_PROTOCOL_VERSIONS

        errand = self._resumed(params) if params.request_state else self._begun(context, params)
        errand.session = context.session
        try:
            while not isinstance(met := await errand.met(), Result):
                if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
                    return self._question(errand, params, met)
                errand.reply(await _asked(context, met))
        except BaseException:
            await errand.stop()
            raise
        return answered(met)

    def _begun(self, context: ServerRequestContext[Any, Any], params: CallToolRequestParams) -> Errand:
        able = context.session.client_capabilities
        forms = able.elicitation if able else None
        errand = Errand(context.session, can_ask=forms is not None and (forms.form is not None or forms.url is None))
        call = Call(f"call_{next(self._numbers)}", params.name, json.dumps(params.arguments or {}, ensure_ascii=False))
        self._errands.add(errand)
        errand.begin(self._run(call, errand), lambda: self._forget(errand))
        return errand

    async def _run(self, call: Call, errand: Errand) -> Result:
        log = Log((errand,), None, self._setup.log.masking)
        setup = replace(self._setup, log=log, approver=errand, repetition=Repetition())
        async with self._lane.turn(lambda: may_overlap(call, setup)):
            result = await run_call(call, setup)
        if result.context_change:
            setup.standing.apply(result.context_change, log, call.id)
        return result

    def _question(self, errand: Errand, params: CallToolRequestParams, question: Question) -> InputRequiredResult:
        from mcp_types import ElicitRequest, InputRequiredResult

        token = secrets.token_urlsafe(16)
        self._waiting[token] = errand, _shown(params)
        request = ElicitRequest(params=form_of(question))
        return InputRequiredResult(input_requests={QUESTION: request}, request_state=token)

    def _resumed(self, params: CallToolRequestParams) -> Errand:
        """The errand whose question a client answers. It must be the call that was shown, which alone runs."""
        from mcp import MCPError
        from mcp_types import INVALID_PARAMS, ElicitResult

        errand, shown = self._waiting.pop(params.request_state or "", (None, ""))
        if errand is None or shown != _shown(params):
            raise MCPError(INVALID_PARAMS, "there is no such question, or it was about another call; call again")
        given = (params.input_responses or {}).get(QUESTION)
        errand.reply(answer_of(given if isinstance(given, ElicitResult) else ElicitResult(action="cancel")))
        return errand

    def _forget(self, errand: Errand) -> None:
        self._errands.discard(errand)
        self._waiting = {token: entry for token, entry in self._waiting.items() if entry[0] is not errand}


def offered(tool: Tool) -> Offered:
    """The tool as a client sees it; a trait that depends on the arguments is told as the worse."""
    from mcp_types import Tool as Offered
    from mcp_types import ToolAnnotations

    definition = tool.definition
    value = (
        tool.output_schema.json if tool.output_schema else {}
    )  # clients take structured values that are objects only
    hints = ToolAnnotations(read_only_hint=tool.read_only is True, destructive_hint=tool.destructive is not False)
    return Offered(
        name=definition.name,
        description=definition.description,
        input_schema=tool.input_schema.json,
        output_schema=value if value.get("type") == "object" else None,
        annotations=hints,
    )


def answered(result: Result) -> CallToolResult:
    """The result as a client gets it."""
    from mcp_types import CallToolResult, ImageContent, TextContent

    images = [ImageContent(data=image.data, mime_type=image.media_type) for image in result.images]
    facts = {name: result.metadata[name] for name in FACTS if name in result.metadata}
    if result.error_type:
        facts["error_type"] = result.error_type
    value = result.value if isinstance(result.value, dict) and len(canonical(result.value)) <= MAX_VALUE else None
    return CallToolResult(
        content=[TextContent(text=result.content), *images],
        structured_content=value,
        is_error=not result.ok,
        _meta={"cellwright": facts},
    )


async def _asked(context: ServerRequestContext[Any, Any], question: Question) -> Answer:
    """The answer that the client gives while its call goes on."""
    form = form_of(question)
    try:
        given = await context.session.elicit_form(form.message, form.requested_schema, context.request_id)
    except Exception as error:
        return Unavailable(f"the client could not ask ({told(error)[:MAX_REASON]})")
    return answer_of(given)


def _shown(params: CallToolRequestParams) -> str:
    return canonical([params.name, params.arguments or {}])
