"""Tools as a Python programmer reads them: a signature for each, made from its JSON Schema.

In code mode a model sees one tool and writes code that calls the others, so it has to know them as functions. A
schema says more than a signature can; what matters for a call is kept (names, types, choices, what may be left out),
the rest is in the function's docstring, where the code can print it. Required parameters come first, in the order
of the schema, then the optional ones by name, so that equal schemas give equal text whatever the order of their keys.
The rule that must never break: the text is made of the definition alone, and nothing in a schema can end its line.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Sequence
from typing import Any

from cellwright.codec import canonical
from cellwright.messages import JsonObject
from cellwright.schema import Schema
from cellwright.tool import Tool

MAX_DEPTH = 5
"""Levels of a type that are written out."""
MAX_TYPE = 300
"""Characters of one type; a longer one is written as `Any`."""
MAX_CHOICES = 20
MAX_LINE = 2_000
"""Characters of one signature; in a longer one no types are written."""
MAX_SUMMARY = 300
NAMES: dict[str, str] = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "null": "None",
    "array": "list[Any]",
    "object": "dict[str, Any]",
}
"""JSON's types as Python calls them."""


def sdk_text(tools: Iterable[Tool]) -> str:
    """All tools as signatures, each with the first sentence or line of its description; in the order given."""
    return "\n".join(f"{signature(tool)}\n    {summary(tool)}" for tool in tools)


def signature(tool: Tool) -> str:
    """The tool as one line of Python, and a line for each type that it names."""
    types = _Types(tool.input_schema)
    line = _line(tool, types)
    if len(line) > MAX_LINE:
        return _line(tool, None)
    return "\n".join([line, *(f"    # {name} = {text}" for name, text in types.named())])


def summary(tool: Tool) -> str:
    """The first line of the description."""
    first = " ".join(tool.definition.description.strip().partition("\n\n")[0].split())
    return first if len(first) <= MAX_SUMMARY else first[: MAX_SUMMARY - 1] + "…"


def full_text(tool: Tool) -> str:
    """All that there is to know of a tool: what the code can print as its docstring."""
    description = tool.definition.description.strip()
    return f"{signature(tool)}\n\n{description}\n\nJSON Schema of the arguments: {tool.input_schema.text}"


def parameters(schema: Schema) -> tuple[str, ...]:
    """The names of the parameters in the order of the signature."""
    required = [name for name in schema.json.get("required", ()) if name in schema.properties]
    return (*required, *sorted(set(schema.properties) - set(required)))


def is_plain(name: str) -> bool:
    """Whether Python takes the name as it is: after a dot, and as the name of a parameter."""
    return name.isascii() and name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("_")


def place(name: str) -> str:
    """How code names a tool: `tools.read_file`, or `tools["do-it"]` where Python would not take the name."""
    return f"tools.{name}" if is_plain(name) else f"tools[{_quoted(name)}]"


def _line(tool: Tool, types: _Types | None) -> str:
    schema = tool.input_schema
    plain: list[str] = []
    odd: list[str] = []
    for name in parameters(schema):
        of = schema.properties[name]
        default = "" if name in schema.required else f" = {_default(of)}"
        kind = (types.text(of) if types else "Any") + default
        if is_plain(name):
            plain.append(f"{name}: {kind}")
        else:
            odd.append(f"{_quoted(name)}: {kind}")
    given = ", ".join([*plain, *([f"**{{{', '.join(odd)}}}"] if odd else [])])
    return f"async def {place(tool.name).removeprefix('tools.')}({given}) -> {_returned(tool)}"


def _returned(tool: Tool) -> str:
    return _Types(tool.output_schema).text(tool.output_schema.json) if tool.output_schema else "Any"


def _default(schema: object) -> str:
    if not isinstance(schema, dict) or "default" not in schema:
        return "..."
    text = _literal(schema["default"])
    return text if len(text) <= MAX_TYPE // 4 else "..."


def _quoted(text: str) -> str:
    """A Python string on one line, in ASCII, so that nothing in it looks like something else."""
    return canonical(text) if text.isascii() and text.isprintable() else ascii(text)


def _literal(value: Any) -> str:  # noqa: ANN401 (JSON is what it is)
    """A JSON value as Python writes it."""
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_quoted(key)}: {_literal(value[key])}' for key in sorted(value))}}}"
    return repr(value)


class _Types:
    """The types of one schema, and the names that they refer to."""

    def __init__(self, schema: Schema) -> None:
        self._root = schema.json
        self._met: dict[str, Any] = {}

    def text(self, schema: object) -> str:
        """The type as Python writes it."""
        text = self._type(schema, 0)
        return text if len(text) <= MAX_TYPE else "Any"

    def named(self) -> list[tuple[str, str]]:
        """The types that were referred to, with those that they refer to in turn, by name."""
        told: dict[str, str] = {}
        while waiting := sorted(set(self._met) - set(told)):
            told[waiting[0]] = self.text(self._met[waiting[0]])
        return sorted(told.items())

    def _type(self, schema: object, depth: int) -> str:
        if depth > MAX_DEPTH:
            return "Any"
        match schema:
            case {"$ref": str(reference)}:
                return self._reference(reference)
            case {"const": value}:
                return f"Literal[{_literal(value)}]"
            case {"enum": [_, *_] as choices}:
                more = ["..."] if len(choices) > MAX_CHOICES else []
                return f"Literal[{', '.join([*map(_literal, choices[:MAX_CHOICES]), *more])}]"
            case {"anyOf": [_, *_] as options} | {"oneOf": [_, *_] as options}:
                return self._either(options, depth)
            case {"allOf": [only]}:
                return self._type(only, depth + 1)
            case {"type": [_, *_] as kinds, **rest}:
                return self._either([{**rest, "type": kind} for kind in kinds], depth)
            case {"type": "array", "items": dict() as items}:
                return f"list[{self._type(items, depth + 1)}]"
            case {"type": "object", "properties": dict() as properties, **rest} if properties:
                return self._object(rest.get("required"), properties, depth)
            case {"type": "object", "additionalProperties": dict() as values}:
                return f"dict[str, {self._type(values, depth + 1)}]"
            case {"type": str(kind)}:
                return NAMES.get(kind, "Any")
        return "Any"

    def _either(self, options: Sequence[object], depth: int) -> str:
        texts = list(dict.fromkeys(self._type(option, depth + 1) for option in options))
        return "Any" if "Any" in texts else " | ".join(texts)

    def _object(self, needed: object, properties: JsonObject, depth: int) -> str:
        required = [name for name in needed if name in properties] if isinstance(needed, list) else []
        names = [*required, *sorted(set(properties) - set(required))]
        fields = (
            f"{_quoted(name)}{'' if name in required else '?'}: {self._type(properties[name], depth + 1)}"
            for name in names
        )
        return f"{{{', '.join(fields)}}}"

    def _reference(self, reference: str) -> str:
        """The name of what a `#/$defs/Name` names; it is written out once, below the signature."""
        name = reference.removeprefix("#/$defs/")
        found = self._root.get("$defs", {}).get(name)
        if found is None or not is_plain(name):
            return "Any"
        self._met[name] = found
        return name
