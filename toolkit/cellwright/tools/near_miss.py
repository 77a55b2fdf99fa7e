"""What a quote that was not found may have meant.

A failed edit is repaired in one step if the error shows what the file really holds. So the file is searched for the
same words with other white space, then for the line most like the quote's first. The hint is only ever shown,
never applied: white space and look-alike letters carry meaning. The work is bounded, whatever the file's size.
"""

from __future__ import annotations

import difflib
import json
import re

MAX_TEXT = 2_000_000
"""Characters of a file that are looked at."""
MAX_LINES = 5_000
MAX_SHOWN = 300
LIKENESS = 0.6

_NUMBERED = re.compile(r"(\s*\d+\t[^\n]*(\n|\Z))+")


def near_miss(text: str, quote: str) -> str:
    """One or two sentences on what stands in the text instead of the quote, and what to do."""
    text = text[:MAX_TEXT]
    if not text:
        return "The file is empty; fill it with write_file"
    if _NUMBERED.fullmatch(quote):
        return "It begins with line numbers, which read_file shows but the file does not hold; leave them out"
    return _other_white_space(text, quote) or _closest_line(text, quote) or "Read the file again and quote from it"


def _other_white_space(text: str, quote: str) -> str:
    words = quote.split()
    found = re.search(r"\s+".join(map(re.escape, words)), text) if words else None
    if found is None:
        return ""
    start = text.rfind("\n", 0, found.start()) + 1
    end = text.find("\n", found.end())
    there = text[start:] if end < 0 else text[start : end + 1]
    tabs = " (\\t is a tab; old_string has blanks there)" if "\t" in there and "\t" not in quote else ""
    line = text.count("\n", 0, found.start()) + 1
    return f"The same words with other white space are at line {line}: {_quoted(there)}{tabs}. Quote exactly that"


def _closest_line(text: str, quote: str) -> str:
    wanted = next((line.strip() for line in quote.split("\n") if line.strip()), "")[:MAX_SHOWN]
    if not wanted:
        return ""
    lines = {line.strip()[:MAX_SHOWN]: number for number, line in reversed(list(enumerate(_first_lines(text), 1)))}
    near = difflib.get_close_matches(wanted, lines, 1, LIKENESS)
    if not near:
        return ""
    if near[0] == wanted:
        return f"Its first line is at line {lines[wanted]}, but what follows differs; read the file there"
    return f"The closest line is {lines[near[0]]}: {_quoted(near[0])}. Quote the file exactly"


def _first_lines(text: str) -> list[str]:
    return text.split("\n", MAX_LINES)[:MAX_LINES]


def _quoted(text: str) -> str:
    """The text as a JSON string, so that tabs, line ends and odd letters can be told apart."""
    return json.dumps(text[:MAX_SHOWN]) + ("..." if len(text) > MAX_SHOWN else "")
