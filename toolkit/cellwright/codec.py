"""Turning any Python value into canonical JSON, the one form in which results are kept.

Tools return what Python programmers return: data frames, arrays, dates, paths, sets. A log, a model and a widget
need plain JSON. `to_json` is the one place where the first becomes the second, with these rules:

- NaN and infinities become the strings `"NaN"`, `"Infinity"`, `"-Infinity"` (JSON has no such numbers);
- missing values (None, NaT, pandas.NA) become null; dates and times become ISO 8601 text; Decimal its exact text;
- bytes become `{"base64": "..."}`; sets become sorted lists; scalars, arrays and indexes of numpy, pandas and pyarrow
  their values, of more than 100,000 a part: `{"shape": [...], "dtype": "...", "values": [...], "note": "..."}`;
- a data frame of pandas, polars or pyarrow, or one column of it, becomes `{"columns": [...], "dtypes": [...],
  "rows": [[...]], "total": n}` with at most 1,000 rows and 50,000 cells, and a `note` if that is not all of it;
- dataclasses, msgspec structs, pydantic models and named tuples become objects, enum members their value; paths, UUIDs,
  IP addresses, time zones and complex numbers become text.

What can't be turned (a function, a cycle, an object nobody knows, two keys that become the same text) raises; a
result is never its `repr`, and nothing is left out silently.
"""

from __future__ import annotations

import base64
import dataclasses
import datetime
import decimal
import enum
import fractions
import json
import math
import pathlib
import sys
from collections import UserString
from collections.abc import Callable, ItemsView, Iterable, KeysView, Mapping, Sequence, ValuesView
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from cellwright.foreign_value import UNKNOWN, foreign, is_from
from cellwright.messages import JsonObject, clean_text

MAX_DEPTH = 200
MAX_BITS = 14_000
"""Size of the largest integer that Python writes as decimal text; 4,300 digits."""


class NotJsonError(ValueError):
    """A value has no JSON form; the message says where in the value and what was found."""


def to_json(value: object, within: int = 0) -> Any:  # noqa: ANN401 (JSON is what it is)
    """The value as plain JSON data. `within` are the levels of what it will stand in, so that all of it can be written.

    Raises:
        NotJsonError: naming the place, for a value that has no JSON form, a cycle, or nesting over 200 levels.
    """
    return _convert(value, ("value",), (0,) * within)


def _encoder(colon: str, comma: str, is_sorted: bool) -> Callable[[object, int], Iterable[str]]:
    """What `JSONEncoder.encode` makes anew for each text, which takes longer than the writing of most."""
    made: Callable[[object, int], Iterable[str]] = json.encoder.c_make_encoder(  # type: ignore[attr-defined]  # untold
        None, json.JSONEncoder().default, json.encoder.encode_basestring, None, colon, comma, is_sorted, False, False
    )
    return made


_write = _encoder(":", ",", is_sorted=True)
_write_line = _encoder(": ", ", ", is_sorted=False)


def canonical(value: object) -> str:
    """JSON text in one byte form: sorted keys, no blanks, non-ASCII written as itself."""
    return "".join(_write(value, 0))


def as_line(data: JsonObject) -> str:
    """JSON text in one line, as `json.dumps` writes it: in the order given, non-ASCII written as itself."""
    return "".join(_write_line(data, 0))


def read_canonical(text: str) -> Any:  # noqa: ANN401 (JSON is what it is)
    """What `canonical` wrote."""
    return _DECODER.raw_decode(text)[0]


_DECODER = json.JSONDecoder()


def copied(data: Any) -> Any:  # noqa: ANN401 (JSON is what it is)
    """A copy of JSON data."""
    if type(data) is dict:
        return {key: copied(inner) if type(inner) in CONTAINERS else inner for key, inner in data.items()}
    if type(data) is list:
        return [copied(inner) if type(inner) in CONTAINERS else inner for inner in data]
    return data


CONTAINERS = frozenset({dict, list})

Place = tuple[Any, ...]
"""Where a value stands: the place around it and its name or number there; a text only once somebody has to read it."""


def _convert(value: Any, place: Place, above: tuple[int, ...]) -> Any:  # noqa: ANN401 (JSON is what it is)
    kind = type(value)  # nearly all that comes here is plain JSON already, and is only copied
    if _is_plain(kind, value):
        return value
    if kind is dict:
        return _mapping(value, place, _inside(value, place, above)) if value else {}
    if kind is list or kind is tuple:
        return _list(value, place, _inside(value, place, above)) if value else []
    if is_plain_record(kind):
        return _mapping(fields_of(value), place, _inside(value, place, above))
    if isinstance(value, enum.Enum):
        value = value.value
    simple = _scalar(value, place)
    if simple is not _NOT_SCALAR:
        return simple
    inside = _inside(value, place, above)
    match value:
        case Mapping():
            return _mapping(value, place, inside)
        case set() | frozenset():
            return _sorted([_convert(v, place, inside) for v in value])
        case tuple() if hasattr(value, "_fields"):
            return {k: _convert(getattr(value, k), (place, k), inside) for k in value._fields}
        case list() | tuple() | range() | Sequence() | KeysView() | ValuesView() | ItemsView():
            return _list(list(value), place, inside)
    return _object(value, place, inside)


def _is_plain(kind: type, value: Any) -> bool:  # noqa: ANN401 (any value)
    """A quick test of a value of that type: if it holds, the value is plain JSON and stays as it is."""
    if kind is str:
        return str.isascii(value)
    if kind is float:
        return math.isfinite(value)
    return kind is bool or value is None or (kind is int and -(2**63) <= value < 2**63)


def _inside(value: object, place: Place, above: tuple[int, ...]) -> tuple[int, ...]:
    """What is above the parts of a value, by identity."""
    if id(value) in above:
        raise NotJsonError(f"{_told(place)} contains itself; return a value without cycles")
    if len(above) >= MAX_DEPTH:
        raise NotJsonError(f"{_told(place)} is nested more than {MAX_DEPTH} levels deep; return something flatter")
    return (*above, id(value))


def _told(place: Place) -> str:
    if len(place) == 1:
        return str(place[0])
    around, step = place
    return _told(around) + (f"[{step}]" if isinstance(step, int) else f".{step}")


_NOT_SCALAR = object()


def _scalar(value: object, place: Place) -> object:
    match value:
        case None | bool():
            return value
        case int():
            if value.bit_length() > MAX_BITS:
                raise NotJsonError(f"{_told(place)} is an integer of {value.bit_length():,} bits; return it as text")
            return int(value)
        case float():
            return _finite(float(value))
        case str():
            return clean_text(str(value))
        case bytes() | bytearray() | memoryview():
            return {"base64": base64.b64encode(bytes(value)).decode("ascii")}
        case datetime.datetime() | datetime.date() | datetime.time():
            return None if value != value else value.isoformat()  # NaT is a datetime unequal to itself
        case datetime.timedelta():
            return None if value != value else value.total_seconds()
        case decimal.Decimal() | fractions.Fraction() | pathlib.PurePath() | datetime.tzinfo() | UserString():
            return clean_text(str(value))
        case complex():
            return str(value).strip("()")
    return clean_text(str(value)) if _is_uuid(value) or is_from("ipaddress", value) else _NOT_SCALAR


def _mapping(value: Mapping[Any, Any], place: Place, inside: tuple[int, ...]) -> JsonObject:
    found: JsonObject = {}
    for key, inner in value.items():
        name = key if type(key) is str and key.isascii() else _key(key, place)
        if name in found:
            raise NotJsonError(f"{_told(place)} has two keys that are both written {name!r}; use text keys that differ")
        kind = type(inner)  # texts and floats are looked at here, since a call takes longer than the look
        plain = (kind is str and inner.isascii()) or (kind is float and math.isfinite(inner))
        found[name] = inner if plain else _convert(inner, (place, name), inside)
    return found


def _list(value: Iterable[Any], place: Place, inside: tuple[int, ...]) -> list[Any]:
    return [
        inner if _is_plain(type(inner), inner) else _convert(inner, (place, index), inside)
        for index, inner in enumerate(value)
    ]


def _sorted(items: list[Any]) -> list[Any]:
    """By value where the items compare (2 before 10), else by their text."""
    try:
        return sorted(items)
    except TypeError:
        return sorted(items, key=canonical)


def _finite(number: float) -> float | str:
    if math.isfinite(number):
        return number
    return "NaN" if math.isnan(number) else ("Infinity" if number > 0 else "-Infinity")


def _key(key: object, place: Place) -> str:
    if isinstance(key, enum.Enum):
        key = key.value
    if isinstance(key, str):
        return clean_text(str(key))
    if key is None or isinstance(key, bool | int | float):
        return json.dumps(key)
    if isinstance(key, datetime.date | datetime.time | datetime.timedelta | pathlib.PurePath | tuple | decimal.Decimal):
        return clean_text(str(key))
    if isinstance(key, bytes):
        return key.decode(errors="backslashreplace")
    if _is_uuid(key) or is_from("numpy", key):
        return clean_text(str(key))
    raise NotJsonError(f"{_told(place)} has a key of type {type(key).__name__}; use text keys")


def _is_uuid(value: object) -> bool:
    """Whether it is one. The module is never imported for the question."""
    module = sys.modules.get("uuid")
    return module is not None and isinstance(value, module.UUID)


def _object(value: Any, place: Place, inside: tuple[int, ...]) -> Any:  # noqa: ANN401 (no dependency of ours)
    plainer = foreign(value)
    if plainer is not UNKNOWN:
        return _convert(plainer, place, inside)
    if isinstance(value, Struct) or (dataclasses.is_dataclass(value) and not isinstance(value, type)):
        return _convert(fields_of(value), place, inside)
    if hasattr(value, "model_dump") and not isinstance(value, type):
        return _convert(value.model_dump(), place, inside)
    instead = "return text, numbers, lists, dicts, a dataclass, a pydantic model or a data frame"
    figure = value if hasattr(value, "savefig") else getattr(value, "figure", None)
    if hasattr(figure, "savefig"):  # axes are what most plotting functions give
        name = "figure" if figure is value else "axes.figure"
        instead = f"return Output('what it shows', view=figure_view({name})), which is in cellwright.views.view"
    raise NotJsonError(
        f"{_told(place)} is a {type(value).__module__}.{type(value).__qualname__}, which has no JSON form; {instead}"
    )


def is_plain_record(kind: type) -> bool:
    """Whether values of a class are written as the object of their fields, whatever else they may look like."""
    return kind.__base__ is Struct or ("__dataclass_fields__" in kind.__dict__ and kind.__base__ is object)


def fields_of(value: Any) -> JsonObject:  # noqa: ANN401 (of any class with fields)
    """The fields of a struct or a dataclass by name, as they are."""
    if isinstance(value, Struct):
        return asdict(value)
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
