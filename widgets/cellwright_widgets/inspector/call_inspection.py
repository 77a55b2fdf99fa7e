"""Draws one call taken apart: the stages it passed, its arguments in each form, what the model and the person saw.

A card tells a person what they need to know while the run goes on; here is everything the log has, for whoever wants
to know why. The rule that must never break: it is drawn from the events of the call alone, and bounded.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress

from cellwright.log.events import Event
from cellwright.log.trace import Trace, trace_of
from cellwright.messages import JsonObject
from cellwright.text.quantity import quantity
from cellwright.text.visible_text import mark_hidden
from cellwright.views.view import Text
from cellwright_widgets.cards.call_head import call_brief, draw_call_brief, marked_name
from cellwright_widgets.cards.call_story import CallStory, text_of
from cellwright_widgets.drawing.brush import TRANSCRIPT, Brush
from cellwright_widgets.drawing.code_view import code_rows
from cellwright_widgets.drawing.draw import draw
from cellwright_widgets.drawing.fold import fold, missing
from cellwright_widgets.drawing.node import Node, element, spaced
from cellwright_widgets.drawing.text_view import text_rows

FORMS = {"model": "as read", "hook": "as a hook changed them", "person": "as you changed them"}
"""The arguments of a call, by who wrote them."""
FEW = Brush(mark_hidden, lines=25, line=1_000, characters=30_000)
"""How much of one text is drawn; a sheet holds several."""
SHARE = 1_000
"""A bar is placed by thousandths of its track."""


def draw_call_sheet(call: CallStory, about: Sequence[Event], run: str = "") -> Node:
    """The call, of the run of that name, and all that is known of it."""
    head = [element("p", "cw-sheet-path", mark_hidden(" · ".join(filter(None, (call.id, call_brief(call))))))]
    attrs = {"data-call": marked_name(call.id), **({"data-run": marked_name(run)} if run else {})}
    parts = (*_way(call, about), *_parts(call, about))
    return element("article", "cw-sheet", draw_call_brief(call), *head, *parts, attrs=attrs)


def section(title: str, *children: Node, cls: str = "") -> Node:
    """A part of a sheet, under its title."""
    return element("section", f"cw-about {cls}".rstrip(), element("h4", "cw-about-title", title), *children)


def _parts(call: CallStory, about: Sequence[Event]) -> Iterator[Node]:
    yield section("Arguments", *_arguments(call, about))
    if call.ended is not None:
        yield element("div", "cw-two", _seen_by_model(call, about), _seen_by_person(call))
        if rest := {name: call.metadata[name] for name in call.metadata if name != "stages"}:
            yield section("Metadata", *_json(rest))
    elif call.progress:
        yield section("Progress", *text_rows(call.progress, FEW, "cw-pre"))
    lines = [json.dumps(event.data, ensure_ascii=False, default=str) for event in about]
    told = "\n".join(f"{event.number:>6} {event.kind:<10} {line}" for event, line in zip(about, lines, strict=True))
    yield section("Events", fold(f"{quantity(len(about), 'event')} in the log", *text_rows(told, FEW, "cw-pre")))


def _way(call: CallStory, about: Sequence[Event]) -> Iterator[Node]:
    trace: Trace | None = None
    with suppress(KeyError, TypeError, AttributeError):  # it has no result yet, or its log lacks something
        trace = trace_of(about, call.id)
    if trace is None or not trace.steps:
        yield section("Way", missing("The stages are known once the call has its result."))
        return
    whole = trace.seconds or 1.0
    rows = [
        _stage(step.stage, offset / whole, (offset + step.seconds) / whole, step.seconds, step.note)
        for step, offset in zip(trace.steps, trace.offsets, strict=True)
    ]
    words = f"{quantity(len(rows), 'stage')} in {trace.seconds * 1000:,.2f} ms"
    yield section(f"Way · {words}", element("ul", "cw-fall", *rows))


def _stage(name: str, start: float, end: float, seconds: float, note: str) -> Node:
    """One line of the waterfall; a page widens the bar by its numbers, elsewhere the time says it."""
    place = {"data-from": str(round(start * SHARE)), "data-to": str(round(end * SHARE)), "aria-hidden": "true"}
    track = element("span", "cw-track", element("span", "cw-gauge", attrs=place))
    stage = element("code", "cw-stage", mark_hidden(name))
    time = element("span", "cw-ms", f"{seconds * 1000:,.3f} ms")
    told = element("span", "cw-stage-note", mark_hidden(note[:2_000])) if note else ""
    return element("li", "cw-fall-row", *spaced(stage, track, time, told))


def _arguments(call: CallStory, about: Sequence[Event]) -> Iterator[Node]:
    read = [event for event in about if event.kind == "arguments"]
    yield _titled("as they came", *text_rows(call.arguments, FEW, "cw-pre"))
    if not read:
        yield missing("They were not read: the call ended before that.")
    before: object = None
    for event in read:
        args, by = event.data.get("args"), text_of(event.data, "by")
        repairs = [element("p", "cw-note-line", mark_hidden(str(one))) for one in event.data.get("repairs") or ()]
        same = [missing("the same as before")] if args == before else list(_json(args))
        yield _titled(FORMS.get(by, f"by {mark_hidden(by)}"), *repairs, *same)
        before = args


def _titled(title: str, *children: Node) -> Node:
    return element("div", "cw-given", element("p", "cw-who", title), *children)


def _json(value: object) -> list[Node]:
    return code_rows(json.dumps(value, indent=2, ensure_ascii=False, default=str), "json", FEW)


def _seen_by_model(call: CallStory, about: Sequence[Event]) -> Node:
    result: JsonObject = next((event.data for event in reversed(about) if event.kind == "result"), {})
    images, context = result.get("images"), text_of(result, "context")
    title = f"What the model saw · {quantity(len(call.content), 'character')}"
    parts: list[Node] = [*text_rows(call.content, FEW, "cw-pre")]
    if isinstance(images, list) and images:
        parts.append(missing(f"and {quantity(len(images), 'image')}"))
    if context:
        parts.append(_titled("told beside the result", *text_rows(context, FEW, "cw-pre")))
    return section(title, *parts)


def _seen_by_person(call: CallStory) -> Node:
    shown = draw(call.view, TRANSCRIPT) if call.view is not None else draw(Text(call.content), FEW)
    return section("What you saw", shown)
