"""Models of all other providers (Google, Bedrock, Mistral, Groq, ...), through the direct requests of pydantic-ai.

It knows how each is spoken to; the loop, the tools and the history stay here, and its rewriting of schemas is off. The
rule that must never break: a turn has ended when a reason for its end came, and not when its stream does.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import AsyncGenerator, Iterator
from typing import Any

import httpx2
from pydantic_ai import messages as theirs
from pydantic_ai.direct import model_request_stream
from pydantic_ai.exceptions import UnexpectedModelBehavior, UserError
from pydantic_ai.models import Model, StreamedResponse, infer_model
from pydantic_ai.providers import Provider, infer_provider_class

from cellwright.errors import ModelError
from cellwright.messages import Stop, Usage
from cellwright.models.access import NO_KEY, Access
from cellwright.models.attempts import PATIENCE, Patience
from cellwright.models.failure import StreamEndedError
from cellwright.models.loop_client import LoopClient, trusted
from cellwright.models.model import CallPart, EndPart, Part, Request, SealedPart, TextPart, ThinkingPart
from cellwright.models.provider_model import ProviderModel
from cellwright.models.pydantic_messages import conversation, parameters, sealed
from cellwright.models.wire import Options, compact, estimated

MADE_UP = "pyd_ai_"
"""How ids begin that pydantic-ai makes at random; a replay would have others, so they are made from the position."""
STOPS: dict[str, Stop] = {"length": "length", "tool_call": "calls"}


class PydanticAIDirect(ProviderModel):
    """A model of a provider that pydantic-ai knows."""

    def __init__(self, access: Access, options: Options, patience: Patience = PATIENCE) -> None:
        super().__init__(access, options, patience)
        self._client = LoopClient(self._new_client, lambda pair: pair[1].aclose())

    async def attempt(self, request: Request) -> AsyncGenerator[Part, None]:
        """The parts of the turn."""
        model, _ = await self._client.get()
        said = conversation(request, self.name, model.system)
        settings: Any = {"timeout": self.patience.idle, "max_retries": 0, **self.options}
        asked = model_request_stream(
            model, said, model_settings=settings, model_request_parameters=parameters(request), instrument=False
        )
        length = len(request.definitions_json) + sum(len(str(message)) for message in request.conversation)
        try:
            async with asked as stream:
                async for event in stream:
                    for part in _parts(event):
                        yield part
                for part in _end(stream, length):
                    yield part
        except UnexpectedModelBehavior as error:  # a stream in which nothing was, among others
            raise StreamEndedError(str(error)) from None

    def _new_client(self) -> tuple[Model, httpx2.AsyncClient]:
        """The model with an HTTP client of its own. What pydantic-ai says of its set-up is for a person."""
        timeout = httpx2.Timeout(self.patience.idle, connect=min(10.0, self.patience.idle))
        http = httpx2.AsyncClient(timeout=timeout, verify=trusted(), trust_env=not self.access.is_local)
        try:
            with warnings.catch_warnings(action="ignore"):
                model = infer_model(
                    f"{self.access.provider}:{self.access.model}", lambda name: self._provider(name, http)
                )
        except (UserError, ImportError, ValueError) as error:
            raise ModelError(f"{self.name} can't be used: {error}") from None
        return model, http

    def _provider(self, name: str, http: httpx2.AsyncClient) -> Provider[Any]:
        """The provider with what it takes of key, address and client; it leaves schemas as they are."""
        found: Any = infer_provider_class(name)
        takes = inspect.signature(found.__init__).parameters
        facts: dict[str, object] = {"http_client": http, "base_url": self.access.base_url}
        if self.access.secret != NO_KEY or self.access.base_url:
            facts["api_key"] = self.access.secret

        def profile(model_name: str) -> dict[str, Any]:
            return {**(found.model_profile(model_name) or {}), "json_schema_transformer": None}

        plain = type(found.__name__, (found,), {"model_profile": staticmethod(profile)})
        made: Provider[Any] = plain(**{name: value for name, value in facts.items() if name in takes and value})
        return made


def _parts(event: theirs.ModelResponseStreamEvent) -> Iterator[Part]:
    match event:
        case theirs.PartStartEvent(index=index, part=part):
            yield from _started(index, part)
        case theirs.PartDeltaEvent(index=index, delta=delta):
            yield from _went_on(index, delta)
        case theirs.PartEndEvent(index=index, part=theirs.ToolCallPart(tool_call_id=call_id)):
            yield CallPart(index, _own(call_id), complete=True)


def _started(index: int, part: theirs.ModelResponsePart) -> Iterator[Part]:
    match part:
        case theirs.TextPart(content=text) if text:
            yield TextPart(text)
        case theirs.ThinkingPart(content=text) if text:
            yield ThinkingPart(text)
        case theirs.ToolCallPart(tool_name=name, args=args, tool_call_id=call_id):
            yield CallPart(index, _own(call_id), name, _text(args))


def _went_on(index: int, delta: theirs.ModelResponsePartDelta) -> Iterator[Part]:
    match delta:
        case theirs.TextPartDelta(content_delta=text) if text:
            yield TextPart(text)
        case theirs.ThinkingPartDelta(content_delta=str(text)) if text:
            yield ThinkingPart(text)
        case theirs.ToolCallPartDelta(args_delta=args, tool_call_id=call_id):
            yield CallPart(index, _own(call_id or ""), arguments=_text(args))


def _end(stream: StreamedResponse, asked: int) -> Iterator[Part]:
    turn = stream.get()
    if turn.finish_reason is None:
        raise StreamEndedError("the stream ended before the turn did")
    if turn.finish_reason == "content_filter":
        raise ModelError("the provider's filter stopped this turn; say it differently, or start a new run")
    if turn.finish_reason == "error":
        raise ModelError(f"the provider ended this turn with an error: {turn.provider_details}; try again")
    seal = sealed(turn.parts)
    if seal:
        yield SealedPart(seal)
    used = turn.usage
    usage = Usage(used.input_tokens, used.output_tokens, used.cache_read_tokens, used.cache_write_tokens)
    said = sum(len(part.content) for part in turn.parts if isinstance(part, theirs.TextPart))
    yield EndPart(STOPS.get(turn.finish_reason, "end"), usage if usage != Usage() else estimated(asked, said))


def _own(call_id: str) -> str:
    return "" if call_id.startswith(MADE_UP) else call_id


def _text(args: Any) -> str:  # noqa: ANN401 (JSON is what it is)
    return args if isinstance(args, str) else compact(args) if args is not None else ""
