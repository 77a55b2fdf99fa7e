"""Draws what a model wrote: the little Markdown that answers are full of, as nodes, and all the rest as plain text.

Paragraphs, headings, lists, fenced code, `code`, **strong** and *emphasis* are drawn. Links stay as they are written,
so that their address is seen, and pictures are never loaded. The rule that must never break: whatever is not one of
these forms is shown to the letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cellwright.views import Code
from cellwright.visible_text import mark_hidden
from cellwright_widgets.brush import TRANSCRIPT
from cellwright_widgets.code_view import draw_code
from cellwright_widgets.fold import bounded
from cellwright_widgets.node import Node, element

FENCE = re.compile(
    r"^(?P<mark>```+|~~~+)[ ]*(?P<language>[\w+-]*)[^\n`]*\n(?P<code>.*?)(?:^(?P=mark)[ ]*$|\Z)", re.M | re.S
)
HEADING = re.compile(r"(#{1,6})[ ]+(.+)")
LIST_ITEM = re.compile(r"(?P<indent>[ ]*)(?:[-*+]|(?P<number>\d{1,3})[.)])[ ]+(?P<text>.*)")
INLINE = re.compile(
    r"(?<!`)(`{1,2})(?!`)(?P<code>[^\n]{0,500}?[^`\n])\1(?!`)"
    r"|\*\*(?P<strong>[^*\s](?:[^*]*[^*\s])?)\*\*"
    r"|(?<![\w*])\*(?P<em>[^*\s](?:[^*]*[^*\s])?)\*(?!\w)"
)
"""Bounded, so that no text takes long."""


def draw_prose(text: str) -> Node:
    """The text as blocks."""
    shown, rest = bounded(text.replace("\r\n", "\n"), TRANSCRIPT)
    blocks: list[Node] = []
    at = 0
    for fence in FENCE.finditer(shown):
        blocks += _blocks(shown[at : fence.start()])
        blocks.append(draw_code(Code(fence["code"].removesuffix("\n"), fence["language"]), TRANSCRIPT))
        at = fence.end()
    return element("div", "cw-prose", *blocks, *_blocks(shown[at:]), *rest)


def _blocks(text: str) -> Iterator[Node]:
    for block in re.split(r"\n[ \t]*\n", text):
        lines: list[str] = []
        for line in block.strip("\n").split("\n"):
            heading = HEADING.fullmatch(line)
            if heading is None:
                lines.append(line)
                continue
            yield from _paragraph(lines)
            lines = []
            yield element("h3" if len(heading[1]) < 3 else "h4", "", *_inline(heading[2].rstrip(" #")))
        yield from _paragraph(lines)


def _paragraph(lines: list[str]) -> Iterator[Node]:
    """Lines of text, and lists among them."""
    plain: list[str] = []
    items: list[re.Match[str]] = []
    for line in [*lines, ""]:
        item = LIST_ITEM.fullmatch(line)
        if item is not None:
            yield from _plain(plain)
            plain = []
            items.append(item)
            continue
        yield from _list(items)
        items = []
        plain.append(line)
    yield from _plain(plain)


def _plain(lines: list[str]) -> Iterator[Node]:
    text = "\n".join(lines).strip("\n")
    if text.strip():
        yield element("p", "", *_inline(text))


def _list(items: list[re.Match[str]]) -> Iterator[Node]:
    """The items with the marks they were written with: a list that starts at 3 must not be shown as 1."""
    if not items:
        return
    rows = []
    for item in items:
        depth = min(3, len(item["indent"]) // 2)
        mark = f"{item['number']}." if item["number"] else "•"
        rows.append(element("li", f"cw-depth-{depth}", element("span", "cw-bullet", mark), " ", *_inline(item["text"])))
    yield element("ul", "cw-list", *rows)


def _inline(text: str) -> Iterator[Node]:
    at = 0
    for found in INLINE.finditer(text):
        if found.start() > at:
            yield mark_hidden(text[at : found.start()])
        name = found.lastgroup or "em"
        yield element(name, "", mark_hidden(found[name]))
        at = found.end()
    if at < len(text):
        yield mark_hidden(text[at:])
