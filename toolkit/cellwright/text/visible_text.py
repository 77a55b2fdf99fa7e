"""Text in which nothing can hide.

Text from a model, a tool or a file can hold characters that a person never sees: bidirectional controls that
reorder a line, zero-width letters, escape sequences, three hundred blanks that push a command out of sight. Before
a person is asked to trust a text, each such character is replaced by a mark that names it: `⟨U+202E⟩`,
`⟨300 blanks⟩`. The rule that must never break: what is shown names everything that would run.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby

from cellwright.messages import clean_text
from cellwright.text.look_alike import mark_look_alikes

MANY_BLANKS = 10
"""Longer runs of blanks inside a line are counted instead of shown."""

_BLANK_LETTERS = "\u115f\u1160\u3164\uffa0\u2800\u180e\u034f"
"""Letters by Unicode's classes that fonts draw as nothing."""

_MARK_RUN = re.compile(rf"[^\w\s\x00-\x7f]{{{MANY_BLANKS + 1},}}")
"""Where so many combining marks may stand on one letter that they cover the lines around it."""
_BLANK_RUN = re.compile(rf"(?<=\S)[^\S\n]{{{MANY_BLANKS + 1},}}|^[^\S\n]{{200,}}", re.MULTILINE)
_LINE_RUN = re.compile(r"\n(?:[ \t]*\n){10,}")


def is_hidden(char: str) -> bool:
    """Whether a character draws nothing, or draws somewhere else than where it stands."""
    if char in "\n\t ":
        return False
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") or char in _BLANK_LETTERS


def mark_hidden(text: str) -> str:
    """The text with every hidden character named, such as `⟨U+200B⟩`. Blanks and line breaks stay as they are.

    So are combining marks where more of them stand on one letter than any language has: they cover other lines.

    A long row of them is named once and counted, or the names would push out of sight what stands behind them.
    """
    if text.isascii() and text.isprintable():
        return text
    rows = groupby(clean_text(text), is_hidden)
    named = "".join(_named("".join(row)) if hidden else "".join(row) for hidden, row in rows)
    return _MARK_RUN.sub(_stacked, named)


def _stacked(found: re.Match[str]) -> str:
    """A run of signs with its long rows of combining marks counted."""
    rows = ((is_mark, "".join(row)) for is_mark, row in groupby(found[0], _is_mark))
    return "".join(_named(row) if is_mark and len(row) > MANY_BLANKS else row for is_mark, row in rows)


def _is_mark(char: str) -> bool:
    return unicodedata.category(char).startswith("M")


def _named(row: str) -> str:
    names = [f"U+{ord(char):04X}" for char in row]
    if len(row) <= MANY_BLANKS:
        return "".join(f"⟨{name}⟩" for name in names)
    kinds = list(dict.fromkeys(names))
    more = ", …" if len(kinds) > MANY_BLANKS else ""
    return f"⟨{len(row):,} hidden characters: {', '.join(kinds[:MANY_BLANKS])}{more}⟩"


_SPELLING = re.compile(
    "\U0001f3f4[\U000e0030-\U000e007a]{1,6}\U000e007f"  # the flag of a region, which is written with such letters
    "|[\U000e0000-\U000e007f]+|[\U000e0100-\U000e01ef]{2,}"
    "|[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]{9,}"
)
"""Rows of unseen characters that can spell a text: tag letters, and more of others than writing has."""


def mark_spelling(text: str) -> str:
    """The text with rows of hidden characters named that can spell what a model reads and a person never sees.

    All else stays as it is, so that what a model quotes of a file is what the file holds.
    """
    if text.isascii():
        return text
    return _SPELLING.sub(lambda found: found[0] if found[0][0] == "\U0001f3f4" else _named(found[0]), text)


def mark_all(text: str) -> str:
    """`mark_hidden`, and letters that pass for others named, and long runs of blanks or empty lines counted: the form
    for a text that is to be approved."""
    text = mark_look_alikes(mark_hidden(text))
    text = _LINE_RUN.sub(lambda m: f"\n⟨{m[0].count(chr(10)) - 1} empty lines⟩\n", text)
    text = _BLANK_RUN.sub(lambda m: f" ⟨{len(m[0])} blanks⟩ ", text)
    return "".join(f"⟨U+{ord(c):04X}⟩" if c != " " and unicodedata.category(c) == "Zs" else c for c in text)
