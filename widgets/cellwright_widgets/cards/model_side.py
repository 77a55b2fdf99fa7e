"""What the model got of a call's result, beside what the person sees of it.

A person sees a diff or a chart, the model a text: cut to a limit, with secrets masked, and pictures only if it can see.
Who judges what a model did has to know what it was given. So each card has a switch between the two sides (a fold, of
which a style sheet looks whether it is open), and the model's side holds the exact text, how much it is, and what was
done to it. The rule that must never break: the text is the one in the conversation, letter for letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cellwright.context.token_estimate import CHARACTERS, LETTERS, PICTURE, estimated_tokens
from cellwright.messages import JsonObject
from cellwright.text.quantity import quantity
from cellwright.text.visible_text import mark_hidden
from cellwright.views.view import Group, Picture, View
from cellwright_widgets.cards.call_story import CallStory
from cellwright_widgets.drawing.brush import TRANSCRIPT
from cellwright_widgets.drawing.fold import missing
from cellwright_widgets.drawing.image_view import draw_image
from cellwright_widgets.drawing.node import Node, element
from cellwright_widgets.drawing.text_view import text_rows

MASK = re.compile(r"(⟨masked: [^⟩\n]{1,200}⟩)")
READER = "read_result"
"""The tool by which a model reads what was cut."""


def draw_model_side(call: CallStory) -> Node:
    """The switch, and behind it the model's side."""
    size = f"{quantity(len(call.content), 'character')}, about {quantity(estimated_tokens(call.content), 'token')}"
    mine, its = element("span", "cw-side-mine", "what I see"), element("span", "cw-side-its", "what the model saw")
    between = element("span", "cw-side-or", " | ")
    summary = element("summary", "", mine, between, its, element("span", "cw-side-size", " · " + size))
    return element("details", "cw-side", summary, *_its_side(call), attrs={"data-fold": "content"})


def draw_left_out(metadata: JsonObject) -> Iterator[Node]:
    """That the model did not get all of a result, where the rest is, and how it reads it."""
    left_out, spilled = metadata.get("characters_left_out"), metadata.get("spilled")
    if not isinstance(left_out, int):
        return
    rest = f"the rest was not kept: {metadata.get('not_spilled')}"
    if isinstance(spilled, dict):
        again = f"; it can read on with {READER}" if spilled.get("call_id") else ""
        rest = f"the whole text is in {spilled.get('path')}{again}"
    yield missing(mark_hidden(f"{left_out:,} characters were left out of what the model saw; {rest}"))


def _its_side(call: CallStory) -> Iterator[Node]:
    yield element("p", "cw-side-how", " ".join(_told(call)))
    yield from draw_left_out(call.metadata)
    yield from (_masks_shown(row) for row in text_rows(call.content, TRANSCRIPT, "cw-pre"))
    yield from _pictures(call)
    if call.context:
        yield element("p", "cw-side-how", "With it came a note for its next turn:")
        yield from text_rows(call.context, TRANSCRIPT, "cw-pre")


def _told(call: CallStory) -> Iterator[str]:
    kind = "The text, exactly as it was sent" + ("." if call.state == "done" else ", marked as an error.")
    yield (
        f"{kind} Tokens are estimated: {CHARACTERS:g} characters each, "
        f"{LETTERS:g} letters of scripts other than Latin; a provider counts in its own way."
    )
    if call.images:
        more = f"about {PICTURE:,} tokens each"
        yield f"{quantity(len(call.images), 'picture')} went with it, for a model that can see: {more}."
    masked = call.metadata.get("masked")
    if isinstance(masked, dict) and masked:
        names = ", ".join(f"{mark_hidden(str(name))} ({quantity(_number(n), 'time')})" for name, n in masked.items())
        yield f"Masked, for the model and for you: {names}."


def _number(given: object) -> int:
    return given if isinstance(given, int) else 0


def _pictures(call: CallStory) -> Iterator[Node]:
    """The pictures the model got; one that the person sees too is not drawn twice."""
    seen = {picture.data for picture in _drawn(call.view)}
    for number, image in enumerate(call.images, 1):
        same = " The one you see." if image.data in seen else ""
        size = f"{mark_hidden(image.media_type)[:60]}, {len(image.data) * 3 // 4:,} bytes"
        yield element("p", "cw-side-how", f"Picture {number}: {size}.{same}")
        if not same:
            yield draw_image(image, TRANSCRIPT)


def _drawn(view: View | None) -> Iterator[Picture]:
    if isinstance(view, Picture):
        yield view
    elif isinstance(view, Group):
        for inner in view.views:
            yield from _drawn(inner)


def _masks_shown(node: Node) -> Node:
    """The node with the marks of masked secrets set off from the text around them."""
    if isinstance(node, str):
        return node
    tag, attrs, children = node
    return tag, attrs, [part for child in children for part in _parted(child)]


def _parted(child: Node) -> Iterator[Node]:
    if not isinstance(child, str):
        yield _masks_shown(child)
        return
    for place, text in enumerate(MASK.split(child)):
        if text:
            yield element("span", "cw-mask", text) if place % 2 else text
