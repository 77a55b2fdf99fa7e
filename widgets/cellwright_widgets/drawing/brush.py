"""How much is drawn, and which characters are marked.

The same view is drawn in two places. In a transcript a long text should not push the rest of the run away, so most
of it is folded. In an approval card a person must see all that would run, so little is folded and runs of blanks are
counted. A brush says which. The rule that must never break: what is folded or left out is counted where it is missing.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from cellwright.text.visible_text import mark_all, mark_hidden


class Brush(Struct, frozen=True):
    """The measure of a drawing."""

    mark: Callable[[str], str]
    """Names hidden characters."""
    lines: int
    """Lines that are shown before the rest is folded."""
    line: int
    """Characters of one line that are shown at once."""
    characters: int
    """Characters that are drawn at all, folds included."""


TRANSCRIPT = Brush(mark_hidden, lines=40, line=1_000, characters=100_000)
APPROVAL = Brush(mark_all, lines=400, line=20_000, characters=2_000_000)
