"""Draws a picture from its own bytes. Anything that is not one of four plain formats is named, not drawn."""

from __future__ import annotations

import re

from cellwright.views.view import Picture
from cellwright_widgets.drawing.brush import Brush
from cellwright_widgets.drawing.node import IMAGE_SOURCE, Node, element

MAX_BASE64 = 4_000_000
"""A larger picture is named instead of drawn: it would make the page and the saved notebook heavy."""


def draw_image(view: Picture, brush: Brush) -> Node:
    """The picture, or a line that says why it is not drawn."""
    data = re.sub(r"\s", "", view.data)
    source = f"data:{view.media_type};base64,{data}"
    size = f"{brush.mark(view.media_type)[:60]}, {len(data) * 3 // 4:,} bytes"
    alt = brush.mark(view.alt)[:500]
    if len(data) > MAX_BASE64:
        return element("p", "cw-missing", f"a picture too large to draw ({size}) {alt}".rstrip())
    if not IMAGE_SOURCE.fullmatch(source):
        return element("p", "cw-missing", f"a picture of a kind that is not drawn ({size}) {alt}".rstrip())
    picture = element("img", "cw-image", attrs={"src": source, "alt": alt or "picture"})
    return element("figure", "cw-figure", picture, *([element("figcaption", "", alt)] if alt else []))
