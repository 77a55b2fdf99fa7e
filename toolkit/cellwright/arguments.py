"""From the raw text of a call to arguments that can be trusted in form.

The text comes from a model and may be anything: cut off in the middle, doubled keys, a list, NaN, a hundred
thousand brackets. It is read once, strictly, and every later stage sees that one reading. Nothing is guessed: what
is not clear JSON is refused with the place and the next step. Three forms that are clear, though not to the letter,
are repaired wherever they stand, and each repair is said: an object or list sent as JSON text where the schema wants an
object or list, null for what may be left out, and unpaired surrogates, which no later reader could encode.
The rule that must never break: what the schema accepts as it was sent is not changed, but for its surrogates.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any, NoReturn

from cellwright.messages import JsonObject, clean_text
from cellwright.schema import Schema, json_type, parameters_text

MAX_LENGTH = 10_000_000
"""Characters of arguments that are read at all."""
MAX_DEPTH = 100
"""Levels of nesting that are accepted."""
MAX_REPAIRS = 20
"""Repairs of texts that are said; more are made, but say no more."""
MAX_STEPS = 20
"""References and alternatives followed, one inside the other, to see what types a parameter takes."""


class ArgumentsError(ValueError):
    """The text is no arguments for this tool; the message is for the model."""


def read_arguments(text: str, schema: Schema) -> tuple[JsonObject, tuple[str, ...]]:
    """The arguments in a call's raw text, and the repairs that were made, one sentence each.

    Raises:
        ArgumentsError: saying where, what was expected and what came.
    """
    if len(text) > MAX_LENGTH:
        raise ArgumentsError(f"arguments have {len(text):,} characters, at most {MAX_LENGTH:,} are read; send less")
    value: Any = parse_json(text) if text.strip() else {}
    repairs: list[str] = []
    if isinstance(value, str) and (inner := _embedded(value, "object")) is not None:
        value = inner
        repairs.append("arguments were an object sent as JSON text; it was read as the object")
    if value is None and not schema.required:
        value = {}
        repairs.append("arguments were null; they were read as none given")
    if not isinstance(value, dict):
        raise ArgumentsError(
            f"arguments must be a JSON object, got {_kind(value)}; the parameters are: {parameters_text(schema)}"
        )
    args, made = _repaired(value, schema)
    return args, (*repairs, *made)


def parse_json(text: str) -> object:
    """Strict JSON: no duplicate keys, no NaN or infinity, at most `MAX_DEPTH` levels.

    Raises:
        ArgumentsError: naming the place.
    """
    try:
        value = _READER.decode(text)
    except json.JSONDecodeError as error:
        raise ArgumentsError(_syntax(text, error)) from None
    except RecursionError:
        raise ArgumentsError(
            f"arguments are nested more than {MAX_DEPTH} levels deep; send something flatter"
        ) from None
    except ArgumentsError:
        raise
    except ValueError as error:  # an integer with more digits than Python reads
        raise ArgumentsError(f"arguments hold a number that can't be read: {error}") from None
    if text.count("[") + text.count("{") >= MAX_DEPTH and _is_deep(value):
        raise ArgumentsError(f"arguments are nested more than {MAX_DEPTH} levels deep; send something flatter")
    return value


def _is_deep(value: object) -> bool:
    todo = [(value, 1)]
    while todo:
        found, depth = todo.pop()
        if depth > MAX_DEPTH:
            return True
        inside = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
        todo.extend((inner, depth + 1) for inner in inside)
    return False


def _unique(pairs: list[tuple[str, object]]) -> JsonObject:
    found = {clean_text(key): value for key, value in pairs}  # cleaned first, or two keys could become one later
    if len(found) < len(pairs):
        double = next(name for name, times in Counter(clean_text(key) for key, _ in pairs).items() if times > 1)
        raise ArgumentsError(f"arguments are ambiguous: the key {double!r} stands twice in one object; send it once")
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise ArgumentsError(f"arguments hold {name}, which is not JSON; send a number, or null")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ArgumentsError("arguments hold a number too large for JSON readers; send a smaller one")
    return number


_READER = json.JSONDecoder(object_pairs_hook=_unique, parse_float=_finite, parse_constant=_refuse_constant)


def _syntax(text: str, error: json.JSONDecodeError) -> str:
    end = text.rstrip()
    at_end = error.pos >= len(end) or (not end.endswith("}") and len(end) - error.pos <= 5)
    is_cut_off = error.msg.startswith("Unterminated string") or (at_end and error.msg != "Extra data")
    if text.lstrip().startswith("{") and is_cut_off:
        return (
            f"arguments are incomplete: the JSON ends at character {len(text)} before it is closed; nothing was run. "
            "If the text is long, send it in smaller parts"
        )
    near = text[max(0, error.pos - 20) : error.pos + 20]
    found = error.msg.removesuffix(" at")
    return (
        f"arguments are not JSON: {found} at line {error.lineno}, column {error.colno}, near {near!r}; "
        "send one JSON object"
    )


def _kind(value: object) -> str:
    return "number" if json_type(value) == "integer" else json_type(value)


JSON_STARTS = frozenset({"{", "["})


def _repaired(sent: JsonObject, schema: Schema) -> tuple[JsonObject, list[str]]:
    """The arguments, with repairs in those parameters that the schema refuses as they were sent."""
    facts, defs = schema.json, schema.json.get("$defs", {})
    repairs: list[str] = []
    args = _repair(sent, facts, defs, None, repairs)
    if not repairs:
        return args, repairs
    cleanings: list[str] = []
    cleaned = _repair(sent, {}, {}, None, cleanings)
    if schema.accepts(cleaned):
        return cleaned, cleanings
    sound: JsonObject = {name: {} for name in schema.accepted(cleaned)}
    if not sound:
        return args, repairs
    repairs = []
    return _repair(sent, {**facts, "properties": {**schema.properties, **sound}}, defs, None, repairs), repairs


def _repair(
    args: JsonObject, facts: JsonObject, defs: JsonObject, around: Place | None, repairs: list[str]
) -> JsonObject:
    """An object with what was clear in it, though not to the letter; `facts` is its schema."""
    properties, required = facts.get("properties", {}), facts.get("required", ())
    others = {} if "patternProperties" in facts else facts.get("additionalProperties", {})
    fixed: JsonObject = {}
    for name, value in args.items():
        if (
            (value.isascii() and value[:1] not in JSON_STARTS)
            if isinstance(value, str)
            else isinstance(value, int | float)
        ):
            fixed[name] = value  # as nearly all are
            continue
        part, place = properties.get(name, others), (around, name)
        if value is None and name in properties and name not in required and not _takes(part, defs, "null"):
            _say(repairs, place, "was null; it was read as not given")
            continue
        fixed[name] = _inner(value, part, defs, place, repairs)
    return fixed


def _inner(value: Any, part: Any, defs: JsonObject, place: Place, repairs: list[str]) -> Any:  # noqa: ANN401 (as above)
    if isinstance(value, str) and value.startswith(("{", "[")) and not _takes(part, defs, "string"):
        value = _unfolded(value, part, defs, place, repairs)
    if isinstance(value, str):
        return _clean(value, place, repairs)
    if isinstance(value, dict):
        return _repair(value, _shape(part, defs, "object"), defs, place, repairs)
    if isinstance(value, list):
        listed = _shape(part, defs, "array")
        first, items = listed.get("prefixItems", ()), listed.get("items", {})
        shape = _shape(items, defs, "object")
        return [
            _repair(item, shape, defs, (place, at), repairs)
            if isinstance(item, dict) and at >= len(first)
            else _inner(item, first[at] if at < len(first) else items, defs, (place, at), repairs)
            for at, item in enumerate(value)
        ]
    return value


def _unfolded(text: str, part: object, defs: JsonObject, place: Place, repairs: list[str]) -> object:
    """The object or array that a text spells, where one is taken and no text is."""
    for kind in ("object", "array"):
        inner = _embedded(text, kind) if _takes(part, defs, kind, named=True) else None
        if inner is not None:
            _say(repairs, place, f"was an {kind} sent as JSON text; it was read as the {kind}")
            return inner
    return text


def _shape(part: object, defs: JsonObject, kind: str) -> JsonObject:
    """The schema of an object or array: what a reference names, or the only alternative that is one."""
    for _ in range(MAX_STEPS):
        if isinstance(part, dict) and part.get("type") == kind:
            return part
        match part:
            case {"$ref": str(reference)}:
                part = defs.get(reference.removeprefix("#/$defs/"))
            case {"anyOf": [*options]} | {"oneOf": [*options]}:
                fitting = [option for option in options if _takes(option, defs, kind)]
                part = fitting[0] if len(fitting) == 1 else None
            case dict():
                return part
            case _:
                return {}
    return {}


def _takes(schema: object, defs: JsonObject, kind: str, named: bool = False, steps: int = 0) -> bool:
    """Whether a schema accepts a JSON type; one that says nothing of types does, unless it must be named."""
    if steps > MAX_STEPS:
        return not named

    def inner(part: object) -> bool:
        return _takes(part, defs, kind, named, steps + 1)

    match schema:
        case {"type": str(name)}:
            return name == kind
        case {"type": [*names]}:
            return kind in names
        case {"anyOf": [*options]} | {"oneOf": [*options]}:
            return any(map(inner, options))
        case {"allOf": [*parts]}:
            return any(map(inner, parts)) if named else all(map(inner, parts))
        case {"$ref": str(reference)}:
            return inner(defs.get(reference.removeprefix("#/$defs/"), {}))
        case {"enum": [*choices]}:
            return any(json_type(choice) == kind for choice in choices)
        case {"const": value}:
            return json_type(value) == kind
    return not named


def _embedded(text: str, kind: str) -> Any:  # noqa: ANN401 (JSON is what it is)
    """The object or array that a text spells, one level only; None if it spells neither."""
    if text[:1] != {"object": "{", "array": "["}[kind]:
        return None
    try:
        value = parse_json(text)
    except ArgumentsError:
        return None
    return value if json_type(value) == kind else None


Place = tuple[Any, str | int]
"""The place that a value lies in, itself a place or None, and its key or index there: names are long, values many."""


def _clean(text: str, place: Place, repairs: list[str]) -> str:
    cleaned = text if text.isascii() else clean_text(text)
    if cleaned != text:
        _say(repairs, place, "held unpaired surrogates; each was read as U+FFFD")
    return cleaned


def _say(repairs: list[str], place: Place, what: str) -> None:
    if len(repairs) < MAX_REPAIRS:
        repairs.append(f"{_shown(place)} {what}")


def _shown(place: Place) -> str:
    around, step = place
    text = f"[{step}]" if isinstance(step, int) else step[:40]
    if around is None:
        return text
    return f"{_shown(around)}{text if isinstance(step, int) else f'.{text}'}"
