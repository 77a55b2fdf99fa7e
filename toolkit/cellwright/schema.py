"""A JSON Schema, made canonical once and kept.

A tool's schema is read by the model each turn and judges each call, so all that can be known beforehand is worked
out when the tool is made: the schema is checked against its meta-schema (JSON Schema 2020-12), written in one byte
form, and its validator is built. Remote references are refused, so that judging a call never opens a connection.
A failed check names the path, what was expected and what came, in words a model can act on.
"""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import jsonschema
import referencing
from jsonschema import Draft202012Validator

from cellwright.codec import canonical
from cellwright.errors import SchemaError
from cellwright.messages import JsonObject

MAX_PROBLEMS = 5
"""Problems named in one error; more would not help."""
SHOWN = 80
"""Characters of a wrong value that an error shows."""


class Schema:
    """A checked JSON Schema for an object, with its canonical text and its validator.

    Raises:
        SchemaError: naming the place, if the schema is invalid, is not one for an object, or refers elsewhere.
    """

    def __init__(self, json: JsonObject, owner: str = "schema") -> None:
        if not isinstance(json, dict):
            raise SchemaError(f"{owner}: a schema is a JSON object, got {type(json).__name__}")
        self.json = json
        self.text = _canonical_text(json, owner)
        _check(json, owner)
        self._validator = Draft202012Validator(json, registry=referencing.Registry())

    @cached_property
    def digest(self) -> str:
        """A short name for this exact schema: 12 hexadecimal digits."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:12]

    @property
    def properties(self) -> JsonObject:
        """The schemas of the parameters, by name."""
        found = self.json.get("properties", {})
        return found if isinstance(found, dict) else {}

    @property
    def required(self) -> frozenset[str]:
        """The names of the parameters that must be given."""
        return frozenset(self.json.get("required", ()))

    def problems(self, value: object) -> tuple[str, ...]:
        """What is wrong with a value, one sentence each, at most `MAX_PROBLEMS`; empty if nothing is."""
        if self._validator.is_valid(value):
            return ()
        errors = sorted(self._validator.iter_errors(value), key=lambda e: [str(step) for step in e.absolute_path])
        sentences = list(dict.fromkeys(sentence for error in errors for sentence in _sentences(error)))
        if len(sentences) > MAX_PROBLEMS:
            return (*sentences[:MAX_PROBLEMS], f"{len(sentences) - MAX_PROBLEMS} more problems")
        return tuple(sentences)


def parameters_text(schema: Schema) -> str:
    """The parameters of a tool in one line, the required ones first: `path: string, limit?: integer`."""
    names = sorted(schema.properties, key=lambda name: name not in schema.required)
    parts = (f"{n}{'' if n in schema.required else '?'}: {_type_text(schema.properties[n])}" for n in names)
    return ", ".join(parts) or "none"


def json_type(value: object) -> str:
    """The name JSON gives to a value's type."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
    return "object"


def _canonical_text(json: JsonObject, owner: str) -> str:
    try:
        return canonical(json)
    except (TypeError, ValueError, RecursionError) as error:
        raise SchemaError(f"{owner}: the schema is not plain JSON ({error})") from None


def _check(json: JsonObject, owner: str) -> None:
    try:
        Draft202012Validator.check_schema(json)
    except jsonschema.SchemaError as error:
        raise SchemaError(f"{owner}: invalid JSON Schema at {_path(error.absolute_path)}: {error.message}") from None
    if json.get("type") != "object":
        raise SchemaError(f'{owner}: the schema must say "type": "object", since arguments are an object')
    for reference in _references(json):
        if not reference.startswith("#"):
            raise SchemaError(f"{owner}: $ref {reference!r} leaves the schema; copy what it names into $defs")
        if not _resolves(json, reference):
            raise SchemaError(f"{owner}: $ref {reference!r} names nothing in the schema")


def _references(json: object) -> Iterator[str]:
    todo = [json]
    while todo:
        match todo.pop():
            case dict() as found:
                yield from (found[k] for k in ("$ref", "$dynamicRef") if isinstance(found.get(k), str))
                todo.extend(v for k, v in found.items() if k not in ("const", "enum", "default", "examples"))
            case list() as found:
                todo.extend(found)


def _resolves(json: JsonObject, reference: str) -> bool:
    try:
        referencing.jsonschema.DRAFT202012.create_resource(json)  # type: ignore[attr-defined]
        resource = referencing.jsonschema.DRAFT202012.create_resource(json)  # type: ignore[attr-defined]
        referencing.Registry().with_resource("", resource).resolver().lookup(reference)
    except referencing.exceptions.Unresolvable:
        return False
    return True


def _sentences(error: Any) -> Iterator[str]:  # noqa: ANN401 (jsonschema is untyped)
    where = _path(error.absolute_path)
    match error.validator:
        case "required":
            yield from (f"{_join(where, n)} is missing" for n in error.validator_value if n not in error.instance)
        case "additionalProperties" if isinstance(error.instance, dict):
            known = list(error.schema.get("properties", {}))
            yield from (_unknown(where, name, known) for name in error.instance if name not in known)
        case "type":
            yield f"{where} must be {_types(error.validator_value)}, got {_shown(error.instance)}"
        case "enum":
            choices = ", ".join(canonical(choice) for choice in error.validator_value)
            yield f"{where} must be one of {choices}, got {_shown(error.instance)}"
        case "anyOf" | "oneOf":
            wanted = " or ".join(dict.fromkeys(_type_text(option) for option in error.validator_value))
            inner = jsonschema.exceptions.best_match(error.context) if error.context else None
            if inner is not None and len(inner.absolute_path) > len(error.absolute_path):
                yield from _sentences(inner)
            else:
                yield f"{where} must be {wanted}, got {_shown(error.instance)}"
        case _:
            yield f"{where}: {error.message[:300]}"


def _unknown(where: str, name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name.lower(), [k.lower() for k in known], 1, 0.6)
    meant = next((k for k in known if near and k.lower() == near[0]), None)
    hint = f", did you mean {meant}" if meant else f", known are: {', '.join(known) or 'none'}"
    return f"unknown parameter {_join(where, name)}{hint}"


def _path(steps: Any) -> str:  # noqa: ANN401
    text = ""
    for step in steps:
        text += f"[{step}]" if isinstance(step, int) else f".{step}"
    return text.removeprefix(".") or "arguments"


def _join(where: str, name: str) -> str:
    return name if where == "arguments" else f"{where}.{name}"


def _types(wanted: object) -> str:
    names = wanted if isinstance(wanted, list) else [wanted]
    return " or ".join(
        f"{'an' if str(name)[0] in 'aeio' else 'a'} {name}" if name != "null" else "null" for name in names
    )


def _type_text(schema: object) -> str:
    match schema:
        case {"type": str(name)}:
            return name
        case {"type": [*names]}:
            return " or ".join(str(name) for name in names)
        case {"enum": [*choices]}:
            return " | ".join(canonical(choice) for choice in choices)
        case {"const": value}:
            return canonical(value)
        case {"anyOf": [*options]} | {"oneOf": [*options]}:
            return " or ".join(dict.fromkeys(_type_text(option) for option in options))
        case {"$ref": str(reference)}:
            return reference.rsplit("/", 1)[-1]
    return "any"


def _shown(value: object) -> str:
    text = canonical(value)
    if len(text) > SHOWN:
        text = text[:SHOWN] + "…"
    return f"{json_type(value)} {text}" if value is not None else "null"
