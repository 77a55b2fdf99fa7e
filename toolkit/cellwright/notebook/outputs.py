"""What a model and a person get of a cell's outputs.

A notebook keeps each output in every form the kernel had: a plot as base64 and as `<Figure>`, a table as HTML and as
text. A model needs one form, short and readable; a person wants the richest one that is safe to draw. Both are made
here from the same outputs: `outputs_text` and `outputs_images` for the model, `outputs_view` for the person.

The rule that must never break: no markup and no base64 in the model's text, and nothing left out without a word.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby, islice
from typing import Any

from cellwright.calls.limits import HARD_CAP, Gap, middle, note
from cellwright.messages import Image, JsonObject
from cellwright.notebook.html_text import html_table, html_text
from cellwright.notebook.image_size import image_size
from cellwright.notebook.traceback_text import traceback_text
from cellwright.text.console_text import clean_console, condense
from cellwright.text.picture import TYPES, is_whole
from cellwright.text.quantity import quantity
from cellwright.views.view import Failure, Group, Picture, Terminal, Text, View, value_view

Outputs = Sequence[JsonObject]
"""Outputs as nbformat has them; texts may be lists of lines."""

MAX_IMAGE_BYTES = 3_500_000
"""A larger picture is named, not sent or drawn; providers refuse more than 5 MB of base64."""
VIEW_CHARS = 50_000
"""Characters of one text that a view carries."""
WIDGET = "application/vnd.jupyter.widget-view+json"
WIDGET_CHARS = 200


def outputs_text(outputs: Outputs, limit: int) -> str:
    """All outputs as text for a model, in order, within about `limit` characters with head and tail kept."""
    return _shorter(_written(outputs, looks_at_all=False), limit)


def whole_text(outputs: Outputs) -> str:
    """All outputs as text, in order, however long."""
    return _written(outputs, looks_at_all=True)


def _written(outputs: Outputs, looks_at_all: bool) -> str:
    parts: list[str] = []
    marked = False
    for kind, group in _joined(outputs):
        if isinstance(group, str):
            text = condense(clean_console(group if looks_at_all else _some(group)))
            marked = marked or kind == "stderr"
            parts.append(f"[{kind}]\n{text}" if marked else text)
        else:
            parts.append(_one_text(group if looks_at_all else _with_some(group)))
    text = "".join(part if part.endswith("\n") else part + "\n" for part in parts if part)
    return text.removesuffix("\n")


_LEFT = re.compile(
    r"\[… ([\d,]{1,20})(?: of [\d,]{1,20})? characters(?: in ([\d,]{1,20}) lines?)?(?: of printed text)? left out"
    r"(?: here)? …\]"
)
"""What the kernel, the keeper of its outputs and `limits` write in place of what is left out."""


def _shorter(text: str, limit: int) -> str:
    """The text with its middle left out; of what was left out there before, the number is told with it."""
    gap = middle(text, limit)
    if gap is None:
        return text
    counts = [
        [int(number.replace(",", "") or 0) for number in left] for left in _LEFT.findall(text, gap.start, gap.end)
    ]
    characters, lines = (sum(column) for column in zip((0, 0), *counts, strict=True))
    return text[: gap.start] + note(Gap(gap.start, gap.end + characters, gap.lines + lines)) + text[gap.end :]


def _some(text: str) -> str:
    """What is looked at of a text to show a part of it: of a log of 100 MB nobody sees the middle."""
    return _shorter(text, HARD_CAP)


def _with_some(output: JsonObject) -> JsonObject:
    """The output with some of each long text; pictures and the like stay, they are only named."""
    data = _data(output)
    texts = {mime: text_of(value) for mime, value in data.items() if mime.startswith("text/") and mime != "text/html"}
    return {**output, "data": {**data, **{mime: _some(text) for mime, text in texts.items()}}} if texts else output


def outputs_images(outputs: Outputs, limit: int) -> tuple[Image, ...]:
    """The first pictures, `limit` at most, for a model that can see; none over `MAX_IMAGE_BYTES`, none damaged."""
    found = (picture for output in outputs for picture in _pictures(_data(output)))
    small = ((mime, data) for mime, data in found if len(data) * 3 // 4 <= MAX_IMAGE_BYTES)
    whole = (Image(mime, data) for mime, data in small if is_whole(_decoded(data), mime))
    return tuple(islice(whole, max(0, limit)))


def outputs_view(outputs: Outputs, of_value: View | None = None) -> Group:
    """All outputs for a person, each in the richest form that is safe to draw; `of_value` is that of the value of the
    last line, where more is known of it than what it put out."""
    results = [output for output in outputs if output.get("output_type") == "execute_result"]
    views: list[View] = []
    for kind, group in _joined(outputs):
        if isinstance(group, str):
            terminal = Terminal(_shorter(group, VIEW_CHARS))
            views.append(terminal if kind == "stdout" else Group(kind, (terminal,)))
        elif of_value is not None and results and group is results[-1]:
            views.append(of_value)
        else:
            views += _one_view(group)
    return Group("outputs", tuple(views))


def _joined(outputs: Outputs) -> Iterator[tuple[str, str | JsonObject]]:
    """Outputs with consecutive pieces of one stream made one text, which comes with the stream's name."""
    for name, pieces in groupby(outputs, key=_stream_name):
        if name:
            yield name, "".join(text_of(piece.get("text", "")) for piece in pieces)
        else:
            yield from (("", piece) for piece in pieces)


def _stream_name(output: JsonObject) -> str:
    return str(output.get("name") or "stdout") if output.get("output_type") == "stream" else ""


def _one_text(output: JsonObject) -> str:
    match output.get("output_type"):
        case "error":
            return traceback_text(*_error(output))
        case "display_data" | "execute_result":
            return _bundle_text(_data(output))
    return f"[an output of the unknown type {str(output.get('output_type'))[:40]!r}]"


def _one_view(output: JsonObject) -> Iterable[View]:
    if output.get("output_type") == "error":
        name, value, lines = _error(output)
        return [Failure(name, clean_console(value), clean_console("\n".join(lines)))]
    data = _data(output)
    table = html_table(text_of(data["text/html"])) if "text/html" in data else None
    if table:
        return [table]
    drawn = [p for p in _pictures(data) if len(p[1]) * 3 // 4 <= MAX_IMAGE_BYTES]
    if drawn:
        return [Picture(mime, base64_text, _plain(data)) for mime, base64_text in drawn]
    if "application/json" in data and not _plain(data):
        return [value_view(data["application/json"])]
    return [Text(_shorter(_one_text(output), VIEW_CHARS))]


def _bundle_text(data: JsonObject) -> str:
    """The one form of a bundle that a model reads, with a placeholder for each picture."""
    if WIDGET in data:
        first = _plain(data).strip().split("\n")[0]
        return f"[widget] {first[:WIDGET_CHARS]}".rstrip()
    places = [_placeholder(mime, data[mime]) for mime in data if mime.startswith(("image/", "audio/", "video/"))]
    words = _words(data)
    if not words and not places:
        places = [_placeholder(mime, value) for mime, value in data.items() if mime != "text/plain"]
    return "\n".join(filter(None, (*places, words))) or condense(clean_console(text_of(data.get("text/plain", ""))))


def _words(data: JsonObject) -> str:
    if plain := _plain(data):
        return plain
    for mime in ("text/markdown", "text/latex"):
        if mime in data:
            return condense(clean_console(text_of(data[mime])))
    if "text/html" in data:
        html = text_of(data["text/html"])
        return condense(clean_console(html_text(html))) or f"[text/html without text, {len(html):,} characters]"
    if "application/json" in data:
        return condense(json.dumps(data["application/json"], ensure_ascii=False, separators=(",", ":")))
    return ""


_BARE_REPR = re.compile(r"<IPython\.core\.display\.\w+(?: object)?>")


def _plain(data: JsonObject) -> str:
    """The plain twin, unless it says nothing but that there is an object."""
    plain = condense(clean_console(text_of(data.get("text/plain", ""))))
    return "" if _BARE_REPR.fullmatch(plain) else plain


def _placeholder(mime: str, value: object) -> str:
    """Such as `[image/png, 640x480, 23,456 bytes]`."""
    if mime not in TYPES:
        size = len(value if isinstance(value, str) else json.dumps(value))
        return f"[{mime}, {quantity(size, 'character')}]"
    data = "".join(text_of(value).split())
    size = len(data) * 3 // 4 - data[-2:].count("=")
    pixels = image_size(_decoded(data[:400_000]))
    return f"[{mime}, {pixels[0]}x{pixels[1]}, {size:,} bytes]" if pixels else f"[{mime}, {size:,} bytes]"


def _decoded(data: str) -> bytes:
    try:
        return base64.b64decode(data[: len(data) // 4 * 4])
    except (binascii.Error, ValueError):
        return b""


def _pictures(data: JsonObject) -> Iterator[tuple[str, str]]:
    """Type and base64 of the pictures of a bundle that can be sent and drawn; the first of several forms."""
    mime = next((mime for mime in TYPES if mime in data), None)
    if mime is None:
        return
    text = "".join(text_of(data[mime]).split())
    if text and re.fullmatch(r"[A-Za-z0-9+/]+={0,2}", text):
        yield mime, text


def _data(output: JsonObject) -> JsonObject:
    data = output.get("data")
    return data if isinstance(data, dict) else {}


def _error(output: JsonObject) -> tuple[str, str, list[str]]:
    lines = output.get("traceback")
    name = str(output.get("ename") or "Error")
    return name, str(output.get("evalue") or ""), [str(x) for x in lines] if isinstance(lines, list) else []


def text_of(value: Any) -> str:  # noqa: ANN401 (JSON is what it is)
    """A text in an output, which may stand there in lines; anything else is told as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        with suppress(TypeError):  # they are not all texts
            return "".join(value)
    return json.dumps(value, ensure_ascii=False)
