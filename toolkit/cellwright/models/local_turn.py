"""What a small local model is asked for: one JSON object, either something to say or one call of a tool.

A model of this size does not keep to a format by itself, and its server does not hold it to calls of tools; it does
hold it to a JSON Schema. So each turn has one, made of the tools' own schemas, in which every text has an end: without
one a small model never stops. That makes each of its turns valid, and none of them right.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from cellwright.definition import Definition
from cellwright.messages import Conversation, JsonObject, ModelMessage, ToolMessage, UserMessage
from cellwright.models.model import CallPart, Request, TextPart
from cellwright.models.wire import compact, object_text

LONGEST_WORDS, LONGEST_TEXT, MOST_ITEMS = 400, 200, 8
"""Characters that it says, characters of a text in arguments, and items of a list, at most."""
SAID = re.compile(r'\s*\{\s*"say"\s*:\s*"')
HALF_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*(\\(?:u[0-9a-fA-F]{0,3})?)$")
HOW = (
    'Answer with one JSON object: {"say": "..."} to say something to the person, or '
    '{"tool": "NAME", "arguments": {...}} to use a tool. The tools are:'
)


def schema(request: Request) -> JsonObject:
    """The schema of a turn."""
    says = {"say": {"type": "string", "maxLength": LONGEST_WORDS}}
    return {"anyOf": [_object(says), *map(_call, request.definitions)]}


def messages(request: Request) -> list[JsonObject]:
    """The conversation, with the tools in the system prompt."""
    tools = "\n".join(
        f"- {one.name}: {one.description} Arguments: {compact(one.input_schema)}" for one in request.definitions
    )
    system = f"{request.system}\n\n{HOW}\n{tools}" if tools else request.system
    return [{"role": "system", "content": system}, *_said(request.conversation)]


class Turn:
    """A turn while its letters come; what is said is passed on at once, a call at its end."""

    def __init__(self) -> None:
        self._text = ""
        self._told = 0

    def add(self, text: str) -> Iterator[TextPart]:
        """What a piece of the JSON adds to what is said."""
        self._text += text
        said = _words(self._text)
        if len(said) > self._told:
            yield TextPart(said[self._told :])
            self._told = len(said)

    def end(self) -> Iterator[TextPart | CallPart]:
        """The call, if it is one; words that are none of the two as they are."""
        try:
            whole = json.loads(self._text)
        except ValueError:
            whole = None
        match whole:
            case {"tool": str(name), "arguments": dict() as arguments}:
                yield CallPart(0, "", name, compact(arguments), complete=True)
            case _ if not self._told and not SAID.match(self._text) and self._text:
                yield TextPart(self._text)


def _words(text: str) -> str:
    """What is said in JSON that has not come whole."""
    begin = SAID.match(text)
    if not begin:
        return ""
    raw = text[begin.end() :]
    end = re.search(r'(?<!\\)(?:\\\\)*"', raw)
    raw = raw[: end.end() - 1] if end else HALF_ESCAPE.sub(lambda half: half[0][: -len(half[1])], raw)
    try:
        said: str = json.loads(f'"{raw}"', strict=False)
    except ValueError:
        return ""
    return said[:-1] if not end and said[-1:] and "\ud800" <= said[-1] <= "\udbff" else said


def _call(definition: Definition) -> JsonObject:
    arguments: JsonObject = _bounded(definition.input_schema)
    return _object({"tool": {"const": definition.name}, "arguments": arguments})


def _object(properties: JsonObject) -> JsonObject:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _bounded(value: Any) -> Any:  # noqa: ANN401 (JSON is what it is)
    """A schema in which each text and each list has an end."""
    if isinstance(value, list):
        return [_bounded(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    made = {key: inner if key in ("enum", "const", "default") else _bounded(inner) for key, inner in value.items()}
    if value.get("type") == "string" and not value.keys() & {"enum", "const", "maxLength", "pattern", "format"}:
        made["maxLength"] = LONGEST_TEXT
    if value.get("type") == "array":
        made.setdefault("maxItems", MOST_ITEMS)
    return made


def _said(conversation: Conversation) -> Iterator[JsonObject]:
    for message in conversation:
        match message:
            case UserMessage(text=text):
                yield {"role": "user", "content": text}
            case ToolMessage(name=name, content=content):
                yield {"role": "user", "content": f"The result of {name}: {content}"}
            case ModelMessage(text=text, calls=calls):
                if text or not calls:
                    yield {"role": "assistant", "content": compact({"say": text})}
                for call in calls:
                    arguments = json.loads(object_text(call.arguments))
                    yield {"role": "assistant", "content": compact({"tool": call.name, "arguments": arguments})}
