"""One replacement in a text, exact or refused.

A model quotes the text it wants changed. If the quote fits one place, that place changes and nothing else; if it
fits none or several, nothing changes and the error says what is there. Nothing is ever matched by likeness, and the
new text is taken literally. One freedom only: a line break that the model wrote as `\\n` stands for the line end
that the file has at that place, because models do not write `\\r\\n`; the new text then takes over the same ends.
A quote or new text that holds `\\r` is taken to the letter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import ConfigDict, Field

from cellwright.errors import ToolError
from cellwright.tools.near_miss import near_miss

LINES_NAMED = 8
"""Line numbers that an error lists at most."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """One replacement of text."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    old_string: Annotated[str, Field(description="The exact text to replace, white space included.")]
    new_string: Annotated[str, Field(description="The text to put there, taken literally.")]
    replace_all: Annotated[bool, Field(description="Replace every occurrence instead of the only one.")] = False


@dataclass(frozen=True, slots=True)
class Replaced:
    """A text after a replacement."""

    text: str
    lines: tuple[int, ...]
    """The line of each place that changed, in the text before, from 1."""


def replaced(text: str, wanted: Replacement) -> Replaced:
    """The text with a replacement made.

    Raises:
        ToolError: `empty_old_string`, `no_change`, `not_found` or `not_unique`.
    """
    if not wanted.old_string:
        raise ToolError("empty_old_string", "old_string must not be empty; quote the text that is to change")
    if wanted.old_string == wanted.new_string:
        raise ToolError("no_change", "nothing to change: old_string and new_string are the same")
    places = _places(text, wanted)
    parts, end = [], 0
    for place in places:
        parts += [text[end : place.start()], _with_line_ends(wanted, text, place)]
        end = place.end()
    new_text = "".join([*parts, text[end:]])
    if new_text == text:
        raise ToolError("no_change", "nothing to change: the text already reads so")
    return Replaced(new_text, _lines(text, [place.start() for place in places]))


def all_replaced(text: str, edits: Sequence[Replacement]) -> tuple[str, list[int]]:
    """The text with all replacements made, each on the result of the one before, and the places of each.

    Raises:
        ToolError: naming the first edit that can't be made; `overlap` if an earlier one took its text away.
    """
    current, counts = text, []
    for index, edit in enumerate(edits):
        try:
            made = replaced(current, edit)
        except ToolError as error:
            name = f"edit {index + 1} of {len(edits)}"
            culprit = _culprit(text, edits[:index], edit) if error.code == "not_found" else 0
            if culprit:
                raise ToolError(
                    "overlap",
                    f"{name} overlaps edit {culprit}: its old_string was there until edit {culprit} changed it; "
                    "make one edit of both. Nothing was written",
                ) from None
            after = ", in the text after the edits before it" if index else ""
            raise ToolError(error.code, f"{name}{after}: {error.message}. Nothing was written") from None
        current = made.text
        counts.append(len(made.lines))
    return current, counts


def _places(text: str, wanted: Replacement) -> list[re.Match[str]]:
    pattern = _pattern(wanted.old_string)
    if wanted.replace_all:
        places = list(pattern.finditer(text))
    else:
        first = pattern.search(text)
        second = pattern.search(text, first.start() + 1) if first else None
        if first and second:
            raise _not_unique(text, [first, second, *pattern.finditer(text, second.start() + 1)])
        places = [first] if first else []
    if not places:
        raise ToolError("not_found", f"old_string was not found. {near_miss(text, wanted.old_string)}")
    return places


def _pattern(old: str) -> re.Pattern[str]:
    if "\r" in old:
        return re.compile(re.escape(old))
    return re.compile(r"\r?\n".join(map(re.escape, old.split("\n"))))


def _not_unique(text: str, places: list[re.Match[str]]) -> ToolError:
    lines = _lines(text, [place.start() for place in places[:LINES_NAMED]])
    more = ", ..." if len(places) > LINES_NAMED else ""
    return ToolError(
        "not_unique",
        f"old_string was found {len(places):,} times, at lines {', '.join(map(str, lines))}{more}; "
        "add lines around it so that it fits one place, or set replace_all to change all of them",
    )


def _with_line_ends(wanted: Replacement, text: str, place: re.Match[str]) -> str:
    new = wanted.new_string
    if "\n" not in new or "\r" in new or "\r" in wanted.old_string:
        return new
    ends = re.findall(r"\r?\n", place[0]) or [_line_end_at(text, place)]
    first, *rest = new.split("\n")
    return first + "".join(ends[min(i, len(ends) - 1)] + line for i, line in enumerate(rest))


def _line_end_at(text: str, place: re.Match[str]) -> str:
    """The end of the line a place is on, or of the line before if it is the last."""
    at = text.find("\n", place.end())
    if at < 0:
        at = text.rfind("\n", 0, place.start())
    return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"


def _lines(text: str, starts: list[int]) -> tuple[int, ...]:
    lines, line, seen = [], 1, 0
    for start in starts:
        line += text.count("\n", seen, start)
        seen = start
        lines.append(line)
    return tuple(lines)


def _culprit(text: str, earlier: Sequence[Replacement], edit: Replacement) -> int:
    """The number of the earlier edit that took this one's text away; 0 if it was never there."""
    pattern = _pattern(edit.old_string)
    was_there = pattern.search(text) is not None
    for number, one in enumerate(earlier, 1):
        text = replaced(text, one).text
        is_there = pattern.search(text) is not None
        if was_there and not is_there:
            return number
        was_there = is_there
    return 0
