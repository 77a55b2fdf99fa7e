"""Rows that are plain JSON, read page by page as those of a data frame are.

They are there as a list already; sorting and filtering make lists of numbers. The rule that must never break: what
can't be compared is still put in an order, by what it is and then by its text.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from cellwright.codec import canonical
from cellwright.views.frame import AS_IT_IS, Kind, Order
from cellwright.views.row_filter import COMPARISONS, RowFilter, read_filter

LOOKED_AT = 1_000
"""Rows that say what a column holds."""


class Records:
    """Rows of JSON values, each a list. It keeps the order that was asked for last."""

    def __init__(self, names: Sequence[str], rows: Sequence[Sequence[Any]], kinds: Sequence[Kind] = ()) -> None:
        self.names = tuple(names)
        self.total = len(rows)
        self.kinds: tuple[Kind, ...] = tuple(kinds) or kinds_of(rows, len(names))
        self._rows = rows
        self._order, self._numbers = AS_IT_IS, list[int]()
        self._lock = threading.Lock()

    def page(self, order: Order, start: int, count: int, columns: slice) -> tuple[list[Sequence[Any]], int]:
        """Some rows of these columns, and how many rows there are in that order.

        Raises:
            ValueError: for a filter that can't be compared with its column.
        """
        if order == AS_IT_IS:
            return [row[columns] for row in self._rows[start : start + count]], self.total
        with self._lock:
            if order != self._order:
                self._numbers, self._order = self._arranged(order), order
            numbers = self._numbers
        return [self._rows[number][columns] for number in numbers[start : start + count]], len(numbers)

    def _arranged(self, order: Order) -> list[int]:
        wanted, rows, by = read_filter(order.filter, self.names), self._rows, order.column
        if by is not None and not 0 <= by < len(self.names):
            raise ValueError(f"there is no column {by}; there are {len(self.names)}")
        numbers = [n for n, row in enumerate(rows) if wanted is None or _is_wanted(row, wanted)]
        if by is None:
            return numbers
        there = [number for number in numbers if rows[number][by] is not None]
        gone = [number for number in numbers if rows[number][by] is None]
        return sorted(there, key=lambda number: _rank(rows[number][by]), reverse=order.descending) + gone


def kinds_of(rows: Sequence[Sequence[Any]], width: int) -> tuple[Kind, ...]:
    """What stands in each column, by the first rows."""
    return tuple(_kind([row[place] for row in rows[:LOOKED_AT] if place < len(row)]) for place in range(width))


def _kind(values: Sequence[object]) -> Kind:
    found = {type(value) for value in values if value is not None and value != "NaN"}
    if found == {bool}:
        return "bool"
    if found == {int}:
        return "integer"
    if found and found <= {int, float}:
        return "number"
    return "text" if found <= {str} else "other"


def _is_wanted(row: Sequence[Any], wanted: RowFilter) -> bool:
    if wanted.column is None:
        return any(_holds(cell, wanted) for cell in row)
    cell = row[wanted.column]
    if wanted.sign == "~":
        return _holds(cell, wanted)
    if cell is None:
        return False
    is_number = isinstance(cell, int | float) and not isinstance(cell, bool) and wanted.number is not None
    left, right = (cell, wanted.number) if is_number else (_text(cell).lower(), wanted.text.lower())
    return bool(COMPARISONS[wanted.sign](left, right))


def _holds(cell: object, wanted: RowFilter) -> bool:
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return cell == wanted.number
    return cell is not None and wanted.text.lower() in _text(cell).lower()


def _text(cell: object) -> str:
    return cell if isinstance(cell, str) else canonical(cell)


def _rank(cell: object) -> tuple[int, float, str]:
    """Numbers first, by value; then everything else by its text."""
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return 0, cell, ""
    return 1, 0.0, _text(cell)
