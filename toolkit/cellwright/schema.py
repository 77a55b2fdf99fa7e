"""A JSON Schema, made canonical once and kept.

A tool's schema is read by the model each turn and judges each call, so all that can be known beforehand is worked
out when the tool is made: the schema is checked against its meta-schema (JSON Schema 2020-12), written in one byte
form, and its validator is built. Remote references are refused, so that judging a call never opens a connection.
A failed check names the path, what was expected and what came, in words a model can act on.

The validator is `jsonschema-rs`, not `jsonschema`: importing that one takes seconds where Jupyter's extras are
installed, and a schema of someone else that refers to itself, or holds a costly pattern, must not hang the kernel.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

from jsonschema_rs import Draft202012Validator, ValidationError

from cellwright.codec import canonical
from cellwright.errors import SchemaError
from cellwright.messages import JsonObject, clean_text

MAX_PROBLEMS = 5
"""Problems named in one error; more would not help."""
MAX_LOOKED_AT = 500
"""Problems looked at, to name the first of them."""
MAX_REFERENCES = 20
"""References followed, one after the other, to what a parameter is."""
SHOWN = 80
"""Characters of a wrong value that an error shows."""


class Schema:
    """A checked JSON Schema, with its canonical text and its validator: of arguments, or of what a tool returns.

    Raises:
        SchemaError: naming the place, if the schema is invalid, or refers elsewhere.
    """

    def __init__(self, schema: JsonObject, owner: str = "schema") -> None:
        if not isinstance(schema, dict):
            raise SchemaError(f"{owner}: a schema is a JSON object, got {type(schema).__name__}")
        self.json = _own_copy(schema, owner)
        self.text = canonical(self.json)
        self._validator = _validator(self.json, owner)

    def __reduce__(self) -> tuple[type[Schema], tuple[JsonObject]]:
        """In another process it is made anew: a validator can't be sent."""
        return Schema, (self.json,)

    def for_arguments(self, owner: str) -> Schema:
        """This schema, if arguments can be told by it; a value may be of any type, but arguments are an object.

        Raises:
            SchemaError: if it is not one for an object.
        """
        if self.json.get("type") != "object":
            raise SchemaError(f'{owner}: the schema must say "type": "object", since arguments are an object')
        return self

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

    def parameter(self, name: str) -> JsonObject:
        """What is said of one parameter, a reference within the schema followed; empty if nothing is."""
        found = self._facts(self.properties.get(name))
        for _ in range(MAX_REFERENCES):
            reference = str(found.get("$ref", ""))
            if not reference.startswith("#/"):
                break
            found = {**self._facts(self._followed(reference)), **{k: v for k, v in found.items() if k != "$ref"}}
        return found

    def problems_by_parameter(self, value: JsonObject) -> dict[str, list[str]]:
        """What is wrong with arguments, by the name of each parameter; under "" what is wrong with them as a whole."""
        found: dict[str, list[str]] = {}
        for error in self._validator.iter_errors(value):
            facts = error.kind.as_dict()
            said = list(self._sentences(error, "arguments"))
            names = [facts["property"]] if "property" in facts else facts.get("unexpected", [""])
            names = [error.instance_path[0]] if error.instance_path else names
            for place, sentence in enumerate(said):
                told = found.setdefault(str(names[min(place, len(names) - 1)]), [])
                if sentence not in told:
                    told.append(sentence)
        return found

    def accepts(self, value: object) -> bool:
        """Whether nothing is wrong with a value."""
        return bool(self._validator.is_valid(value))

    def accepted(self, args: JsonObject) -> list[str]:
        """The names of the arguments that would be accepted each by itself, if nothing were required."""
        validator = Draft202012Validator({**self.json, "required": []})
        return [name for name, value in args.items() if validator.is_valid({name: value})]

    def problems(self, value: object, root: str = "arguments") -> tuple[str, ...]:
        """What is wrong with a value, one sentence each, at most `MAX_PROBLEMS`; empty if nothing is.

        `root` is what the sentences call the value as a whole.
        """
        if self.accepts(value):
            return ()
        errors = list(islice(self._validator.iter_errors(value), MAX_LOOKED_AT))
        errors.sort(key=lambda e: [(str(step), 0) if isinstance(step, str) else ("", step) for step in e.instance_path])
        sentences = list(dict.fromkeys(text for error in errors for text in self._sentences(error, root)))
        if len(sentences) > MAX_PROBLEMS:
            many = "at least " if len(errors) == MAX_LOOKED_AT else ""
            return (*sentences[:MAX_PROBLEMS], f"{many}{len(sentences) - MAX_PROBLEMS} more problems")
        return tuple(sentences)

    def _sentences(self, error: ValidationError, root: str) -> Iterator[str]:
        steps = error.instance_path
        where = _path(steps, root)
        facts = error.kind.as_dict()
        match error.kind.name:
            case "required":
                yield f"{_path((*steps, facts['property']), root)} is missing"
            case "additionalProperties":
                known = list(self._at(error.schema_path[:-1]).get("properties", {}))
                for name in facts["unexpected"]:
                    plain = re.fullmatch(r"[\w.-]+", name) is not None
                    shown = _path((*steps, name if plain else repr(name)), root)
                    yield f"unknown parameter {shown}{meant(name, known)}"
            case "type":
                yield f"{where} must be {_types(self._at(error.schema_path))}, got {_shown(error.instance)}"
            case "enum":
                choices = ", ".join(canonical(choice) for choice in facts["options"])
                yield f"{where} must be one of {choices}, got {_shown(error.instance)}"
            case "anyOf" | "oneOf":
                yield from self._no_option(error, root)
            case _:
                yield f"{where}: {error.message[:300]}"

    def _no_option(self, error: ValidationError, root: str) -> Iterator[str]:
        steps = error.instance_path
        context = error.kind.as_dict().get("context", [])
        fitting = [option for option in context if not any(_is_of_type(inner, steps) for inner in option)]
        if len(fitting) == 1 and len(context) > 1:  # the others are for values of another type, such as null
            yield from (text for inner in fitting[0] for text in self._sentences(inner, root))
            return
        inside = [inner for option in context for inner in option]
        deepest = max(inside, key=lambda e: len(e.instance_path), default=None)
        if deepest is not None and len(deepest.instance_path) > len(steps):  # one option fits on the outside
            yield from self._sentences(deepest, root)
            return
        options = self._at(error.schema_path)
        wanted = " or ".join(dict.fromkeys(_type_text(option) for option in options))
        yield f"{_path(steps, root)} must be {wanted}, got {_shown(error.instance)}"

    @staticmethod
    def _facts(schema: object) -> JsonObject:
        return schema if isinstance(schema, dict) else {}

    def _followed(self, reference: str) -> object:
        """What a reference within the schema names."""
        try:
            return self._at(step.replace("~1", "/").replace("~0", "~") for step in reference[2:].split("/"))
        except (KeyError, TypeError, IndexError):
            return None

    def _at(self, steps: Iterable[int | str]) -> Any:  # noqa: ANN401 (any part of the schema)
        found: Any = self.json
        for step in steps:
            found = found[step]
        return found


def _is_of_type(error: ValidationError, steps: Sequence[int | str]) -> bool:
    """Whether it says that the value itself is of another type, or none of the choices."""
    return error.kind.name in ("type", "enum", "const") and list(error.instance_path) == list(steps)


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


def _validator(schema: JsonObject, owner: str) -> Draft202012Validator:
    def refuse(address: str) -> JsonObject:
        raise LookupError(f"{address} leaves the schema")

    try:
        validator = Draft202012Validator(schema, retriever=refuse)
    except ValidationError as error:
        if error.kind.name == "$ref":
            message = f"a $ref can't be followed ({error.message[:300]}); copy what it names into $defs"
        else:
            message = f"invalid JSON Schema at {_path(error.instance_path, 'its root')}: {error.message[:300]}"
        raise SchemaError(f"{owner}: {message}") from None
    except ValueError:
        raise SchemaError(f"{owner}: the schema is nested too deeply; write its parts into $defs") from None
    return validator


def meant(name: str, known: list[str]) -> str:
    """What an unknown name was meant to be, or else the names that there are; to be put behind it."""
    near = difflib.get_close_matches(name.lower()[:100], [k.lower() for k in known], 1, 0.6)
    likely = next((k for k in known if near and k.lower() == near[0]), None)
    return f", did you mean {likely}" if likely else f", known are: {', '.join(known) or 'none'}"


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
        case {"enum": [*choices]}:
            return " | ".join(canonical(choice) for choice in choices)
        case {"const": value}:
            return canonical(value)
        case {"type": str(name)}:
            return name
        case {"type": [*names]}:
            return " or ".join(str(name) for name in names)
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
