"""Draws where the time of a run went: as numbers for a page, which makes bars of them, and as letters for a record.

The rule that must never break: a page is given numbers and texts, and makes widths of the numbers alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cellwright.log.timeline import LANES, Lane, Timeline
from cellwright.messages import JsonObject
from cellwright.text.quantity import quantity
from cellwright.text.visible_text import mark_hidden
from cellwright_widgets.drawing.node import Node, element
from cellwright_widgets.inspector.inspection import Part

NAME = 100
"""Characters of a name on the page."""
CLASSES = {name: f"cw-lane-{kind}" for kind, name in LANES.items()}


Bars = list[list[object]]
"""Each: its lane, its number there, kind, name, start, end, row, outcome, and the key of the line that it is of."""


def timeline_json(found: Timeline, parts: Sequence[Part], since: Sequence[int]) -> tuple[list[JsonObject], Bars]:
    """The lanes as they are now, and those of their spans that changed after so many events of each part."""
    by_name = {part.name: part for part in parts}
    lanes: list[JsonObject] = []
    spans: Bars = []
    for lane in found.lanes:
        part = by_name[lane.agent]
        lanes.append({"name": lane.name, "rows": lane.rows})
        spans += _spans(lane, part, since[part.place] if part.place < len(since) else 0)
    return lanes, spans


def _spans(lane: Lane, part: Part, since: int) -> Iterator[list[object]]:
    for place, span in enumerate(lane.spans):
        if span.changed > since:
            turn = part.turns[span.turn - 1] if 0 < span.turn <= len(part.turns) else ()
            key = ".".join(map(str, part.calls.get(span.call, turn)))
            end = None if span.end is None else round(span.end, 6)
            name, outcome = mark_hidden(span.name[:NAME]), mark_hidden(span.outcome[:NAME])
            yield [lane.name, place, span.kind, name, round(span.start, 6), end, span.row, outcome, key]


def draw_timeline(found: Timeline) -> Node:
    """The timeline in letters, which stay where all style is stripped."""
    lines: list[Node] = []
    cls = ""
    for name, drawn, told in found.lines():
        cls = CLASSES.get(name, "cw-lane-agent") if name else cls
        lines += [f"{name:<14} ", element("span", cls, drawn), f" {told}\n"]
    caption = f"{quantity(len(found.marks), 'step')} in {found.seconds:,.2f} s"
    shown = element("pre", "cw-pre cw-lanes", *lines, attrs={"tabindex": "0"})
    return element("figure", "cw-figure", element("figcaption", "", caption), shown)
