"""A run written down for people: as a notebook, or as Markdown.

Prompt, words of the model, calls and what they brought, in their order; code that was run is a code cell with what it
printed, so that a notebook can be run again by hand. A saved HTML page is made by `record_html` of
`cellwright_widgets.cards.record`. All of it is untrusted: what holds markup is shown as it was written. The rule that
must never break: opening an export runs nothing and loads nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from cellwright.calls.limits import cut
from cellwright.log.events import Event
from cellwright.messages import JsonObject
from cellwright.text.visible_text import mark_hidden
from cellwright.tool import NAME

CODE = "run_code"
"""The tool whose calls are code cells."""
MOST = 20_000
"""Characters of one result."""
MARKUP = re.compile(r"[<\[\]&\\]|https?:|www\.|\w@\w|^[^\S\n]*(?:```|~~~|[|#>]|[-=_*+][-=_*+\s]*$)", re.MULTILINE)
"""What could be more than words in Markdown, or in the formulas that a notebook sets; these begin with a backslash."""
TURNING = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
"""Characters with which code looks like other code than is run."""


class Piece(Struct, frozen=True):
    """A part of the written run: words, or code with what it printed."""

    text: str
    """Markdown."""
    code: str | None = None
    output: str = ""


def export_markdown(events: Sequence[Event]) -> str:
    """The run as Markdown."""
    parts = []
    for piece in _pieces(events):
        code = [fenced(mark_hidden(piece.code), "python")] if piece.code is not None else []
        parts += [piece.text, *code, *([fenced(piece.output)] if piece.output else [])]
    return "\n\n".join(part for part in parts if part) + "\n"


def export_notebook(events: Sequence[Event]) -> str:
    """The run as the text of a notebook file."""
    cells: list[JsonObject] = []
    for piece in _pieces(events):
        if piece.code is None:
            output = f"\n\n{fenced(piece.output)}" if piece.output else ""
            cells.append(_cell("markdown", len(cells), piece.text + output))
            continue
        outputs = [{"output_type": "stream", "name": "stdout", "text": piece.output}] if piece.output else []
        code = {"execution_count": None, "outputs": outputs}
        cells.append({**_cell("code", len(cells), piece.code), **code})
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    notebook = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def _cell(kind: str, number: int, source: str) -> JsonObject:
    return {"cell_type": kind, "id": f"run-{number}", "metadata": {}, "source": source}


def _pieces(events: Sequence[Event]) -> Iterator[Piece]:
    results = {event.data["id"]: event.data for event in events if event.kind == "result"}
    for event in events:
        data = event.data
        match event.kind:
            case "run_started":
                yield Piece(f"**You:** {words(data['prompt'])}")
            case "steered":
                yield Piece(f"**You, meanwhile:** {words(data['text'])}")
            case "message":
                if data["text"].strip():
                    yield Piece(words(data["text"]))
                for call in data["calls"]:
                    yield _call(call, results.get(call["id"], {}))
            case "note":
                yield Piece(f"*Note:* {words(data['text'])}")
            case "run_ended" if data["stop_reason"] != "answered":
                yield Piece(f"*The run ended: {_name(data['stop_reason'])}.* {words(data['error'])}".rstrip())


def _call(call: JsonObject, result: JsonObject) -> Piece:
    state = ("ok" if result["ok"] else _name(result["error_type"])) if result else "no result"
    output = cut(mark_hidden(str(result.get("content", ""))), MOST)[0]
    code = _code(call)
    if code is not None:
        return Piece("", code, output)
    name = _name(call["name"])
    head = f"**{name}** ({state})" + ("" if name == call["name"] else f"\n\n{fenced(mark_hidden(call['name']))}")
    return Piece(f"{head}\n\n{fenced(mark_hidden(call['arguments']), 'json')}", output=output)


def _code(call: JsonObject) -> str | None:
    try:
        code = json.loads(call["arguments"])["code"] if call["name"] == CODE else None
    except (ValueError, KeyError, TypeError):
        return None
    return code if isinstance(code, str) and not TURNING.search(code) else None


def _name(given: object) -> str:
    """A name that a log gives; one that could be more than a name in Markdown is not written."""
    return str(given) if NAME.fullmatch(str(given)) else "what is no name"


def words(text: str) -> str:
    """Words as Markdown; what could be markup, or lead somewhere, stands in a fence as it was written."""
    text = mark_hidden(text)
    return f"\n\n{fenced(text)}" if MARKUP.search(text) else text


def fenced(text: str, language: str = "") -> str:
    """The text in a fence that nothing in it can close."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
