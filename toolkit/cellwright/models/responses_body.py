"""The body of a request to OpenAI's Responses.

Nothing is kept at the provider: the whole conversation is sent, and what the model thought comes back encrypted, to be
sent along. A tool's schema goes as it is, so the provider is told not to make a stricter one of it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

from cellwright.codec import canonical
from cellwright.definition import Definition
from cellwright.messages import Call, JsonObject, ModelMessage, Sealed, ToolMessage, UserMessage
from cellwright.models.model import Request, TextPart
from cellwright.models.turn_pieces import own_pieces
from cellwright.models.wire import Options, ToolTexts, array, compact, data_url, members, sendable_id, sendable_name


def tool_text(definition: Definition) -> str:
    """A definition as this format has it, its schema as it is."""
    description, schema = canonical(definition.description), canonical(definition.input_schema)
    name = canonical(definition.name)
    return f'{{"type":"function","name":{name},"description":{description},"strict":false,"parameters":{schema}}}'


def body(request: Request, model: str, maker: str, options: Options, tools: ToolTexts) -> bytes:
    """The body; what stays the same from turn to turn comes first."""
    listed = tools.of(request)
    prefix = hashlib.sha256(f"{request.system}\n{listed}".encode()).hexdigest()[:24]
    head = {
        "model": model,
        "stream": True,
        "store": False,
        "include": ["reasoning.encrypted_content"],
        "prompt_cache_key": f"cellwright-{prefix}",
        **options,
    }
    parts = [members(head)]
    if request.system.strip():
        parts.append(members({"instructions": request.system}))
    if request.definitions:
        parts.append(f'"tools":{listed}')
    parts.append(f'"input":{array(_items(request, maker))}')
    return f"{{{','.join(parts)}}}".encode()


def _items(request: Request, maker: str) -> Iterator[str]:
    for message in request.conversation:
        match message:
            case UserMessage(text=text):
                yield compact({"role": "user", "content": text})
            case ToolMessage():
                yield _result(message)
            case ModelMessage():
                yield from _turn(message, maker)


def _turn(turn: ModelMessage, maker: str) -> Iterator[str]:
    """A turn as it came: what was thought before each text and call stands before it again."""
    more: JsonObject = {}
    for piece in own_pieces(turn, maker):
        match piece:
            case Sealed(data=data):
                item = json.loads(data)
                if item.get("type") == "reasoning":
                    yield compact(item)
                else:
                    more = item
            case TextPart(text=text):
                yield compact({"role": "assistant", "content": text, **more})
            case Call(id=call_id, name=name, arguments=arguments):
                call = {"call_id": sendable_id(call_id), "name": sendable_name(name), "arguments": arguments or "{}"}
                yield compact({"type": "function_call", **call})


def _result(message: ToolMessage) -> str:
    output: object = message.content
    if message.images:
        pictures = ({"type": "input_image", "image_url": data_url(image)} for image in message.images)
        output = [{"type": "input_text", "text": message.content}, *pictures]
    result = {"type": "function_call_output", "call_id": sendable_id(message.call_id), "output": output}
    return compact(result)
