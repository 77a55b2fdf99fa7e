"""The pieces of a request's body that all providers share, as the JSON text that is sent.

A provider keeps what it has read as long as the bytes at the beginning of the next request are the same, so bodies are
put together from texts, each made from one message and nothing else; and the list of tools is made once for as long as
the tools stay the same. What a model wrote goes back into its own history, and a provider refuses a whole conversation
over one name or id in it that it finds odd. The rule that must never break: equal messages give equal bytes, and
whatever a model or a server has sent before, the next body is one that the provider reads.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping

from cellwright.arguments import ArgumentsError, parse_json
from cellwright.definition import Definition
from cellwright.messages import Image, Usage
from cellwright.models.model import Request
from cellwright.models.scripted_model import CHARS_PER_TOKEN

Options = Mapping[str, object]
"""What a person wants to be said to a provider in its own words, such as `{"temperature": 0}`."""
ODD = re.compile(r"[^A-Za-z0-9_-]")
LONGEST = 64
"""Characters of a name or id that every provider takes."""


def compact(value: object) -> str:
    """JSON text without blanks, in the order in which the keys were given."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def members(values: Mapping[str, object]) -> str:
    """The members of an object without its braces."""
    return compact(dict(values))[1:-1]


def array(texts: Iterable[str]) -> str:
    """A JSON list of what is JSON text already."""
    return f"[{','.join(texts)}]"


def object_text(arguments: str) -> str:
    """The arguments of a call if they are a JSON object, else `{}`: the error that the model is told says the rest."""
    try:
        return arguments if isinstance(parse_json(arguments), dict) else "{}"
    except ArgumentsError:
        return "{}"


def sendable_name(name: str) -> str:
    """A tool's name as providers take it; a model can call what no tool is called."""
    return ODD.sub("_", name)[:LONGEST] or "unnamed"


def sendable_id(call_id: str) -> str:
    """A call's id as providers take it; one that another server gave may have signs of its own, or be too long."""
    if len(call_id) <= LONGEST and call_id and not ODD.search(call_id):
        return call_id
    return f"call_{hashlib.sha256(call_id.encode()).hexdigest()[:24]}"


def data_url(image: Image) -> str:
    """A picture as an address that holds it."""
    return f"data:{image.media_type};base64,{image.data}"


def estimated(asked: int, answered: int) -> Usage:
    """The usage of a turn whose server counts nothing, so that a budget of tokens holds all the same."""
    return Usage(-(-asked // CHARS_PER_TOKEN), -(-answered // CHARS_PER_TOKEN))


class ToolTexts:
    """The list of tools as one provider wants it, made once for each state of the registry."""

    def __init__(self, text_of: Callable[[Definition], str]) -> None:
        self._text_of = text_of
        self._made_for = b""
        self._text = "[]"

    def of(self, request: Request) -> str:
        """The JSON list."""
        if request.definitions_json != self._made_for:
            self._text = array(map(self._text_of, request.definitions))
            self._made_for = request.definitions_json
        return self._text
