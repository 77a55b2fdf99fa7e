"""The words of an HTML output, and its table if it is one.

Notebook outputs that exist only as HTML (reports, styled tables) have to reach a model as text and a person as a
plain table: their markup is untrusted and is never drawn. The standard library's parser reads it; scripts, styles
and titles are dropped. On tags that don't end that parser takes time with the square of their number and worse, so
they are made text beforehand. The rule that must never break: no markup comes out, whatever goes in.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

from msgspec.structs import replace

from cellwright.views.table import Table, table_view

DROPPED = frozenset({"script", "style", "title", "template", "noscript", "svg", "iframe", "object"})
BLOCKS = re.compile(
    "address|article|blockquote|br|dd|details|div|dl|dt|fieldset|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|"
    "pre|section|summary|table|tbody|tfoot|thead|tr|ul"
)
CELLS = frozenset({"td", "th"})
ENDING = CELLS | {"tr", "table"}
"""What ends a cell; its own end may be left out."""
MAX_CELLS = 200_000
"""Cells of a table that is drawn as one."""
PRINTED = "the code printed these rows; the others are in its kernel alone"
REPEATED = 200_000
"""Characters, one more for each cell, that are there only because a cell spans rows or columns; the rest does not."""


def html_text(html: str) -> str:
    """The text that a reader of the page would see, cells of a row divided by ` | `."""
    reader = _read(html)
    lines = (re.sub(r"^ (?! )", "", line.rstrip()) for line in "".join(reader.text).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")


def html_table(html: str) -> Table | None:
    """The table, if the HTML is one table as pandas writes it; None for anything else."""
    reader = _read(html)
    if reader.tables != 1 or not reader.rows:
        return None
    heads, body = reader.parted_rows()
    width = max(len(row) for row, _ in reader.rows)
    if width * len(reader.rows) > MAX_CELLS:  # a short page can have one long row and many short ones
        return None
    columns = [" / ".join(filter(None, (row[i] for row in heads if i < len(row)))) for i in range(width)]
    rows = [[*row, *[""] * (width - len(row))] for row in body]
    view = table_view(columns, rows, _total(html, len(rows)))
    return replace(view, note=PRINTED) if view.total > len(rows) else view


def _total(html: str, shown: int) -> int:
    """The number of rows; pandas writes it under a table that it cut, polars over each one."""
    said = re.search(
        r"<p>([\d,]{1,20}) rows × [\d,]+ columns</p>|<small>shape: \(([\d_]{1,20}), [\d_]+\)</small>", html
    )
    number = re.sub(r"\D", "", said[1] or said[2]) if said else ""
    return max(shown, int(number or 0))


TAG = re.compile(r"""<(?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+>|<""")
"""A tag, up to the next `<` at most; or one that does not end so."""


def _read(html: str) -> _Reader:
    reader = _Reader()
    reader.feed(TAG.sub(lambda found: found[0] if len(found[0]) > 1 else "&lt;", _without_comments(html)))
    reader.close()
    return reader


def _without_comments(html: str) -> str:
    """One that has no end goes on to the end of the page, as in a browser."""
    kept, start = [], 0
    while (begin := html.find("<!--", start)) >= 0:
        kept.append(html[start:begin])
        end = html.find("-->", begin + 2)
        if end < 0:
            return "".join(kept)
        start = end + 3
    return "".join([*kept, html[start:]])


class _Reader(HTMLParser):
    """Collects text, and the cells of tables in rows."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text: list[str] = []
        self.rows: list[tuple[list[str], bool]] = []
        self.tables = 0
        self._rows_of_data: set[int] = set()
        """Places of the rows that have a cell which is no heading."""
        self._open = {"thead": 0, "pre": 0, "dropped": 0}
        self._cell: list[str] | None = None
        self._spans = (1, 1)
        self._from_above: dict[int, tuple[int, str]] = {}
        """Column -> rows it still reaches down, and its words."""
        self._room = REPEATED

    def parted_rows(self) -> tuple[list[list[str]], list[list[str]]]:
        """The headings and the other rows. Where no `<thead>` says it, rows of `<th>` alone on top are the headings."""
        count = sum(is_head for _, is_head in self.rows)
        if not count and self._rows_of_data:
            count = min(self._rows_of_data)
            return [row for row, _ in self.rows[:count]], [row for row, _ in self.rows[count:]]
        return [row for row, is_head in self.rows if is_head], [row for row, is_head in self.rows if not is_head]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes where a line, a row or a cell begins."""
        self.tables += tag == "table"
        self._nest(tag, 1)
        if tag == "tbody":  # ends a head whose own end was left out
            self._open["thead"] = 0
        if BLOCKS.fullmatch(tag):
            self.text.append("\n")
        if tag in ENDING:
            self._end_cell()
        if tag == "tr":
            self.rows.append(([], self._open["thead"] > 0))
        elif tag in CELLS and self.rows:
            given = dict(attrs)
            if tag == "td":
                self._rows_of_data.add(len(self.rows) - 1)
            self._fill()
            self.text.append(" | " if self.rows[-1][0] else "")
            self._cell, self._spans = [], (_span(given.get("colspan")), _span(given.get("rowspan")))

    def handle_endtag(self, tag: str) -> None:
        """Notes where they end."""
        self._nest(tag, -1)
        if BLOCKS.fullmatch(tag) and tag not in ("tr", "thead", "tbody"):
            self.text.append("\n")
        if tag in ENDING:
            self._end_cell()

    def handle_data(self, data: str) -> None:
        """Keeps what can be seen, blanks as a browser shows them."""
        if self._open["dropped"]:
            return
        plain = data if self._open["pre"] else re.sub(r"\s+", " ", data)
        if self._cell is not None:
            self._cell.append(plain)
        self.text.append(plain.replace("\n", " ") if self._cell is not None else plain)

    def _nest(self, tag: str, step: int) -> None:
        kind = "dropped" if tag in DROPPED else tag
        if kind in self._open:
            self._open[kind] = max(0, self._open[kind] + step)

    def _end_cell(self) -> None:
        if self._cell is None:
            return
        words, row = " ".join("".join(self._cell).split()), self.rows[-1][0]
        across, down = self._spans if self._repeats(words, self._spans[0] - 1) else (1, 1)
        for _ in range(across):
            if down > 1:
                self._from_above[len(row)] = (down - 1, words)
            row.append(words)
        self._cell = None

    def _fill(self) -> None:
        """Puts the cells that reach down from rows above where they belong."""
        row = self.rows[-1][0]
        while len(row) in self._from_above and self._repeats(self._from_above[len(row)][1], 1):
            left, words = self._from_above.pop(len(row))
            if left > 1:
                self._from_above[len(row)] = (left - 1, words)
            self.text.append(f" | {words}" if row else words)
            row.append(words)

    def _repeats(self, words: str, times: int) -> bool:
        """Whether there is room for words to be repeated; it is taken."""
        self._room -= (len(words) + 1) * times
        return self._room >= 0


def _span(given: str | None) -> int:
    return min(int(given), 100) if given and given.isdecimal() and int(given) > 0 else 1
