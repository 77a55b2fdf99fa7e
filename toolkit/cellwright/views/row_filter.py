"""What a person types to see some rows of a table: `north`, `region = North`, `n > 400`.

A word alone is looked for in every column; with a column's name and a sign before it, in that one. Nothing is run or
evaluated: the text is taken apart here, and the parts are compared. The rule that must never break: any text is a
filter, and one that compares with a column names a column that there is.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

Sign = Literal["=", "!=", ">", ">=", "<", "<=", "~"]
COMPARISONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}
"""What a sign compares by, but for `~`; of values, or of whole columns of a library."""
MAX_FILTER = 200
"""Characters of a filter that are looked at."""
_COMPARISON = re.compile(r"\s*(?P<name>.+?)\s*(?P<sign>>=|<=|!=|=|>|<|~)\s*(?P<text>.*?)\s*", re.DOTALL)


class RowFilter(Struct, frozen=True):
    """Which rows are wanted."""

    column: int | None
    """The column that is compared; None for any that has the text in it."""
    sign: Sign
    """`~` is "has it in it", whatever the case of its letters."""
    text: str

    @property
    def number(self) -> float | None:
        """The text as a number, if it is one."""
        try:
            return float(self.text.replace(",", ""))
        except ValueError:
            return None


def read_filter(text: str, names: Sequence[str]) -> RowFilter | None:
    """The filter that a text is, for columns of these names; None for an empty one."""
    text = text[:MAX_FILTER].strip()
    found = _COMPARISON.fullmatch(text)
    if found is not None:
        wanted = found["name"].casefold()
        column = next((place for place, name in enumerate(names) if name.casefold() == wanted), None)
        if column is not None:
            return RowFilter(column, found["sign"], found["text"].strip("\"'"))  # type: ignore[arg-type]  # by the pattern
    return RowFilter(None, "~", text) if text else None
