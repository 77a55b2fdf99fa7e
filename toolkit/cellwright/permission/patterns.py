r"""Patterns of rules: text in which only a written `*` is a wildcard.

A pattern for commands is split into words as a shell would: blanks separate, `\` takes the next character as it is,
and so do quotes. A `*` in a word stands for any characters of that word, alone it stands for any words, also none.
Two questions are asked, and doubt counts against the call in both: does a pattern surely cover a command (to allow
it), and might it (to deny it or ask)? Words of which parts are unknown meet every pattern that they could meet.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from cellwright.permission.shell.word import HOLE, Word

STAR = "\ue001"
"""A wildcard in a pattern that has been read. From the private use area, so that it is not a character of a word."""
SPECIAL = frozenset("\\*?['\" \t\n")
"""What `escaped` puts a backslash before."""
COMPARED = 250_000
"""Character pairs that are compared at most, where both sides have unknown parts; beyond it the answer is yes."""


def escaped(text: str) -> str:
    """The pattern that covers exactly this text."""
    return "".join("\\" + char if char in SPECIAL else char for char in text) or "''"


@lru_cache(maxsize=512)  # of a pure function: the same few rules meet every command
def path_pattern(pattern: str) -> str:
    """A pattern for a path: escapes resolved, wildcards marked, `./` and a last `/` dropped."""
    text = "".join(_pieces(pattern, quotes=False))
    while text.startswith("./"):
        text = text[2:].lstrip("/")
    return text.rstrip("/") or text[:1] or "."


@lru_cache(maxsize=512)  # of a pure function: the same few rules meet every command
def word_patterns(pattern: str) -> tuple[str, ...]:
    """The words of a pattern for commands.

    Raises:
        ValueError: for a quote that is not closed, or a backslash at the end.
    """
    words: list[str] = []
    current: list[str] | None = None
    for piece in _pieces(pattern, quotes=True):
        if piece in (" ", "\t", "\n"):
            words += ["".join(current)] if current is not None else []
            current = None
        else:
            current = [*(current or []), piece.removeprefix(KEPT)]
    return (*words, "".join(current)) if current is not None else tuple(words)


KEPT = "\ue002"
"""Before a piece that was quoted, so that a quoted blank separates nothing and `''` is a word."""


def _pieces(pattern: str, quotes: bool) -> list[str]:
    """A pattern's characters; wildcards marked, what was quoted with `KEPT` before it (if quotes count)."""
    pieces, quote, at = [], "", 0
    while at < len(pattern):
        char, kept = pattern[at], KEPT if quotes else ""
        at += 1
        if char == "\\" and quote != "'":
            if at == len(pattern):
                raise ValueError("a backslash at the end escapes nothing; write \\\\ for a backslash")
            pieces.append(kept + pattern[at])
            at += 1
        elif quotes and char in "'\"" and quote in ("", char):
            quote = "" if quote else char
            pieces.append(KEPT)
        else:
            pieces.append(kept + char if quote else STAR if char == "*" else char)
    if quote:
        raise ValueError(f"the quote {quote} is not closed; write \\{quote} for the character")
    return pieces


def covers_text(pattern: str, text: str) -> bool:
    """Whether a pattern surely covers a text: unknown parts are covered by wildcards only."""
    first, *rest = pattern.split(STAR)
    if not rest:
        return text == pattern and HOLE not in text
    *middle, last = rest
    if len(text) < len(first) + len(last) or not text.startswith(first) or not text.endswith(last):
        return False
    at, end = len(first), len(text) - len(last)
    for part in middle:
        found = text.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True


def may_cover_text(pattern: str, text: str) -> bool:
    """Whether a pattern might cover a text, whatever its unknown parts turn out to be."""
    if HOLE not in text:
        return covers_text(pattern, text)
    if len(pattern) * len(text) > COMPARED:
        return True
    return _meet(pattern, text, STAR, HOLE)


def _meet(left: str, right: str, left_any: str, right_any: str) -> bool:
    """Whether two texts with wildcards have a text in common; row by row over the characters of the first."""
    row = [True]
    for char in right:
        row.append(row[-1] and char == right_any)
    for mine in left:
        above, row = row, [row[0] and mine == left_any]
        for at, char in enumerate(right):
            if mine == left_any or char == right_any:
                row.append(row[at] or above[at + 1] or above[at])
            else:
                row.append(above[at] and mine == char)
    return row[-1]


def covers_words(patterns: Sequence[str], words: Sequence[Word], written: Collection[int] = ()) -> bool:
    """Whether patterns surely cover a command. The words at the places `written` must be written in the pattern."""
    places = {0}
    for pattern in patterns:
        following: set[int] = set()
        for place in sorted(places):
            if pattern == STAR:
                while place not in following:
                    following.add(place)
                    if place == len(words) or place in written:
                        break
                    place += 1
            elif place < len(words) and _covers_word(pattern, words[place], place in written):
                following.add(place + 1)
        places = following
    return len(words) in places


def _covers_word(pattern: str, word: Word, written: bool) -> bool:
    if word.splits or (written and STAR in pattern.partition("=")[0]):
        return False
    return covers_text(pattern, word.text)


def may_cover_words(patterns: Sequence[str], words: Sequence[Word]) -> bool:
    """Whether patterns might cover a command. A `*` at the very end covers further words, too: `rm -rf*`."""
    open_end = bool(patterns) and patterns[-1].endswith(STAR)
    places = {0}
    for pattern in (*patterns, STAR) if open_end else patterns:
        following: set[int] = set()
        for place in sorted(places):
            _reach(pattern, words, place, following)
        places = following
    end = len(words)
    while end and words[end - 1].splits:
        end -= 1  # it may come to nothing
    return any(place >= end for place in places)


def _reach(pattern: str, words: Sequence[Word], place: int, reached: set[int]) -> None:
    """Adds the places where the next pattern may begin, if this one begins at a place."""
    if pattern == STAR:
        while place not in reached and place <= len(words):
            reached.add(place)
            place += 1
        return
    while place < len(words) and words[place].splits:
        if place in reached and place + 1 in reached:
            return
        reached |= {place, place + 1}  # the expansion gives this word, and perhaps more
        place += 1
    if place < len(words) and may_cover_text(pattern, words[place].text):
        reached.add(place + 1)
