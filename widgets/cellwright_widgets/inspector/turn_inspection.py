"""Draws one turn taken apart: what the model was sent, what it gave back, and what that took.

The rule that must never break: a number that the log does not have is not made up; it is left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from cellwright.errors import LogError
from cellwright.log.events import Event
from cellwright.log.requests import requests
from cellwright.runs.budget import amount
from cellwright.runs.price import is_amount
from cellwright.text.quantity import quantity
from cellwright.text.visible_text import mark_hidden
from cellwright_widgets.cards.call_story import text_of
from cellwright_widgets.drawing.fold import missing
from cellwright_widgets.drawing.node import Node, element, spaced
from cellwright_widgets.drawing.text_view import text_rows
from cellwright_widgets.inspector.call_inspection import FEW, section
from cellwright_widgets.inspector.inspection import Part, Turn
from cellwright_widgets.inspector.request_view import draw_request

TOKENS = {
    "input_tokens": "input",
    "cached_tokens": "of it from the cache",
    "stored_tokens": "of it written to the cache",
    "output_tokens": "output",
}
"""What a turn took, by its name in the log."""
STOPS = {
    "end": "the model was done",
    "calls": "the model asks for calls",
    "length": "cut off at its length limit",
    "broken": "its stream broke off",
}
BRIEF = 160


def draw_turn_line(turn: Turn) -> Node:
    """The turn in one line."""
    data = turn.said.data if turn.said else {}
    said = " ".join((text_of(data, "text") or text_of(data, "thinking"))[:BRIEF].split())
    usage = data.get("usage")
    counts = [usage.get(name) for name in ("input_tokens", "output_tokens")] if isinstance(usage, dict) else []
    told = [f"{count:,}" for count in counts if isinstance(count, int) and any(counts)]
    return element(
        "div",
        "cw-turn-line",
        *spaced(
            element("strong", "cw-turn-name", f"Step {turn.number}"),
            element("span", "cw-brief", mark_hidden(said) if turn.said else "the model is writing…"),
            element("span", "cw-fact", f"{' → '.join(told)} tokens" if told else ""),
        ),
    )


def draw_turn_sheet(turn: Turn, part: Part) -> Node:
    """The turn and all that is known of it."""
    return element("article", "cw-sheet", draw_turn_line(turn), *_usage(turn, part), *_said(turn), *_asked(turn, part))


def _asked(turn: Turn, part: Part) -> Iterator[Node]:
    try:
        told = tuple(requests(part.events[: turn.asked], turn.number))
    except (LogError, KeyError, TypeError, AttributeError) as error:  # a log of another program
        yield section("Request", missing(f"The log does not hold it: {mark_hidden(str(error)[:200])}"))
        return
    if told:
        yield section(f"Request of step {turn.number}", *draw_request(told[-1]))


def _usage(turn: Turn, part: Part) -> Iterator[Node]:
    messages = [event for event in part.events if event.kind == "message"]
    before = [event for event in messages if turn.said is not None and event.number <= turn.said.number]
    if turn.said is None:
        return
    columns = ("", "this turn", "all so far")
    rows = [
        (label, *(f"{_tokens(events, name):,}" for events in ([turn.said], before))) for name, label in TOKENS.items()
    ]
    rows += _costs([event.data.get("cost") for event in before[-2:]])
    head = element("tr", "", *(element("th", "", name, attrs={"scope": "col"}) for name in columns))
    body = [
        element("tr", "", *(element("td", "cw-number" if place else "", cell) for place, cell in enumerate(row)))
        for row in rows
    ]
    table = element("table", "cw-table cw-usage", element("thead", "", head), element("tbody", "", *body))
    yield section("Usage", table)


def _costs(costs: list[object]) -> Iterator[tuple[str, str, str]]:
    """The log has what all turns so far have cost; this one cost what came to it since."""
    now, before = costs[-1], costs[0] if len(costs) > 1 else 0.0
    if isinstance(now, int | float) and isinstance(before, int | float) and is_amount(now) and is_amount(before):
        yield "cost, sub-agents included", amount("money", max(0.0, now - before)), amount("money", now)


def _tokens(messages: list[Event], name: str) -> int:
    usages = (event.data.get("usage") for event in messages)
    counts = (usage.get(name) for usage in usages if isinstance(usage, dict))
    return sum(count for count in counts if isinstance(count, int))


def _said(turn: Turn) -> Iterator[Node]:
    if turn.said is None:
        yield section("The model's turn", missing("It is not whole: the model is writing, or it broke off."))
        return
    data = turn.said.data
    if text_of(data, "thinking").strip():
        yield section("Thinking", *text_rows(text_of(data, "thinking"), FEW, "cw-pre"))
    if text_of(data, "text").strip():
        yield section("Text", *text_rows(text_of(data, "text"), FEW, "cw-pre"))
    calls = data.get("calls")
    if isinstance(calls, list) and calls:
        names = ", ".join(mark_hidden(text_of(call, "name")[:100]) for call in calls[:50] if isinstance(call, dict))
        yield section("Calls", element("p", "", f"{quantity(len(calls), 'call')}: {names}"))
    stop = text_of(data, "stop")
    yield element("p", "cw-missing", f"It ended: {STOPS.get(stop, mark_hidden(stop[:100]))}.")
