"""Models of Anthropic, by the Messages format and the vendor's SDK.

A turn comes as blocks: text, thinking, calls. The end of a block says that a call is whole, so it begins at once.
Thinking is signed, or comes encrypted; both are kept sealed in the turn and go back as they were. The rule that must
never break: a turn has ended when the provider says `message_stop`, and not when its stream does.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from typing import Any

import anthropic

from cellwright.errors import ModelError
from cellwright.messages import JsonObject, Stop, Usage
from cellwright.models.access import Access
from cellwright.models.anthropic_body import body
from cellwright.models.attempts import PATIENCE, Patience
from cellwright.models.failure import StreamEndedError
from cellwright.models.loop_client import LoopClient, trusted
from cellwright.models.model import CallPart, EndPart, Part, Request, SealedPart, TextPart, ThinkingPart
from cellwright.models.provider_model import ProviderModel
from cellwright.models.wire import Options, compact, estimated

STOPS: dict[str, Stop] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "tool_use": "calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
}


class AnthropicMessages(ProviderModel):
    """A model of Anthropic, or of a server that speaks its format."""

    def __init__(self, access: Access, options: Options, patience: Patience = PATIENCE) -> None:
        super().__init__(access, options, patience)
        self._client = LoopClient(self._new_client, lambda client: client.close())

    def _new_client(self) -> anthropic.AsyncAnthropic:
        http = anthropic.DefaultAsyncHttpxClient(trust_env=not self.access.is_local, verify=trusted())
        return anthropic.AsyncAnthropic(
            api_key=self.access.secret,
            base_url=self.access.base_url or "https://api.anthropic.com",
            timeout=anthropic.Timeout(self.patience.idle, connect=min(10.0, self.patience.idle)),
            max_retries=0,
            http_client=http,
        )

    async def attempt(self, request: Request) -> AsyncGenerator[Part, None]:
        """The parts of the turn."""
        content = body(request, self.access.model, self.name, self.options)
        client = await self._client.get()
        stream: anthropic.AsyncStream[Any] = await client.post(
            "/v1/messages",
            content=content,
            options={"headers": {"content-type": "application/json"}},
            cast_to=object,
            stream=True,
            stream_cls=anthropic.AsyncStream[Any],
        )
        blocks = Blocks(len(content))
        async with stream:
            async for event in stream:
                for part in blocks.parts(event):
                    yield part
        yield blocks.end()


class Blocks:
    """A turn while its blocks come; `asked` is the length of the request, for servers that count no tokens."""

    def __init__(self, asked: int) -> None:
        self._asked = asked
        self._answered = 0
        self._open: dict[int, JsonObject] = {}
        """Those that go on, as they began; a signature is added to as it comes."""
        self._usage: dict[str, int] = {}
        self._stop = ""
        self._is_over = False

    def parts(self, event: JsonObject) -> Iterator[Part]:
        """What an event adds to the turn."""
        match event:
            case {"type": "message_start", "message": dict() as message}:
                self._count(message.get("usage"))
            case {"type": "content_block_start", "index": int(index), "content_block": dict() as block}:
                self._open[index] = block
                yield from self._begin(index, block)
            case {"type": "content_block_delta", "index": int(index), "delta": dict() as delta}:
                yield from self._go_on(index, delta)
            case {"type": "content_block_stop", "index": int(index)}:
                yield from self._finish(index, self._open.pop(index, {}))
            case {"type": "message_delta"}:
                self._count(event.get("usage"))
                self._stop = (event.get("delta") or {}).get("stop_reason") or self._stop
            case {"type": "message_stop"}:
                self._is_over = True

    def end(self) -> EndPart:
        """The end of the turn.

        Raises:
            StreamEndedError: if the provider has not said so.
            ModelError: if it would not go on.
        """
        if not self._is_over:
            raise StreamEndedError("the stream ended before the turn did")
        if self._stop == "refusal":
            raise ModelError("the model refused to go on; say it differently, or start a new run")
        usage = _usage(self._usage) if self._usage else estimated(self._asked, self._answered)
        return EndPart(STOPS.get(self._stop, "end"), usage)

    def _begin(self, index: int, block: JsonObject) -> Iterator[Part]:
        match block:
            case {"type": "text", "text": str(text)} if text:
                yield TextPart(text)
            case {"type": "thinking", "thinking": str(text)} if text:
                yield ThinkingPart(text)
            case {"type": "tool_use", "id": str(call_id), "name": str(name)}:
                given = block.get("input")
                yield CallPart(index, call_id, name, compact(given) if given else "")

    def _go_on(self, index: int, delta: JsonObject) -> Iterator[Part]:
        match delta:
            case {"type": "text_delta", "text": str(text)}:
                self._answered += len(text)
                yield TextPart(text)
            case {"type": "thinking_delta", "thinking": str(text)}:
                yield ThinkingPart(text)
            case {"type": "signature_delta", "signature": str(text)} if index in self._open:
                self._open[index] = {**self._open[index], "signature": self._open[index].get("signature", "") + text}
            case {"type": "input_json_delta", "partial_json": str(text)} if index in self._open:
                yield CallPart(index, self._open[index].get("id", ""), arguments=text)

    def _finish(self, index: int, block: JsonObject) -> Iterator[Part]:
        match block:
            case {"type": "thinking", "signature": str(signature)} if signature:
                yield SealedPart(compact({"type": "thinking", "signature": signature}))
            case {"type": "redacted_thinking"}:
                yield SealedPart(compact(block))
            case {"type": "tool_use", "id": str(call_id)}:
                yield CallPart(index, call_id, complete=True)

    def _count(self, usage: object) -> None:
        if isinstance(usage, dict):
            self._usage |= {name: count for name, count in usage.items() if isinstance(count, int)}


def _usage(counts: dict[str, int]) -> Usage:
    """Anthropic counts what it read from or wrote to its cache beside the input; here it is a part of it."""
    cached, stored = counts.get("cache_read_input_tokens", 0), counts.get("cache_creation_input_tokens", 0)
    fresh = counts.get("input_tokens", 0)
    return Usage(fresh + cached + stored, counts.get("output_tokens", 0), cached, stored)
