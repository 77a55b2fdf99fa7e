"""Models behind any server that speaks Chat Completions: Ollama, llama.cpp, vLLM, LM Studio, and services.

The format is spoken in many dialects: calls without ids, all calls with one index, whole calls at once, thinking under
one of two keys, no usage, a finish reason that says less than the calls do. What came counts, not what was said of it.
The rule that must never break: a stream without a finish reason has broken off, however cleanly it ends.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from typing import Any

from cellwright.errors import ModelError
from cellwright.messages import JsonObject, Stop, Usage
from cellwright.models.access import Access
from cellwright.models.attempts import PATIENCE, Patience
from cellwright.models.chat_body import body, tool_text
from cellwright.models.failure import StreamEndedError
from cellwright.models.model import CallPart, EndPart, Part, Request, SealedPart, TextPart, ThinkingPart
from cellwright.models.openai_client import Client
from cellwright.models.provider_model import ProviderModel
from cellwright.models.wire import Options, ToolTexts, compact, estimated

STOPS: dict[str, Stop] = {"length": "length", "tool_calls": "calls", "function_call": "calls"}
THOUGHT_KEYS = ("reasoning_content", "reasoning")


class OpenAIChat(ProviderModel):
    """A model of a server that speaks Chat Completions."""

    def __init__(self, access: Access, options: Options, patience: Patience = PATIENCE) -> None:
        super().__init__(access, options, patience)
        self._tools = ToolTexts(tool_text)
        self._client = Client(access, patience)

    async def attempt(self, request: Request) -> AsyncGenerator[Part, None]:
        """The parts of the turn."""
        content = body(request, self.access.model, self.name, self.options, self._tools)
        chunks = Chunks(len(content))
        async with await self._client.opened("/chat/completions", content) as stream:
            async for chunk in stream:
                for part in chunks.parts(chunk):
                    yield part
        for part in chunks.end():
            yield part


class Chunks:
    """A turn while its chunks come; `asked` is the length of the request, for servers that count no tokens."""

    def __init__(self, asked: int) -> None:
        self._asked = asked
        self._answered = 0
        self._usage: JsonObject | None = None
        self._finish = ""
        self._key = ""
        self._details: list[Any] = []

    def parts(self, chunk: JsonObject) -> Iterator[Part]:
        """What a chunk adds to the turn."""
        if isinstance(chunk.get("usage"), dict):
            self._usage = chunk["usage"]
        match chunk.get("choices"):
            case [dict() as choice, *_]:
                self._finish = choice.get("finish_reason") or self._finish
                delta = choice.get("delta")
                for part in self._delta(delta if isinstance(delta, dict) else {}):
                    self._answered += len(part.arguments if isinstance(part, CallPart) else part.text)
                    yield part

    def end(self) -> Iterator[Part]:
        """The end of the turn, with what the server wants to see again.

        Raises:
            StreamEndedError: if the server has not said why it ended.
            ModelError: if it would not go on.
        """
        if not self._finish:
            raise StreamEndedError("the stream ended before the turn did")
        if self._finish == "content_filter":
            raise ModelError("the provider's filter stopped this turn; say it differently, or start a new run")
        if self._key:
            yield SealedPart(compact({"key": self._key}))
        if self._details:
            yield SealedPart(compact({"details": self._details}))
        usage = _usage(self._usage) if self._usage else estimated(self._asked, self._answered)
        yield EndPart(STOPS.get(self._finish, "end"), usage)

    def _delta(self, delta: JsonObject) -> Iterator[TextPart | ThinkingPart | CallPart]:
        for key in THOUGHT_KEYS:
            if isinstance(delta.get(key), str) and delta[key] and self._key in ("", key):
                self._key = key
                yield ThinkingPart(delta[key])
        if isinstance(delta.get("reasoning_details"), list):
            self._details += delta["reasoning_details"]
        for key in ("content", "refusal"):
            if isinstance(delta.get(key), str) and delta[key]:
                yield TextPart(delta[key])
        calls = delta.get("tool_calls")
        for place, call in enumerate(calls if isinstance(calls, list) else ()):
            yield from _call(call, place)


def _call(call: JsonObject, place: int) -> Iterator[CallPart]:
    """A piece of a call; where it has no index, its place tells."""
    match call:
        case {"function": dict() as function}:
            index, given = call.get("index"), function.get("arguments")
            arguments = given if isinstance(given, str) else "" if given is None else compact(given)
            name, call_id = function.get("name"), call.get("id")
            yield CallPart(
                index if isinstance(index, int) else place,
                call_id if isinstance(call_id, str) else "",
                name if isinstance(name, str) else "",
                arguments,
            )


def _usage(usage: JsonObject) -> Usage:
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else usage.get("prompt_cache_hit_tokens")
    counts = (usage.get("prompt_tokens"), usage.get("completion_tokens"), cached)
    return Usage(*(count if isinstance(count, int) else 0 for count in counts))
