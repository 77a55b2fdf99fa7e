"""How a file writes its JSON, learnt from the text that is there.

A value put into a notebook has to look as if the program that wrote the rest had written it: the same indent, line
ends, blanks after colons, and the same choice between a letter and its escape. Otherwise the next save by that
program makes a difference nobody asked for.

The rule that must never break: what is written is strict JSON in valid UTF-8, so NaN becomes null and a lone
surrogate its escape.
"""

import json
import math
import re
from collections.abc import Iterable

from msgspec import Struct

from cellwright.errors import ToolError
from cellwright.notebook.json_span import ObjectSpan, scan_object


class JsonStyle(Struct, frozen=True):
    """One way of writing JSON, as found in one object."""

    open: str
    """The blanks after the opening bracket of that object, e.g. a line end and three spaces."""
    between: str
    """What stands between two of its members, e.g. a comma, a line end and three spaces."""
    close: str
    """The blanks before its closing bracket."""
    colon: str
    """What stands between key and value, e.g. a colon and a space."""
    escapes: bool
    """Whether letters beyond ASCII are written as escapes."""

    @property
    def base(self) -> str:
        """A line end and the indent of the object's members; empty if all is on one line."""
        return _last_line(self.open)

    @property
    def unit(self) -> str | None:
        """The indent of one level; None if all is on one line."""
        if not self.base:
            return None
        return self.base.lstrip("\r\n").removeprefix(_last_line(self.close).lstrip("\r\n"))

    @property
    def comma(self) -> str:
        """What stands between two items on one line."""
        return self.between if self.unit is None else ", "

    def write(self, value: object, *, sort_keys: bool = False) -> str:
        """`value` as the JSON text of a member of the object."""
        unit = self.unit
        try:
            text = json.dumps(
                _without_nan(value),
                indent=unit,
                separators=(self.comma if unit is None else ",", self.colon),
                ensure_ascii=self.escapes,
                allow_nan=False,
                sort_keys=sort_keys,
            )
        except (TypeError, ValueError, RecursionError) as error:
            raise ToolError("invalid_notebook", f"This can't be written as JSON: {error}.") from error
        return _escape_surrogates(text.replace("\n", self.base))

    def write_object(self, members: Iterable[tuple[str, str]]) -> str:
        """An object of such members (key and JSON text), laid out like the object the style was found in."""
        written = self.between.join(f"{json.dumps(key)}{self.colon}{value}" for key, value in members)
        return "{" + self.open + written + self.close + "}"


_LAST_LINE = re.compile(r"(?:\r\n|\n|\r)[ \t]*\Z")
_SURROGATE = re.compile("[\ud800-\udfff]")
# A letter beyond ASCII as an escape: an odd number of backslashes, then u0080 or more.
_ESCAPED_LETTER = re.compile(r"(?<!\\)(?:\\\\)*\\u(?!00[0-7])[0-9a-fA-F]{4}")


def style_of(text: str, escapes: bool) -> JsonStyle:
    """The style in which the object `text` (with its members) is written."""
    return _style(text, scan_object(text, 0), escapes)


def _style(text: str, span: ObjectSpan, escapes: bool) -> JsonStyle:
    if not span.members:
        return JsonStyle("", ", ", "", ": ", escapes)
    first, last = span.members[0], span.members[-1]
    opening = text[span.start + 1 : first.key_start]
    between = "," + (opening or " ")
    if len(span.members) > 1:
        between = text[first.end : span.members[1].key_start]
    colon = text[first.key_end : first.start]
    return JsonStyle(opening, between, text[last.end : span.end - 1], colon, escapes)


def nested_style(frame: JsonStyle) -> JsonStyle:
    """The style of an object two levels below the one `frame` was found in, such as the cells of a notebook."""
    if frame.unit is None:
        return frame
    outer, inner = frame.base + frame.unit, frame.base + frame.unit * 2
    return JsonStyle(inner, "," + inner, outer, frame.colon, frame.escapes)


def escapes_letters(texts: Iterable[str]) -> bool | None:
    """Whether letters beyond ASCII are escaped throughout these JSON texts; None if there are none."""
    seen = None
    for text in texts:
        if not text.isascii():
            return False
        if not seen and "\\u" in text and _ESCAPED_LETTER.search(text):
            seen = True
    return seen


def _last_line(blanks: str) -> str:
    found = _LAST_LINE.search(blanks)
    return found.group() if found else ""


def _escape_surrogates(text: str) -> str:
    return _SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def _without_nan(value: object) -> object:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(item) for item in value]
    return value
