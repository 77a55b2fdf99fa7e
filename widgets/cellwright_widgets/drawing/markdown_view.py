"""Draws Markdown: what a model wrote, and the plans that a person is asked to agree to.

A parser (markdown-it) says which parts are headings, lists, code or tables; each is drawn as a node, and the text in
them stays text. HTML, links and pictures are no forms here: they stand as they were written, so an address is seen and
nothing is loaded. The rule that must never break: each letter of the text is in the drawing, else it is drawn as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from cellwright.views.view import Code, Markdown
from cellwright_widgets.drawing.brush import Brush
from cellwright_widgets.drawing.code_view import draw_code
from cellwright_widgets.drawing.node import Node, element
from cellwright_widgets.drawing.text_view import text_rows

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

LITERAL = ("autolink", "entity", "html_block", "html_inline", "image", "link", "reference")
"""Forms that are shown as they were written."""
MAX_READ = 30_000
"""A longer text is drawn as it is, so that drawing stays quick."""
DEPTH = 24
"""Levels of elements in each other; what stands deeper is drawn at this level."""
BLOCKS = {
    **{"paragraph": ("p", ""), "blockquote": ("blockquote", "cw-quote"), "list_item": ("li", "")},
    # the marks are drawn as they were written: a browser without the style would number them anew
    **{"bullet_list": ("ul", "cw-list"), "ordered_list": ("ul", "cw-list")},
    **{"strong": ("strong", ""), "em": ("em", ""), "s": ("del", "")},
    **{"thead": ("thead", ""), "tbody": ("tbody", ""), "tr": ("tr", "")},
}
"""Tag and class by the parser's name."""


def draw_markdown(view: Markdown, brush: Brush) -> Node:
    """The text as blocks."""
    text = view.text.replace("\r\n", "\n")
    parser = _parser() if len(text) <= MAX_READ else None
    tokens = parser.parse(text) if parser is not None else []
    if parser is None or _letters(text) - _letters("".join(_told(tokens))):
        return element("div", "cw-prose cw-plain", *text_rows(text, brush, "cw-plain"))
    return element("div", "cw-prose", *_nodes(tokens, brush))


@cache
def _parser() -> MarkdownIt | None:
    try:
        from markdown_it import MarkdownIt
    except ImportError:  # an installation from before it was among the requirements
        return None
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).disable(LITERAL)


def _letters(text: str) -> Counter[str]:
    return Counter(filter(str.isalnum, text))


def _told(tokens: Sequence[Token]) -> Iterator[str]:
    """All text that the drawing of tokens holds."""
    for token in tokens:
        if token.children is not None:
            yield from _told(token.children)
        else:
            yield from (token.content, token.info)


def _nodes(tokens: Sequence[Token], brush: Brush) -> list[Node]:
    """The tokens, of which some open an element and some close it, as a tree."""
    roots: list[Node] = []
    within: list[tuple[Token, list[Node]]] = []
    for token in tokens:
        place = within[-1][1] if within else roots
        if token.nesting > 0:
            within.append((token, [] if len(within) < DEPTH else place))
        elif token.nesting < 0:
            opening, children = within.pop()
            place = within[-1][1] if within else roots
            if children is not place:
                place += _block(opening, children, brush)
        else:
            place += _leaf(token, brush)
    return roots


def _block(token: Token, children: list[Node], brush: Brush) -> list[Node]:
    name = token.type.removesuffix("_open")
    match name:
        case "paragraph" if token.hidden:
            return children
        case "heading":
            return [element("h3" if token.tag in ("h1", "h2") else "h4", "", *children)]
        case "list_item":
            mark = element("span", "cw-bullet", f"{token.info}{token.markup}" if token.info else "•")
            has_blocks = any(
                not isinstance(child, str) and child[0] in ("p", "ul", "div", "table") for child in children
            )
            return [element("li", "", mark, " ", element("div" if has_blocks else "span", "cw-item", *children))]
        case "th" | "td":
            cls = "cw-number" if "right" in str(token.attrGet("style")) else ""
            return [element(name, cls, *children)]
        case "table":
            return [element("div", "cw-scroll", element("table", "cw-table", *children))]
    tag, cls = BLOCKS.get(name, ("span", ""))
    return [element(tag, cls, *children)]


def _leaf(token: Token, brush: Brush) -> list[Node]:
    match token.type:
        case "inline":
            return _nodes(token.children or [], brush)
        case "code_inline":
            return [element("code", "", brush.mark(token.content))]
        case "fence" | "code_block":
            return _fence(token.content, token.info, brush)
        case "softbreak" | "hardbreak":
            return ["\n"]
        case "hr":
            return [element("div", "cw-hr", "———")]
    return [brush.mark(token.content)]


def _fence(code: str, info: str, brush: Brush) -> list[Node]:
    language = info.strip().partition(" ")[0]
    caption = [element("small", "cw-language", brush.mark(info.strip()))] if info.strip() else []
    return [*caption, draw_code(Code(code.removesuffix("\n"), language), brush)]
