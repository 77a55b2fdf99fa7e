"""What a cell's JSON says, without reading what nobody asks for.

Nearly all bytes of a large notebook are the texts of outputs: pictures, tables, logs. To list cells, find one, or judge
whether the file is a valid notebook, it is enough to know what kinds of outputs there are. So the members of a short
cell are read in full, and of a long one all but the long values in its outputs, for which an empty value of the same
form stands. msgspec tells where a value ends at the speed of memory, and is as strict as `json` is.

The rule that must never break: nothing that is left out here is ever written; a cell's own bytes are.
"""

import json

import msgspec

from cellwright.messages import JsonObject

SHORT = 4_000
"""Bytes of JSON that are read in full."""

Raw = bytes | memoryview
"""JSON as it stands in the file."""


def members_of(raw: Raw) -> JsonObject:
    """The members of the cell, with empty values in place of the long ones in its outputs."""
    if len(raw) <= SHORT:
        return whole_members(raw)
    try:
        cell = _CELL.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):  # other members, or NaN, which only `json` takes
        return whole_members(raw)
    found = {name: getattr(cell, name) for name in cell.__struct_fields__}
    if cell.outputs is not msgspec.UNSET:
        found["outputs"] = [_output(output) for output in cell.outputs]
    return {name: value for name, value in found.items() if value is not msgspec.UNSET}


def whole_members(raw: Raw) -> JsonObject:
    """All members of the object. Raises ValueError or RecursionError where there is none that `json` can read."""
    found = _read(raw)
    if not isinstance(found, dict):
        raise ValueError("not an object")
    return found


def outputs_json(raw: Raw) -> bytes:
    """The JSON of the cell's outputs as it stands in the file, to be compared; empty where there are none."""
    try:
        found = bytes(_OBJECT.decode(raw).get("outputs", b""))
    except (msgspec.DecodeError, UnicodeDecodeError):  # NaN, which only `json` takes
        found = json.dumps(whole_members(raw).get("outputs", "")).encode()
    return b"" if len(found) < SHORT and b"".join(found.split()) in (b"[]", b'""') else found


class _Cell(msgspec.Struct, forbid_unknown_fields=True):
    """A cell's members, in the order in which Jupyter writes them; all in one go, as each go takes its time."""

    attachments: object = msgspec.UNSET
    cell_type: object = msgspec.UNSET
    execution_count: object = msgspec.UNSET
    id: object = msgspec.UNSET
    metadata: object = msgspec.UNSET
    outputs: list[dict[str, msgspec.Raw]] | msgspec.UnsetType = msgspec.UNSET
    source: object = msgspec.UNSET


_CELL = msgspec.json.Decoder(_Cell)
_OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])
_STANDS_FOR: dict[int, object] = {ord('"'): "", ord("["): [], ord("{"): {}}


def _output(members: dict[str, msgspec.Raw]) -> JsonObject:
    views = {key: memoryview(value) for key, value in members.items()}
    return {key: _data(value) if key == "data" else _form(value) for key, value in views.items()}


def _data(raw: memoryview) -> object:
    """A picture or table in its several forms: the forms count, not what they hold."""
    if len(raw) <= SHORT or raw[0] != ord("{"):
        return _form(raw)
    return {mime: _form(memoryview(value)) for mime, value in _OBJECT.decode(raw).items()}


def _form(raw: memoryview) -> object:
    return _STANDS_FOR[raw[0]] if len(raw) > SHORT and raw[0] in _STANDS_FOR else _read(raw)


def _read(raw: Raw) -> object:
    return json.loads(str(raw, "utf-8", "surrogateescape"))
