"""The body of a request in the format of Chat Completions, which nearly every server of models understands.

Servers differ in what they forgive, so this sends what all of them take: arguments that are a JSON object, results as
plain text, pictures in a message of the person's after the results, thinking under the very key under which the server
sent it, and only then.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from cellwright.codec import canonical
from cellwright.definition import Definition
from cellwright.messages import Conversation, Image, JsonObject, ModelMessage, Sealed, ToolMessage, UserMessage
from cellwright.models.model import Request
from cellwright.models.turn_pieces import own_pieces
from cellwright.models.wire import (
    Options,
    ToolTexts,
    array,
    compact,
    data_url,
    members,
    object_text,
    sendable_id,
    sendable_name,
)

HERE = "The pictures of the results above:"


def tool_text(definition: Definition) -> str:
    """A definition as this format has it, its schema as it is."""
    description, schema = canonical(definition.description), canonical(definition.input_schema)
    function = f'{{"name":{canonical(definition.name)},"description":{description},"parameters":{schema}}}'
    return f'{{"type":"function","function":{function}}}'


def body(request: Request, model: str, maker: str, options: Options, tools: ToolTexts) -> bytes:
    """The body; what stays the same from turn to turn comes first."""
    head = {"model": model, "stream": True, "stream_options": {"include_usage": True}, **options}
    parts = [members(head)]
    if request.definitions:
        parts.append(f'"tools":{tools.of(request)}')
    parts.append(f'"messages":{array(_messages(request, maker))}')
    return f"{{{','.join(parts)}}}".encode()


def _messages(request: Request, maker: str) -> Iterator[str]:
    if request.system.strip():
        yield compact({"role": "system", "content": request.system})
    place, conversation = 0, request.conversation
    while place < len(conversation):
        message = conversation[place]
        if isinstance(message, ModelMessage):
            yield _turn(message, maker)
            place += 1
            continue
        end = place
        while end < len(conversation) and not isinstance(conversation[end], ModelMessage):
            end += 1
        yield from _said(conversation[place:end])
        place = end


def _said(messages: Conversation) -> Iterator[str]:
    """What the model is told between two turns: the results, then all the rest in one message, as templates want it."""
    texts: list[str] = []
    images: list[Image] = []
    for message in messages:
        match message:
            case ToolMessage(content=content):
                yield compact({"role": "tool", "tool_call_id": sendable_id(message.call_id), "content": content})
                images += message.images
            case UserMessage(text=text):
                texts.append(text)
    if images:
        parts: list[object] = [
            {"type": "text", "text": HERE},
            *({"type": "image_url", "image_url": {"url": data_url(image)}} for image in images),
            *({"type": "text", "text": text} for text in texts),
        ]
        yield compact({"role": "user", "content": parts})
    elif texts:
        yield compact({"role": "user", "content": "\n\n".join(texts)})


def _turn(turn: ModelMessage, maker: str) -> str:
    parts = [members({"role": "assistant", "content": turn.text})]
    for seal in own_pieces(turn, maker):
        if isinstance(seal, Sealed):
            parts.append(members(_thinking(turn, json.loads(seal.data))))
    if turn.calls:
        calls = (_call(call.id, call.name, call.arguments) for call in turn.calls)
        parts.append(f'"tool_calls":{array(calls)}')
    return f"{{{','.join(part for part in parts if part)}}}"


def _thinking(turn: ModelMessage, seal: JsonObject) -> JsonObject:
    """The thinking under the key under which it came, and what else the server keeps of it."""
    return {seal["key"]: turn.thinking} if "key" in seal else {"reasoning_details": seal["details"]}


def _call(call_id: str, name: str, arguments: str) -> str:
    function = {"name": sendable_name(name), "arguments": object_text(arguments)}
    return compact({"id": sendable_id(call_id), "type": "function", "function": function})
