"""What is drawn, as a tree of plain data.

The same call card is shown live (a page builds it) and in a saved record (Python writes HTML), and both must look
alike and be equally safe. So every drawing is a *node*: a string, or `(tag, attributes, children)`, made once by
pure Python functions. Two serialisers put it on screen: `to_html` here, and `build` in `static/node.js`, with the
same allow-list. The rule that must never break: text is only ever a string node, which both write as text, so
nothing that a model, a tool or a file says becomes an element or an attribute that acts. Controls (`control.py`) are
built by a page alone: HTML has no kernel behind it, and leaves them out.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Union

from cellwright.messages import clean_text

Element = tuple[str, dict[str, str], list["Node"]]
Node = Union[str, Element]  # noqa: UP007 - the string in `Element` needs a name that exists at run time

TAGS = frozenset(
    (
        *(
            "article",
            "blockquote",
            "code",
            "del",
            "details",
            "div",
            "em",
            "figcaption",
            "figure",
            "h3",
            "h4",
            "header",
            "img",
            "ins",
        ),
        *("li", "ol", "p", "pre", "section", "small", "span", "strong", "summary", "table", "tbody", "td", "th"),
        *("thead", "time", "tr", "ul"),
    )
)
CONTROLS = {"button": frozenset(("disabled",)), "input": frozenset(("checked", "placeholder", "type", "value"))}
"""What a person can press, and what only they have."""
INPUT_TYPES = frozenset(("checkbox", "search"))
CONTROL_ATTRIBUTES = frozenset(("data-copy", "data-key", "data-part", "data-press"))
"""What says what a control does, and which part of a drawing it changes."""
ATTRIBUTES = frozenset(
    (
        "alt",
        "aria-hidden",
        "aria-label",
        "aria-sort",
        "class",
        "data-call",
        "data-fold",
        "data-from",
        "data-run",
        "data-since",
        "data-to",
        "data-twin",
        "open",
        "role",
        "scope",
        "src",
        "tabindex",
        "title",
    )
)
IMAGE_SOURCE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}")
"""The only `src` there is: nothing is ever loaded from elsewhere."""


def element(tag: str, cls: str = "", *children: Node, attrs: Mapping[str, str] | None = None) -> Element:
    """A node with children. An attribute without a value, such as `open`, is an empty string."""
    return tag, {**({"class": cls} if cls else {}), **(attrs or {})}, list(children)


def spaced(*children: Node) -> list[Node]:
    """The children with a blank between them, so that they read as words where style is stripped."""
    parts: list[Node] = []
    for child in children:
        if child != "":
            parts += [" ", child] if parts else [child]
    return parts


def to_html(node: Node) -> str:
    """The node as HTML; every text and attribute is escaped.

    Raises:
        ValueError: for a tag, attribute or image source outside the allow-list.
    """
    if isinstance(node, str):
        return html.escape(clean_text(node), quote=False)
    tag, attrs, children = node
    if tag in CONTROLS:
        return ""
    if tag not in TAGS:
        raise ValueError(f"the tag {tag!r} is not drawn; the tags are {', '.join(sorted(TAGS))}")
    start = f"<{tag}{''.join(_attribute(name, value) for name, value in attrs.items())}>"
    if tag == "img":
        return start
    inner = "".join(map(to_html, children))
    # a parser drops a line break right after <pre>
    return f"{start}{chr(10) if tag == 'pre' and inner.startswith(chr(10)) else ''}{inner}</{tag}>"


def to_text(node: Node) -> str:
    """All text of a node, in order: what a reader without any style sees."""
    if isinstance(node, str):
        return node
    return "" if node[0] in CONTROLS else "".join(map(to_text, node[2]))


def _attribute(name: str, value: str) -> str:
    if name in CONTROL_ATTRIBUTES:
        return ""
    if name not in ATTRIBUTES:
        raise ValueError(f"the attribute {name!r} is not drawn; the attributes are {', '.join(sorted(ATTRIBUTES))}")
    if name == "src" and not IMAGE_SOURCE.fullmatch(value):
        raise ValueError("an image is drawn from data:image/(png|jpeg|gif|webp) alone")
    return f' {name}="{html.escape(clean_text(value))}"'
