"""A regular expression as a model writes it, and what is said of one that is none.

The syntax is ripgrep's, which judges it; its complaint names a place in what it was given, so it is turned into the
place in what the model wrote. A pattern that can't match within a line is refused here, before any search.
"""

from __future__ import annotations

import re

from cellwright.errors import ToolError


def check_pattern(pattern: str, multiline: bool = False, instead: str = "take one line") -> None:
    """Refuse a pattern that no line can match; with `multiline` it may match across lines.

    Raises:
        ToolError: `invalid_pattern`.
    """
    if not pattern:
        raise ToolError("invalid_pattern", "pattern must not be empty; give the text or expression to look for")
    if not multiline and ("\n" in pattern or re.search(r"(?<!\\)(\\\\)*\\n", pattern)):
        raise ToolError("invalid_pattern", f"pattern holds a line break, but the search goes line by line; {instead}")
    if re.search(r"(?<!\\)(\\\\)*\\$", pattern):
        at = len(pattern) - 1
        raise _invalid(pattern, f"\\ at the end of the pattern, at character {at}")


def refused(pattern: str, complaints: str) -> ToolError:
    """The error to raise for what ripgrep complained of."""
    if "error parsing glob" in complaints:
        return ToolError("invalid_pattern", f"glob is invalid: {complaints.rpartition('glob ')[2]}")
    if unknown := re.search(r"unrecognized file type: (.+)", complaints):
        return ToolError(
            "unknown_type", f"ripgrep knows no file_type {unknown[1]!r}; take glob, such as *.{unknown[1]}"
        )
    found = re.search(r"PCRE2: error compiling pattern at offset (\d+): (.+)", complaints)
    if not found:
        return _invalid(pattern, complaints or "ripgrep refused it")
    at = min(max(int(found[1]) - len("(?:"), 0), len(pattern))  # ripgrep puts a group around the pattern,
    at -= found[2].startswith("unmatched closing")  # and a ) too many closes it, so the one after is blamed
    return _invalid(pattern, f"{found[2]}, at character {at}")


def _invalid(pattern: str, problem: str) -> ToolError:
    return ToolError(
        "invalid_pattern",
        f"pattern {pattern!r} is no regular expression: {problem}. To search for it as literal text, "
        f"send {re.escape(pattern)}",
    )
