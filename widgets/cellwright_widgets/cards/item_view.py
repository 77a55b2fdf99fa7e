"""Draws the items of a story: head, prompt, what the model said, remarks, end. Calls have their own card."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from cellwright.runs.budget import amount
from cellwright.text.quantity import quantity
from cellwright.text.visible_text import mark_hidden
from cellwright.views.view import Markdown
from cellwright_widgets.cards.call_card import draw_call
from cellwright_widgets.cards.call_head import marked_name
from cellwright_widgets.cards.call_story import CallStory
from cellwright_widgets.cards.head import Head
from cellwright_widgets.cards.story import End, Item, Prompt, Remark, Said
from cellwright_widgets.drawing.brush import TRANSCRIPT
from cellwright_widgets.drawing.duration import duration
from cellwright_widgets.drawing.fold import fold
from cellwright_widgets.drawing.markdown_view import draw_markdown
from cellwright_widgets.drawing.node import Node, element, spaced
from cellwright_widgets.drawing.text_view import text_rows

RUN_STATES = {
    "waiting": "waiting",
    "thinking": "thinking",
    "asking": "needs your answer",
    "running": "running a tool",
    "paused": "paused",
    "answered": "answered",
    "budget": "stopped: budget used up",
    "repetition": "stopped: a failing call repeated",
    "cancelled": "stopped",
    "model_error": "stopped: the model failed",
}
ENDINGS = {
    "answered": "The model answered.",
    "budget": "Stopped: the budget is used up.",
    "repetition": "Stopped: the model repeated a call that fails.",
    "cancelled": "Stopped before the end.",
    "model_error": "Stopped: the model failed.",
}
TONES = {
    "answered": "done",
    "asking": "asking",
    "paused": "asking",
    "thinking": "running",
    "running": "running",
    "model_error": "failed",
}

NAMED = 80
"""Characters of the place at which a run is paused."""


def draw_head(title: str, head: Head) -> Node:
    """The title, the model, the state and the cost of a run."""
    tone = TONES.get(head.state, "cancelled")
    facts = [element("span", "cw-fact", fact) for fact in _facts(head)]
    state = element("span", f"cw-state cw-run-{tone}", mark_hidden(state_words(head)))
    model = [element("span", "cw-model", mark_hidden(head.model))] if head.model else []
    name = element("strong", "cw-title", mark_hidden(title))
    attrs = {"data-run": marked_name(head.run)} if head.run else {}
    return element("div", "cw-head", *spaced(name, *model, state, *_clock(head), *facts), attrs=attrs)


def state_words(head: Head) -> str:
    """The state of a run; of one that is paused also where."""
    more = f" and {len(head.halts) - 1} more" if len(head.halts) > 1 else ""
    where = f" {head.halts[0][:NAMED]}{more}" if head.state == "paused" and head.halts else ""
    return RUN_STATES.get(head.state, head.state) + where


def draw_item(item: Item) -> Node:
    """One item."""
    match item:
        case Prompt():
            label = "You, while it ran" if item.steered else "You"
            return _spoken("cw-prompt", label, *text_rows(item.text, TRANSCRIPT, "cw-prose cw-plain"))
        case Said(thinking=True):
            return _thought(item)
        case Said():
            return _said(item)
        case CallStory():
            return draw_call(item)
        case Remark():
            return element("p", "cw-remark", "Note: " + mark_hidden(item.text))
        case End():
            return element("div", f"cw-end cw-run-{TONES.get(item.stop_reason, 'cancelled')}", *_end(item))
        case _:
            assert_never(item)


def _spoken(cls: str, who: str, *children: Node) -> Node:
    return element("div", f"cw-spoken {cls}", element("p", "cw-who", who), *children)


def _said(said: Said) -> Node:
    if said.final:
        return (
            _spoken("cw-said", "Model", draw_markdown(Markdown(said.text), TRANSCRIPT))
            if said.text.strip()
            else element("div", "")
        )
    return _spoken("cw-said", "Model", element("div", "cw-prose cw-plain cw-tail", mark_hidden(said.text)))


def _thought(said: Said) -> Node:
    cls = "cw-prose cw-plain" if said.final else "cw-prose cw-plain cw-tail"
    if not said.text.strip() and said.final:
        return element("div", "")
    summary = "Thought" if said.final else "Thinking…"
    return element("div", "cw-thought", fold(summary, element("div", cls, mark_hidden(said.text)), name="thought"))


def _facts(head: Head) -> Iterator[str]:
    if head.turns:
        yield quantity(head.turns, "step")
    if head.input_tokens or head.output_tokens:
        cached = f" ({head.cached_tokens:,} cached)" if head.cached_tokens else ""
        yield f"{head.input_tokens:,}{cached} tokens in, {head.output_tokens:,} out"
    if head.cost is not None:
        yield amount("money", head.cost)
    if head.mode and head.mode != "default":
        yield f"mode {mark_hidden(head.mode)}"


def _clock(head: Head) -> Iterator[Node]:
    if head.started is None:
        return
    if head.ended is not None:
        yield element("time", "cw-fact cw-time", duration(head.ended - head.started))
    else:
        yield element("time", "cw-fact cw-time", "", attrs={"data-since": f"{head.started:.3f}"})


def _end(end: End) -> Iterator[Node]:
    if not end.repeats:
        yield draw_markdown(Markdown(end.answer), TRANSCRIPT)
    yield element("p", "cw-ending", ENDINGS.get(end.stop_reason, mark_hidden(end.stop_reason)))
    if end.error and "\n" not in end.error.strip():
        yield element("p", "", mark_hidden(end.error.strip()))
    elif end.error:
        yield element("div", "cw-error", *text_rows(end.error.rstrip("\n"), TRANSCRIPT, "cw-pre"))
