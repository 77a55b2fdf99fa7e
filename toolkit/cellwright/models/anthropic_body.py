"""The body of a request to Anthropic's Messages.

Its definitions of tools are ours, byte for byte. It keeps what it has read where a mark says so: one mark stands at the
end of the system prompt, behind the tools, and never moves; for the conversation the provider is asked to put its own
at the end of each request, so that no byte of the history changes. It looks some twenty blocks back for what it knows,
so a turn with more calls than that gets a mark of its own where the last request ended.

Source: "Prompt caching" and "Extended thinking" in the documentation of the Messages API.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from cellwright.messages import Call, Conversation, Message, ModelMessage, Sealed, ToolMessage, UserMessage
from cellwright.models.model import Request, TextPart, ThinkingPart
from cellwright.models.turn_pieces import own_pieces
from cellwright.models.wire import Options, array, compact, members, object_text, sendable_id, sendable_name

MAX_TOKENS = 32_000
"""Tokens of a turn at most, thinking included; the provider wants a number."""
MARK = '"cache_control":{"type":"ephemeral"}'
LOOK_BACK = 18
"""Blocks of a turn with its results that the provider surely looks back."""
NOTHING = compact({"type": "text", "text": "(nothing)"})
"""What stands for a message without words; the provider takes no empty one."""


def body(request: Request, model: str, maker: str, options: Options) -> bytes:
    """The body; what stays the same from turn to turn comes first."""
    head = {"model": model, "max_tokens": MAX_TOKENS, "stream": True, **options}
    parts = [members(head), MARK]
    if request.definitions:
        parts.append(f'"tools":{request.definitions_json.decode()}')
    if request.system.strip():
        text = compact({"type": "text", "text": request.system})
        parts.append(f'"system":[{_marked(text)}]')
    parts.append(f'"messages":{array(_messages(request.conversation, maker))}')
    return f"{{{','.join(parts)}}}".encode()


def _messages(conversation: Conversation, maker: str) -> list[str]:
    """The messages, what was said to the model in one, as the provider wants them in turns."""
    said: list[tuple[str, list[str]]] = []
    for message in conversation:
        role = "assistant" if isinstance(message, ModelMessage) else "user"
        blocks = list(_blocks(message, maker))
        if not blocks:
            continue
        if said and said[-1][0] == role:
            said[-1][1].extend(blocks)
        else:
            said.append((role, blocks))
    if len(said) > 2 and len(said[-1][1]) + len(said[-2][1]) > LOOK_BACK:
        said[-3][1][-1] = _marked(said[-3][1][-1])
    return [f'{{"role":"{role}","content":{array(blocks)}}}' for role, blocks in said]


def _blocks(message: Message, maker: str) -> Iterable[str]:
    match message:
        case UserMessage(text=text):
            return [compact({"type": "text", "text": text}) if text.strip() else NOTHING]
        case ToolMessage():
            return [_result(message)]
        case ModelMessage():
            return _turn(message, maker)


def _turn(turn: ModelMessage, maker: str) -> Iterator[str]:
    """A turn as it came. Thinking that is not signed is not taken back, and a text of blanks alone neither."""
    thinking = ""
    for piece in own_pieces(turn, maker):
        match piece:
            case ThinkingPart(text=thinking):
                pass
            case Sealed(data=data):
                block = json.loads(data)
                if block["type"] == "thinking":
                    block = {"type": "thinking", "thinking": thinking, **block}
                yield compact(block)
                thinking = ""
            case TextPart(text=text) if text.strip():
                yield compact({"type": "text", "text": text})
            case Call(id=call_id, name=name, arguments=arguments):
                start = members({"type": "tool_use", "id": sendable_id(call_id), "name": sendable_name(name)})
                yield f'{{{start},"input":{object_text(arguments)}}}'


def _result(message: ToolMessage) -> str:
    content: list[object] = [{"type": "text", "text": message.content}] if message.content.strip() else []
    for image in message.images:
        source = {"type": "base64", "media_type": image.media_type, "data": image.data}
        content.append({"type": "image", "source": source})
    result = {"type": "tool_result", "tool_use_id": sendable_id(message.call_id), "content": content}
    return compact(result if message.ok else {**result, "is_error": True})


def _marked(block: str) -> str:
    return f"{block[:-1]},{MARK}}}"
