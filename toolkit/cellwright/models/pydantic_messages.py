"""Our messages in the words of pydantic-ai, and what it keeps of a turn, back in its place.

It hides the differences of many providers, some of which want things of their own back: a signature beside a call, an
id beside a thought. Which these are is its business; here they are kept beside the place of the part that they came
with, in one seal at the end of the turn, which is put together again from the turn's own text, thinking and calls.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition

from cellwright import messages as ours
from cellwright.models.model import Request
from cellwright.models.turn_pieces import own_pieces
from cellwright.models.wire import compact, object_text, sendable_id, sendable_name

FACTS = ("id", "signature", "provider_name", "provider_details")
"""What a part may have beside its text."""


def parameters(request: Request) -> ModelRequestParameters:
    """The tools, their schemas as they are, in the order of the canonical text."""
    tools = [
        ToolDefinition(name=one["name"], description=one["description"], parameters_json_schema=one["input_schema"])
        for one in json.loads(request.definitions_json)
    ]
    return ModelRequestParameters(function_tools=tools, allow_text_output=True)


def conversation(request: Request, maker: str, provider: str) -> list[ModelMessage]:
    """The messages, what was said to the model in one, as providers want them in turns."""
    said: list[ModelRequestPart] = [SystemPromptPart(request.system)] if request.system.strip() else []
    made: list[ModelMessage] = []
    for message in request.conversation:
        match message:
            case ours.UserMessage(text=text):
                said.append(UserPromptPart(text if text.strip() else "(nothing)"))
            case ours.ToolMessage():
                said.append(_result(message))
            case ours.ModelMessage():
                parts = list(_turn(message, maker))
                if parts:
                    made += [ModelRequest(said)] if said else []
                    made.append(ModelResponse(parts, provider_name=provider))
                    said = []
    return [*made, ModelRequest(said)] if said else made


def sealed(parts: Sequence[ModelResponsePart]) -> str:
    """What a turn's parts have beside their texts, each in its place; empty if they have nothing."""
    layout = [_kept(part) for part in parts if isinstance(part, TextPart | ThinkingPart | ToolCallPart)]
    return compact(layout) if any(set(kept) & {"signature", "provider_details"} for kept in layout) else ""


def _kept(part: TextPart | ThinkingPart | ToolCallPart) -> dict[str, Any]:
    facts = {name: value for name in FACTS if (value := getattr(part, name, None)) is not None}
    length = {} if isinstance(part, ToolCallPart) else {"length": len(part.content)}
    return {"kind": part.part_kind, **length, **facts}


def _turn(turn: ours.ModelMessage, maker: str) -> Iterator[ModelResponsePart]:
    for piece in own_pieces(turn, maker):
        if isinstance(piece, ours.Sealed):
            yield from _laid_out(turn, json.loads(piece.data))
            return
    if turn.text.strip():
        yield TextPart(turn.text)
    yield from map(_call, turn.calls)


def _laid_out(turn: ours.ModelMessage, layout: list[dict[str, Any]]) -> Iterator[ModelResponsePart]:
    """The parts as they came. Thinking goes back with its signature, and without one not at all."""
    text, thinking, calls = turn.text, turn.thinking, list(turn.calls)
    for kept in layout:
        facts = {name: kept[name] for name in FACTS if name in kept}
        match kept["kind"]:
            case "text":
                piece, text = text[: kept["length"]], text[kept["length"] :]
                facts.pop("signature", None)
                yield TextPart(piece, **facts)
            case "thinking":
                piece, thinking = thinking[: kept["length"]], thinking[kept["length"] :]
                yield ThinkingPart(piece, **facts)
            case _ if calls:
                facts.pop("signature", None)
                yield _call(calls.pop(0), **facts)
    yield from map(_call, calls)


def _call(call: ours.Call, **facts: Any) -> ToolCallPart:  # noqa: ANN401 (as the part has them)
    name, call_id = sendable_name(call.name), sendable_id(call.id)
    return ToolCallPart(name, object_text(call.arguments), call_id, **facts)


def _result(message: ours.ToolMessage) -> ToolReturnPart:
    pictures = [BinaryContent(base64.b64decode(one.data), media_type=one.media_type) for one in message.images]
    content: Any = [message.content, *pictures] if pictures else message.content
    name, call_id = sendable_name(message.name), sendable_id(message.call_id)
    return ToolReturnPart(name, content, call_id, outcome="success" if message.ok else "failed")
