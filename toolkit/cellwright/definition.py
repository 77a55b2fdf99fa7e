"""What a model sees of a tool: its name, what it is for, what it takes. Nothing else ever reaches it.

A list of definitions is sent with every turn, and a provider keeps what it read as long as the bytes at its beginning
stay the same. So each definition has one text, made once, and a list is these texts one after another. The rule that
must never break: equal definitions give equal bytes.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from cellwright.codec import canonical
from cellwright.messages import JsonObject


class Definition(Struct, frozen=True):
    """What the model sees of a tool."""

    name: str
    description: str
    input_schema: JsonObject

    @property
    def text(self) -> str:
        """The definition as canonical JSON."""
        return canonical({"name": self.name, "description": self.description, "input_schema": self.input_schema})


def written(definition: Definition, schema_text: str) -> str:
    """The text of a definition whose schema has been written already: the same bytes, sooner."""
    name, description = canonical(definition.name), canonical(definition.description)
    return f'{{"description":{description},"input_schema":{schema_text},"name":{name}}}'


def listed(texts: Iterable[str]) -> bytes:
    """The JSON list of definitions that have been written already."""
    return f"[{','.join(texts)}]".encode()
