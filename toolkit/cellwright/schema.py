"""A JSON Schema, made canonical once and kept.

A tool's schema is read by the model each turn and judges each call, so all that can be known beforehand is worked
out when the tool is made: the schema is checked against its meta-schema (JSON Schema 2020-12), written in one byte
form, and its validator is built. Remote references are refused, so that judging a call never opens a connection.
A failed check names the path, what was expected and what came, in words a model can act on.
"""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import jsonschema
import referencing
from jsonschema import Draft202012Validator
from referencing.jsonschema import DRAFT202012

from cellwright.codec import canonical
from cellwright.errors import SchemaError
from cellwright.messages import JsonObject, clean_text

MAX_PROBLEMS = 5
"""Problems named in one error; more would not help."""
SHOWN = 80
"""Characters of a wrong value that an error shows."""


class Schema:
    """A checked JSON Schema for an object, with its canonical text and its validator.

    Raises:
        SchemaError: naming the place, if the schema is invalid, is not one for an object, or refers elsewhere.
    """

    def __init__(self, schema: JsonObject, owner: str = "schema") -> None:
        if not isinstance(schema, dict):
            raise SchemaError(f"{owner}: a schema is a JSON object, got {type(schema).__name__}")
        self.json = _own_copy(schema, owner)
        self.text = canonical(self.json)
        _check(self.json, owner)
        self._validator = Draft202012Validator(self.json, registry=referencing.Registry())

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

    def problems(self, value: object, root: str = "arguments") -> tuple[str, ...]:
        """What is wrong with a value, one sentence each, at most `MAX_PROBLEMS`; empty if nothing is.

        `root` is what the sentences call the value as a whole.
        """
        try:
            if self._validator.is_valid(value):
                return ()
            errors = sorted(self._validator.iter_errors(value), key=lambda e: [str(step) for step in e.absolute_path])
            sentences = list(dict.fromkeys(sentence for error in errors for sentence in _sentences(error, root)))
        except RecursionError:
            return (f"{root} can't be judged: the schema refers to itself too deeply here; send something flatter",)
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


def _own_copy(given: JsonObject, owner: str) -> JsonObject:
    """Nobody else holds this copy, so what the model was shown can't change; the order of parameters stays."""
    try:
        copy: JsonObject = json.loads(clean_text(json.dumps(given, ensure_ascii=False, allow_nan=False)))
    except (TypeError, ValueError, RecursionError) as error:
        raise SchemaError(f"{owner}: the schema is not plain JSON ({error})") from None
    return copy


def _check(schema: JsonObject, owner: str) -> None:
    try:
        Draft202012Validator.check_schema(schema)
    except jsonschema.SchemaError as error:
        place = _path(error.absolute_path, "its root")
        raise SchemaError(f"{owner}: invalid JSON Schema at {place}: {error.message[:300]}") from None
    except RecursionError:
        raise SchemaError(f"{owner}: the schema is nested too deeply; write its parts into $defs") from None
    if schema.get("type") != "object":
        raise SchemaError(f'{owner}: the schema must say "type": "object", since arguments are an object')
    for reference in _references(schema):
        if not reference.startswith("#"):
            raise SchemaError(f"{owner}: $ref {reference!r} leaves the schema; copy what it names into $defs")
        if not _resolves(schema, reference):
            raise SchemaError(f"{owner}: $ref {reference!r} names nothing in the schema")


DATA = ("const", "enum", "default", "examples")
"""Keywords whose values are data, where `$ref` would be a mere text."""
NAMED = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
"""Keywords that hold schemas by names of the author's choice, which may be called like a keyword."""


def _references(schema: object) -> Iterator[str]:
    todo = [schema]
    while todo:
        match todo.pop():
            case dict() as found:
                yield from (found[k] for k in ("$ref", "$dynamicRef") if isinstance(found.get(k), str))
                todo.extend(v for k, v in found.items() if k not in (*DATA, *NAMED))
                todo.extend(s for k in NAMED if isinstance(found.get(k), dict) for s in found[k].values())
            case list() as found:
                todo.extend(found)


def _resolves(schema: JsonObject, reference: str) -> bool:
    try:
        found = (
            referencing.Registry().with_resource("", DRAFT202012.create_resource(schema)).resolver().lookup(reference)
        )
    except (referencing.exceptions.Unresolvable, TypeError, ValueError):  # the last two: a step into a text or list
        return False
    return isinstance(found.contents, dict | bool)


def _sentences(error: Any, root: str) -> Iterator[str]:  # noqa: ANN401 (jsonschema is untyped)
    steps = error.absolute_path
    where = _path(steps, root)
    match error.validator:
        case "required":
            missing = (name for name in error.validator_value if name not in error.instance)
            yield from (f"{_path((*steps, name), root)} is missing" for name in missing)
        case "additionalProperties" if isinstance(error.instance, dict):
            known = list(error.schema.get("properties", {}))
            unknown = (name for name in error.instance if name not in known)
            yield from (f"unknown parameter {_path((*steps, name), root)}{_meant(name, known)}" for name in unknown)
        case "type":
            yield f"{where} must be {_types(error.validator_value)}, got {_shown(error.instance)}"
        case "enum":
            choices = ", ".join(canonical(choice) for choice in error.validator_value)
            yield f"{where} must be one of {choices}, got {_shown(error.instance)}"
        case "anyOf" | "oneOf":
            wanted = " or ".join(dict.fromkeys(_type_text(option) for option in error.validator_value))
            inner = max(error.context, key=lambda e: len(e.absolute_path), default=None)
            if inner is not None and len(inner.absolute_path) > len(steps):  # one option fits on the outside
                yield from _sentences(inner, root)
            else:
                yield f"{where} must be {wanted}, got {_shown(error.instance)}"
        case _:
            yield f"{where}: {error.message[:300]}"


def _meant(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name.lower()[:100], [k.lower() for k in known], 1, 0.6)
    meant = next((k for k in known if near and k.lower() == near[0]), None)
    return f", did you mean {meant}" if meant else f", known are: {', '.join(known) or 'none'}"


def _path(steps: Iterable[int | str], root: str) -> str:
    text = ""
    for step in steps:
        text += f"[{step}]" if isinstance(step, int) else f".{step[:SHOWN]}"
    return text.removeprefix(".") or root


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
