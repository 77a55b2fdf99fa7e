"""What came from the web, as a model can use it: text, a picture, or words that it is neither.

Of a page the readable text is kept, as Markdown with its links; scripts, styles, menus and what is hidden go. Letters
that nobody sees go from all texts, since they are a way to speak to a model behind a person's back. The rule that must
never break: what is no text is described, and never given out as if it were.
"""

from __future__ import annotations

import base64
import re
import unicodedata
from html import unescape
from typing import Literal

from msgspec import Struct

from cellwright.errors import ToolError
from cellwright.messages import Image, clean_text
from cellwright.text.picture import MAX_PICTURE, is_whole, picture_type
from cellwright.text.quantity import quantity
from cellwright.web.charset import read_text
from cellwright.web.fetcher import Fetched

HTML = ("text/html", "application/xhtml+xml")
TEXTS = re.compile(
    r"text/.*|application/(json|xml|javascript|ecmascript|x-javascript|yaml|x-yaml|toml|x-sh|sql|graphql|x-ndjson|"
    r"x-www-form-urlencoded|ld\+json|rtf)|.*\+(json|xml|yaml)|image/svg\+xml|message/.*"
)
VAGUE = ("", "application/octet-stream", "binary/octet-stream", "unknown/unknown")
"""What servers say that do not know."""
BASE64 = re.compile(
    r"(?:data:[\w/+.-]*(?:;[\w=.-]+)*;base64,)?(?<![A-Za-z0-9+/_-])(?:[A-Za-z0-9+/_-]{1000,}"
    r"|(?:[A-Za-z0-9+/]{60,80}\s){40,}[A-Za-z0-9+/]*)={0,2}"
    r"|data:[\w/+.-]*(?:;[\w=.-]+)*;base64,[A-Za-z0-9+/=]{40,}"
)
"""Data spelled in letters: it says nothing to a reader, and costs as much as a book. A word is only looked at from its
beginning on; to begin at each of its letters takes, for a text of long words, the square of the time."""
TITLE = re.compile(r"<title[^>]{0,200}>([^<]*)</title", re.I)
TITLE_WITHIN = 200_000
MAX_TITLE = 300
"""Characters of a title, and those within which it stands."""
MAX_HTML = 1_500_000
"""Characters of a page that are read; the time of some that are made to choke a reader grows with the square."""
JOINERS = "\u200c\u200d"
"""Unseen letters that writing needs: of Persian, of emoji."""
DOUBTFUL = re.compile(r"[^\n\t -~]")
UNSEEN = ("Cc", "Cf", "Cs", "Co")


class Page(Struct, frozen=True):
    """What a model gets of an address."""

    kind: Literal["text", "image"]
    text: str = ""
    title: str = ""
    encoding: str = ""
    notes: tuple[str, ...] = ()
    """What was left out or is odd."""
    image: Image | None = None


def page_of(fetched: Fetched, raw: bool = False) -> Page:
    """What came, as text or picture; with `raw` the source of a page in place of its readable text.

    Raises:
        ToolError: `binary` for what is neither, or a damaged picture; `too_large` for one that was cut or that models
            don't take.
    """
    notes = [fetched.body.problem] if fetched.body.problem else []
    if fetched.body.is_cut:
        notes.append(f"it is cut: there is more than the first {len(fetched.body.data):,} bytes")
    media_type, data = picture_type(fetched.body.data), fetched.body.data
    if media_type:
        return Page("image", image=_shown(data, media_type, fetched, notes), notes=tuple(notes))
    text, encoding = _text(fetched)
    title = ""
    if not raw and _is_html(fetched, text):
        if len(text) > MAX_HTML:
            notes.append(f"only the first {MAX_HTML:,} characters of the page's {len(text):,} were read")
        text, title = readable(text[:MAX_HTML], str(fetched.url))
        if not text.strip() and fetched.body.data:
            notes.append("no readable text was found in the page; raw gives its source")
    text, left_out = _seen(text)
    text, packed = BASE64.subn(lambda found: f"[{len(found[0]):,} characters of base64 left out]", text)
    notes += [f"{quantity(left_out, 'unseen character was', 'unseen characters were')} left out"] if left_out else []
    notes += [f"{quantity(packed, 'piece of base64 was', 'pieces of base64 were')} left out"] if packed else []
    return Page("text", text.strip("\n"), title, encoding, tuple(notes))


def _shown(data: bytes, kind: str, fetched: Fetched, notes: list[str]) -> Image:
    told = f"{fetched.url} is {kind}"
    if fetched.body.is_cut or fetched.body.problem:
        raise ToolError("too_large", f"{told}, and {notes[0]}; a part of a picture shows nothing")
    if len(data) > MAX_PICTURE:
        raise ToolError("too_large", f"{told}, {len(data):,} bytes; up to {MAX_PICTURE:,} bytes are shown")
    if not is_whole(data, kind):
        raise ToolError("binary", f"{told}, {len(data):,} bytes; it is damaged or cut off, so it can't be shown")
    return Image(kind, base64.b64encode(data).decode())


def readable(html: str, base: str) -> tuple[str, str]:
    """The text of a page as Markdown, and its title; links are made whole. A page that is too odd for the reader has
    none. (The parser of the standard library is no way out: some pages of 100 kB keep it busy for minutes.)"""
    import html_to_markdown as reader

    said = TITLE.search(html, 0, TITLE_WITHIN)
    title = " ".join(unescape(said[1]).split())[:MAX_TITLE] if said else ""
    options = reader.ConversionOptions(
        extract_metadata=False, compact_tables=True, inline_data_media="alt_text_only", base_url=base
    )
    try:
        text = reader.convert(html, options).content or ""
    except Exception:  # a parser that was given anything
        text = ""
    return text, title


def _is_html(fetched: Fetched, text: str) -> bool:
    vague = fetched.media_type in VAGUE and re.match(r"\s*(<!doctype html|<html)", text, re.I) is not None
    return fetched.media_type in HTML or vague


def _text(fetched: Fetched) -> tuple[str, str]:
    """The text of the body, if it is one by what is said of it and by what it holds."""
    data, kind = fetched.body.data, fetched.media_type
    if TEXTS.fullmatch(kind) or kind in HTML or kind in VAGUE or not data:
        text, encoding = read_text(data, fetched.charset)
        if kind in HTML and text.count("\0") * 100 < len(text):  # what browsers do to a stray one
            text = text.replace("\0", "")
        guessed = kind in VAGUE and not fetched.charset and not encoding.startswith("utf-")
        if "\0" not in text and not guessed and not (kind in VAGUE and "\ufffd" in text):
            return clean_text(text), encoding
    size = f"{len(data):,} bytes" + (" and more" if fetched.body.is_cut else "")
    named = kind if re.fullmatch(r"[\w.+-]{1,60}/[\w.+-]{1,60}", kind) else "binary data"
    raise ToolError(
        "binary",
        f"{fetched.url} is no text but {named}, {size} ({fetched.phrase}); save it with a program if it is needed, and "
        "read it with one that knows its format",
    )


def _seen(text: str) -> tuple[str, int]:
    """The text without what nobody sees, and how many such characters there were."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    kept = DOUBTFUL.sub(lambda found: "" if _is_unseen(found[0]) else found[0], plain)
    return kept, len(plain) - len(kept)


def _is_unseen(char: str) -> bool:
    return char not in JOINERS and unicodedata.category(char) in UNSEEN
