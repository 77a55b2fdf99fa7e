"""Text that makes a page load something from elsewhere as soon as it is shown: a picture in a Markdown cell.

An address can carry what a model has read, and who serves the picture then has it, without a click. Edits of files run
unasked in mode accept_edits, but a cell of a notebook that is open is drawn at once. So an edit that could bring such a
picture into a cell is asked about, unless a rule of the person allows it.
The rule that must never break: this only asks; it is no proof that nothing is loaded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape
from typing import Literal

LOADING = re.compile(
    r"!\[|(?<!\w)url\(|<(?:audio|base|body|embed|iframe|image|img|input|link|object|picture|script|source|style|svg|table|td"
    r"|track|use|video)\b",
    re.I,
)
"""How what is loaded is written in Markdown and HTML."""
ADDRESS = re.compile(r"\bhttps?:|\s//[\w\[]|[(\"'<=:]\s*[/\\]\s*[/\\][\w\[]", re.I)
"""An address of another machine, as browsers read it: `https:a.org`, `//a.org`, `/\\a.org`."""
REASON = "the cell's text may load a picture from elsewhere once it is shown, and an address can carry data away"


def opinion(texts: Iterable[object]) -> tuple[Literal["ask"], str] | None:
    """A question about texts that, taken together, could load something; None if they can't."""
    text = "\n".join(text for text in texts if isinstance(text, str))
    if not ("![" in text or "<" in text or "url(" in text):
        return None
    shown = unescape(text)
    plain = shown.replace("\\", "")
    is_elsewhere = ADDRESS.search(plain) or ADDRESS.search(shown)
    return ("ask", REASON) if LOADING.search(plain) and is_elsewhere else None
