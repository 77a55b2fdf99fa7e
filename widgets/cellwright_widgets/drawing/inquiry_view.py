"""Draws a question that a tool put to the person, and what they said.

The rule that must never break: every choice stands there whole, and whether it was chosen is a word.
"""

from __future__ import annotations

from collections.abc import Iterator

from cellwright.views.inquiry import Inquiry
from cellwright_widgets.drawing.brush import Brush
from cellwright_widgets.drawing.node import Node, element, spaced
from cellwright_widgets.drawing.text_view import text_rows


def draw_inquiry(view: Inquiry, brush: Brush) -> Node:
    """The question, its choices, and its answer if it has one."""
    rows = [element("li", "", *_choice(label, meaning, view, brush)) for label, meaning in view.choices]
    listed = [element("ul", "cw-choices", *rows)] if rows else []
    return element("div", "cw-inquiry", *draw_asked(view, brush), *listed, *_answer(view, brush))


def draw_asked(view: Inquiry, brush: Brush) -> Iterator[Node]:
    """Who asks, and the question."""
    if view.asker:
        yield element("p", "cw-why", brush.mark(f"{view.asker} asks:"))
    yield element("div", "cw-asked", *text_rows(view.question, brush, "cw-prose cw-plain"))


def draw_choice(label: str, meaning: str, brush: Brush) -> list[Node]:
    """A choice and what it means."""
    said = [element("span", "cw-choice-meaning", brush.mark(meaning))] if meaning else []
    return spaced(element("span", "cw-choice-label", brush.mark(label)), *said)


def _choice(label: str, meaning: str, view: Inquiry, brush: Brush) -> list[Node]:
    if view.state == "open":
        return draw_choice(label, meaning, brush)
    chosen = label in view.chosen
    sign = element("span", "cw-icon", "✓" if chosen else "", attrs={"aria-hidden": "true"})
    word = [element("span", "cw-choice-word", "chosen")] if chosen else []
    cls = "cw-choice-chosen" if chosen else "cw-choice-left"
    return [element("div", cls, *spaced(sign, *draw_choice(label, meaning, brush), *word))]


def _answer(view: Inquiry, brush: Brush) -> Iterator[Node]:
    if view.state == "unanswered":
        yield element("p", "cw-why", brush.mark(f"No answer: {view.text}"))
    elif view.text:
        yield element("p", "cw-who", "You answered")
        yield element("div", "cw-reply", *text_rows(view.text, brush, "cw-prose cw-plain"))
