"""Models of OpenAI itself, by the Responses format and the vendor's SDK.

A turn comes as items: thoughts, words, calls. The end of an item says that a call is whole, so it begins at once.
Thoughts come encrypted and are kept sealed in the turn. The rule that must never break: a turn has ended when the
provider says that the response is complete, and not when its stream does.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator

from cellwright.errors import ModelError
from cellwright.messages import JsonObject, Stop, Usage
from cellwright.models.access import Access
from cellwright.models.attempts import PATIENCE, Patience
from cellwright.models.failure import ReportedError, StreamEndedError
from cellwright.models.model import CallPart, EndPart, Part, Request, SealedPart, TextPart, ThinkingPart
from cellwright.models.openai_client import Client
from cellwright.models.provider_model import ProviderModel
from cellwright.models.responses_body import body, tool_text
from cellwright.models.wire import Options, ToolTexts, compact, estimated


class OpenAIResponses(ProviderModel):
    """A model of OpenAI."""

    def __init__(self, access: Access, options: Options, patience: Patience = PATIENCE) -> None:
        super().__init__(access, options, patience)
        self._tools = ToolTexts(tool_text)
        self._client = Client(access, patience)

    async def attempt(self, request: Request) -> AsyncGenerator[Part, None]:
        """The parts of the turn."""
        content = body(request, self.access.model, self.name, self.options, self._tools)
        items = Items(len(content))
        async with await self._client.opened("/responses", content) as stream:
            async for event in stream:
                for part in items.parts(event):
                    yield part
        yield items.end()


class Items:
    """A turn while its items come; `asked` is the length of the request, in case no tokens are counted."""

    def __init__(self, asked: int) -> None:
        self._asked = asked
        self._answered = 0
        self._calls: dict[int, str] = {}
        """The ids of the calls, by the place of their items."""
        self._with_arguments: set[int] = set()
        self._response: JsonObject | None = None

    def parts(self, event: JsonObject) -> Iterator[Part]:
        """What an event adds to the turn."""
        match event:
            case {"type": "response.output_text.delta" | "response.refusal.delta", "delta": str(text)}:
                self._answered += len(text)
                yield TextPart(text)
            case {
                "type": "response.reasoning_summary_text.delta" | "response.reasoning_text.delta",
                "delta": str(text),
            }:
                yield ThinkingPart(text)
            case {"type": "response.output_item.added", "output_index": int(index), "item": dict() as item}:
                yield from self._begin(index, item)
            case {"type": "response.function_call_arguments.delta", "output_index": int(index), "delta": str(text)}:
                self._with_arguments.add(index)
                self._answered += len(text)
                yield CallPart(index, self._calls.get(index, ""), arguments=text)
            case {"type": "response.output_item.done", "output_index": int(index), "item": dict() as item}:
                yield from self._finish(index, item)
            case {"type": "response.completed" | "response.incomplete", "response": dict() as response}:
                self._response = response
            case {"type": "response.failed", "response": dict() as response}:
                raise ReportedError(response.get("error"))
            case {"type": "error"}:
                raise ReportedError(event)

    def end(self) -> EndPart:
        """The end of the turn.

        Raises:
            StreamEndedError: if the provider has not said so.
            ModelError: if it would not go on.
        """
        if self._response is None:
            raise StreamEndedError("the stream ended before the turn did")
        reason = (self._response.get("incomplete_details") or {}).get("reason")
        if reason == "content_filter":
            raise ModelError("the provider's filter stopped this turn; say it differently, or start a new run")
        stop: Stop = "length" if self._response.get("status") == "incomplete" else "calls" if self._calls else "end"
        usage = self._response.get("usage")
        return EndPart(stop, _usage(usage) if isinstance(usage, dict) else estimated(self._asked, self._answered))

    def _begin(self, index: int, item: JsonObject) -> Iterator[Part]:
        match item:
            case {"type": "function_call", "call_id": str(call_id), "name": str(name)}:
                self._calls[index] = call_id
                yield CallPart(index, call_id, name)
            case {"type": "message", "phase": str(phase)}:
                yield SealedPart(compact({"phase": phase}))

    def _finish(self, index: int, item: JsonObject) -> Iterator[Part]:
        match item:
            case {"type": "reasoning"}:
                yield SealedPart(compact(item))
            case {"type": "function_call", "call_id": str(call_id), "name": str(name), "arguments": str(arguments)}:
                self._calls[index] = call_id
                yield CallPart(index, call_id, name, "" if index in self._with_arguments else arguments, complete=True)


def _usage(usage: JsonObject) -> Usage:
    details = usage.get("input_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else 0
    stored = details.get("cache_write_tokens") if isinstance(details, dict) else 0
    counts = (usage.get("input_tokens"), usage.get("output_tokens"), cached, stored)
    return Usage(*(count if isinstance(count, int) else 0 for count in counts))
