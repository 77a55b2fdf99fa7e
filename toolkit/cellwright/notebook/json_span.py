"""Where the parts of a JSON text begin and end.

To change one value of a JSON file and no other byte, one has to know its place in the text, which `json.loads`
doesn't tell. Python's own `raw_decode` does: it reads one value at C speed and says where it ended. So an object
or array is walked member by member here, and everything below it is left to `raw_decode`.

The rule that must never break: a span covers exactly the text of its value, so that putting the same text back
changes nothing.
"""

import json
import re
from collections.abc import Callable, Mapping

from msgspec import Struct

ReadValue = Callable[[str, str, int], tuple[object, int]]
"""Takes a member's key, the text and a position; gives the value there and the position after it."""


class Member(Struct, frozen=True):
    """One `"key": value` of an object."""

    key: str
    key_start: int
    key_end: int
    start: int
    """Where the value starts."""
    end: int
    value: object


class ObjectSpan(Struct, frozen=True):
    """The members of an object, in the order of the text."""

    start: int
    end: int
    members: tuple[Member, ...]

    def effective(self) -> dict[str, Member]:
        """The member that counts for each key: the last one, as every JSON reader has it."""
        return {member.key: member for member in self.members}


class Item(Struct, frozen=True):
    """One value of an array."""

    start: int
    end: int
    value: object


class ArraySpan(Struct, frozen=True):
    """The items of an array."""

    start: int
    end: int
    items: tuple[Item, ...]


_DECODER = json.JSONDecoder()
_BLANK = re.compile(r"[ \t\r\n]*")


def read_value(_key: str, text: str, at: int) -> tuple[object, int]:
    """The JSON value at `at` and the position after it."""
    value, end = _DECODER.raw_decode(text, at)
    return value, end


def after_blank(text: str, at: int) -> int:
    """The position of the next character that isn't JSON whitespace."""
    found = _BLANK.match(text, at)
    return found.end() if found else at


def scan_object(text: str, start: int, read: ReadValue = read_value) -> ObjectSpan:
    """The object at `start`; `read` may scan a member's value in more detail. Raises JSONDecodeError."""
    members: list[Member] = []
    at = _opened(text, start, "{")
    while text[at : at + 1] != "}" or members:
        member = _scan_member(text, at, read)
        members.append(member)
        at = after_blank(text, member.end)
        if text[at : at + 1] == "}":
            break
        at = _after_comma(text, at)
    return ObjectSpan(start, at + 1, tuple(members))


def scan_array(text: str, start: int, read: ReadValue = read_value) -> ArraySpan:
    """The array at `start`; `read` may keep something else than an item's value. Raises JSONDecodeError."""
    items: list[Item] = []
    at = _opened(text, start, "[")
    while text[at : at + 1] != "]" or items:
        value, end = read("", text, at)
        items.append(Item(at, end, value))
        at = after_blank(text, end)
        if text[at : at + 1] == "]":
            break
        at = _after_comma(text, at)
    return ArraySpan(start, at + 1, tuple(items))


def _scan_member(text: str, at: int, read: ReadValue) -> Member:
    if text[at : at + 1] != '"':
        raise json.JSONDecodeError("Expecting property name enclosed in double quotes", text, at)
    key, key_end = read_value("", text, at)
    colon = after_blank(text, key_end)
    if text[colon : colon + 1] != ":":
        raise json.JSONDecodeError("Expecting ':' delimiter", text, colon)
    start = after_blank(text, colon + 1)
    value, end = read(str(key), text, start)
    return Member(str(key), at, key_end, start, end, value)


def _opened(text: str, start: int, bracket: str) -> int:
    if text[start : start + 1] != bracket:
        raise json.JSONDecodeError(f"Expecting '{bracket}'", text, start)
    return after_blank(text, start + 1)


def _after_comma(text: str, at: int) -> int:
    if text[at : at + 1] != ",":
        raise json.JSONDecodeError("Expecting ',' delimiter", text, at)
    return after_blank(text, at + 1)


def replace_members(text: str, values: Mapping[str, str]) -> str:
    """The object `text` with the values of these keys replaced by these JSON texts; all else stays."""
    return replaced(text, scan_object(text, 0), values)


def replaced(text: str, span: ObjectSpan, values: Mapping[str, str]) -> str:
    """The same for an object that was scanned already."""
    for member in sorted(span.effective().values(), key=lambda member: member.start, reverse=True):
        if member.key in values:
            text = text[: member.start] + values[member.key] + text[member.end :]
    return text


def remove_member(text: str, key: str) -> str:
    """The object `text` without this key and with one separator less."""
    span = scan_object(text, 0)
    places = [place for place, member in enumerate(span.members) if member.key == key]
    if not places:
        return text
    place, members = places[-1], span.members
    if place > 0:
        return text[: members[place - 1].end] + text[members[place].end :]
    following = members[1].key_start if len(members) > 1 else members[0].end
    return text[: members[0].key_start] + text[following:]


def put_member(text: str, key: str, value: str) -> str:
    """The object `text` with this value for `key`: replaced where it is, or added.

    A new key goes to its place if the keys are sorted, else to the end; its separators are those of the others.
    """
    span = scan_object(text, 0)
    if key in span.effective():
        return replaced(text, span, {key: value})
    if not span.members:
        return "{" + f"{json.dumps(key)}: {value}" + "}"
    first, last, keys = span.members[0], span.members[-1], [member.key for member in span.members]
    written = f"{json.dumps(key)}{text[first.key_end : first.start]}{value}"
    separator = _separator(text, span)
    later = [member for member in span.members if member.key > key]
    if keys == sorted(keys) and later:
        at = later[0].key_start
        return text[:at] + written + separator + text[at:]
    return text[: last.end] + separator + written + text[last.end :]


def _separator(text: str, span: ObjectSpan) -> str:
    first = span.members[0]
    if len(span.members) > 1:
        return text[first.end : span.members[1].key_start]
    return "," + (text[span.start + 1 : first.key_start] or " ")
