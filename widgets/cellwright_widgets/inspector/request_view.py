"""Draws what a model was sent in one turn: tools, system prompt, messages, and how much of it was sent before.

A provider keeps what it has read from the start of a request, so the bytes that are the same as in the turn before are
marked, and the first one that is not. What is new stands open; what was there before is one click away. The rule that
must never break: each part is named with its size, also where there is no room for its text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cellwright.codec import canonical
from cellwright.log.requests import Asked, Difference, Part
from cellwright.messages import Message, ModelMessage, ToolMessage, UserMessage
from cellwright.text.quantity import quantity
from cellwright.text.visible_text import mark_hidden
from cellwright_widgets.drawing.brush import Brush
from cellwright_widgets.drawing.code_view import code_rows
from cellwright_widgets.drawing.fold import fold, missing
from cellwright_widgets.drawing.node import Node, element, spaced
from cellwright_widgets.drawing.text_view import text_rows

PIECE = Brush(mark_hidden, lines=30, line=1_000, characters=20_000)
"""How much of one part is drawn."""
DRAWN = 150_000
"""Characters of all parts that are drawn; the newest messages have room first."""
LISTED = 200
"""Messages that are listed one by one."""
TOOLS = 200
EXCERPT = 80
"""Characters shown around the first byte that changed."""
AROUND = 40
SHARE = 1_000


def draw_request(asked: Asked) -> list[Node]:
    """The request, from its first byte to its last."""
    tools, system, *_ = asked.parts
    return [
        _summary(asked),
        *_difference(asked.difference),
        _tools(asked, tools),
        _piece("system prompt", system, asked, text_rows(system.text, PIECE, "cw-pre")),
        *_messages(asked),
    ]


def _summary(asked: Asked) -> Node:
    size = max(1, asked.size)
    place = {"data-from": "0", "data-to": str(asked.repeated * SHARE // size), "aria-hidden": "true"}
    track = element("div", "cw-track cw-prefix", element("span", "cw-gauge", attrs=place))
    if asked.turn == 1 or not asked.repeated:
        words = f"{asked.size:,} bytes, none of them sent in the turn before."
    else:
        share = asked.repeated * 100 // size
        words = f"{asked.size:,} bytes; the first {asked.repeated:,} ({share} %) are the same as in the turn before."
    return element("div", "", element("p", "", words), track)


def _difference(found: Difference | None) -> Iterator[Node]:
    if found is None:
        return
    where = f"The first byte that changed is in {found.part}, after {quantity(found.place, 'character')}:"
    before, now = (
        mark_hidden(text[:EXCERPT]) + ("…" if len(text) > EXCERPT else "") for text in (found.before, found.now)
    )
    changed: list[Node] = [
        element("del", "cw-del", before or "(it ended)"),
        "\n",
        element("ins", "cw-ins", now or "(it ends)"),
    ]
    yield element("div", "cw-changed", element("p", "cw-note-line", where), element("pre", "cw-pre", *changed))


def _is_kept(part: Part, asked: Asked) -> bool:
    return 0 < part.start + part.size <= asked.repeated


def _piece(name: str, part: Part, asked: Asked, rows: Sequence[Node], is_open: bool = False) -> Node:
    """One part, folded under its name and size; whether it was sent before is said in words."""
    state = "as before" if _is_kept(part, asked) else "changed" if part.start < asked.repeated else ""
    said = [
        element("span", "cw-sent-name", name),
        element("span", "cw-fact", quantity(part.size, "byte")),
        element("span", "cw-fact", state),
    ]
    summary = element("span", "cw-sent-head", *spaced(*said))
    return element("div", f"cw-sent cw-sent-{state[:2] or 'new'}", fold(summary, *rows, is_open=is_open))


def _tools(asked: Asked, part: Part) -> Node:
    definitions = asked.request.definitions
    each: list[Node] = []
    room = DRAWN
    for definition in definitions[:TOOLS]:
        brief = " ".join(definition.description[:100].split())
        text = canonical({"description": definition.description, "input_schema": definition.input_schema})
        room -= len(text)
        shown = code_rows(text, "json", PIECE) if room > 0 else [missing(f"{len(text):,} characters are not drawn")]
        each.append(fold(mark_hidden(f"{definition.name}: {brief}" if brief else definition.name), *shown))
    if len(definitions) > TOOLS:
        each.append(missing(f"{len(definitions) - TOOLS:,} more tools"))
    return _piece(quantity(len(definitions), "tool"), part, asked, each)


def _messages(asked: Asked) -> Iterator[Node]:
    """Those that were sent before in one fold, the others below it; the newest have room first."""
    room = DRAWN
    kept: list[Node] = []
    fresh: list[Node] = []
    said = list(zip(asked.parts[2:], asked.request.conversation, strict=True))
    for part, message in reversed(said[-LISTED:]):
        room -= len(part.text)
        rows = text_rows(_text_of(message), PIECE, "cw-pre") if room > 0 else [missing("Too much to draw it here.")]
        is_kept = _is_kept(part, asked)
        name = f"{part.name}: {_who(message)}"
        (kept if is_kept else fresh).insert(0, _piece(name, part, asked, rows, is_open=not is_kept))
    left = max(0, len(said) - LISTED)
    if kept or left:
        rest = [missing(f"{quantity(left, 'earlier message')}; the log holds them")] if left else []
        yield fold(f"{quantity(left + len(kept), 'message')} as before", *rest, *kept)
    yield from fresh


def _who(message: Message) -> str:
    match message:
        case UserMessage():
            return "you"
        case ModelMessage(calls=calls):
            return f"model, {quantity(len(calls), 'call')}" if calls else "model"
        case ToolMessage(name=name, call_id=call):
            return mark_hidden(f"{name[:60]} ({call[:40]})")


def _text_of(message: Message) -> str:
    match message:
        case UserMessage(text=text):
            return text
        case ModelMessage(text=text, calls=calls):
            return "\n".join([*([text] if text else []), *(f"→ {call.name} {call.arguments}" for call in calls)])
        case ToolMessage(content=content, images=images):
            return content + (f"\n[{quantity(len(images), 'image')}]" if images else "")
