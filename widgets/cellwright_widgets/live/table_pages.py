"""Answers the controls of a table: another page, another order, a filter, a copy of the rows.

What was pressed says the whole state (which page, which order), so nothing is remembered of a page here, and two tabs
may look at different rows of one table. What a person pastes into a spreadsheet must not become a formula there: a text
that begins like one gets a quote before it. The rule that must never break: an answer is small, whatever the table is.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from cellwright.messages import JsonObject
from cellwright.views.frame import Order
from cellwright.views.row_filter import MAX_FILTER
from cellwright.views.shelf import Shelf
from cellwright.views.table import TABLE_ROWS
from cellwright_widgets.drawing.brush import TRANSCRIPT
from cellwright_widgets.drawing.press import Answer, Clip, Press
from cellwright_widgets.drawing.table_view import draw_page

COPIED_ROWS = 10_000
COPIED_CHARS = 500_000
"""How much is copied at most."""
SEPARATORS = {"tsv": "\t", "csv": ","}
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a text begins with that a spreadsheet would run; some take the wide signs, too."""


class TablePages:
    """The pages of the tables on a shelf."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    def answer(self, press: Press) -> Answer:
        """The page, or the rows for the clipboard.

        Raises:
            LookupError: if the table is no longer kept.
            ValueError: for an order or a filter that its rows can't be put in.
        """
        facts, do = press.facts, press.facts.get("do")
        source = str(facts.get("source"))
        order = _order(facts, press.value if do == "filter" else facts.get("filter"))
        if do in SEPARATORS:
            return self._clip(source, order, SEPARATORS[do])
        start, first = _whole(facts, "start") if do != "filter" else 0, _whole(facts, "first")
        page = self._shelf.page(source, start, order, first)
        if not page.table.rows and page.matching:  # rows that there are no longer, or never were
            page = self._shelf.page(source, (page.matching - 1) // TABLE_ROWS * TABLE_ROWS, order, first)
        return draw_page(page, TRANSCRIPT)

    def _clip(self, source: str, order: Order, separator: str) -> Clip:
        names, rows, matching = self._shelf.cells(source, order, COPIED_ROWS)
        text = io.StringIO()
        write = csv.writer(text, delimiter=separator, lineterminator="\r\n").writerow  # so it quotes both in a cell
        write(map(_plain, names))
        copied = 0
        for row in rows:
            before = text.tell()
            write(map(_plain, row))
            if text.tell() > COPIED_CHARS:
                text.truncate(before)
                break
            copied += 1
        return Clip(text.getvalue().replace("\r\n", "\n")[:COPIED_CHARS], f"{copied:,} of {matching:,} rows copied")


def _order(facts: JsonObject, wanted: object) -> Order:
    column = facts.get("sort")
    by = column if isinstance(column, int) and not isinstance(column, bool) else None
    return Order(by, facts.get("down") is True, str(wanted)[:MAX_FILTER] if isinstance(wanted, str) else "")


def _whole(facts: JsonObject, name: str) -> int:
    value = facts.get(name)
    return min(value, 2**53) if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _plain(cell: Any) -> Sequence[str] | object:  # noqa: ANN401 (JSON is what it is)
    return "'" + cell if isinstance(cell, str) and cell.startswith(FORMULA) else cell
