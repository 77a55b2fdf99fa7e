"""Draws a change, in one column or in two.

The rows stand in the order of a unified diff. A switch above them lays them out side by side: it is a fold, and a style
sheet looks whether it is open, so it works wherever a style sheet does, in the live view, in a question and in a saved
record. Removed and added lines that belong together share a grid, in which a line stands beside the one it replaces.
Long unchanged runs are folded, also those outside of the hunks, and of a very long change all but the start and the
end, in pieces of which a browser lays out only what is on the screen.

A library was weighed: those for the browser (CodeMirror's merge view, Monaco, diff2html) need script in the page or
parse HTML, so none can draw a question's card or a record; nodes are drawn everywhere, and only ever as text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from msgspec.structs import replace

from cellwright.text.quantity import quantity
from cellwright.views.file_diff import Diff, Unchanged
from cellwright_widgets.drawing.brush import Brush
from cellwright_widgets.drawing.diff_row import diff_row, plain_row
from cellwright_widgets.drawing.fold import SLACK, TAIL, bounded, fold, missing
from cellwright_widgets.drawing.node import Node, element, spaced
from cellwright_widgets.drawing.unified import Line, Step, aligned, read_unified

CONTEXT = 3
"""Unchanged lines kept beside a change when a longer run of them is folded."""
RICH = 400
"""Lines whose changed words are marked; of a longer change the rest is drawn plain, few elements for many lines."""
MOST = 1_000_000
"""Characters of a change that are drawn, whatever the brush draws of other texts."""
PIECE = 100
"""Lines of one block at least, if there are as many: as much as is laid out at a time."""
WIDEST = 7
"""Digits of a line number that the two columns make room for."""


class Block(NamedTuple):
    """A piece of a diff: rows, or a fold between them."""

    node: Node
    lines: int
    is_fold: bool = False


def draw_diff(view: Diff, brush: Brush) -> Node:
    """The change, with its path, its counts and its notes."""
    head = diff_head(
        element("code", "cw-path", brush.mark(view.path)),
        *([element("span", "cw-new", "new file")] if view.is_new else []),
        element("span", "cw-added", f"+{view.added:,}"),
        element("span", "cw-removed", f"−{view.removed:,}"),
    )
    notes = [element("p", "cw-note", "note: " + brush.mark(note)) for note in view.notes]
    if not view.unified:
        said = "empty file" if view.is_new else "no line differs" if notes else "no change"
        return element("div", "cw-diff", head, *notes, missing(said))
    body = element("div", "cw-diff-body", *diff_blocks(view.unified, brush, view.unchanged))
    return element("div", "cw-diff", two_columns(), head, *notes, body)


def diff_head(*parts: Node) -> Node:
    """The line above a change."""
    return element("div", "cw-diff-head", *spaced(*parts))


def two_columns() -> Node:
    """The switch. What it changes must stand after it, beside it."""
    one, two = element("span", "cw-when-open", "one column"), element("span", "cw-when-closed", "side by side")
    gone = element("small", "", "This page shows no styles, so there is one column.")
    return element(
        "details", "cw-columns", element("summary", "", two, " / ", one), gone, attrs={"data-fold": "columns"}
    )


def diff_blocks(unified: str, brush: Brush, unchanged: Sequence[Unchanged] = ()) -> Iterator[Node]:
    """The lines of a unified diff, without the head that names the files, and the unchanged ones around its hunks."""
    drawn, rest = bounded(unified, replace(brush, characters=max(MOST, brush.characters)))
    lines = read_unified(drawn)
    width = len(str(max((max(line.old or 0, line.new or 0) for line in lines), default=0)))
    blocks = list(_blocks(lines, width, brush, unchanged, not rest))
    rows = element("div", f"cw-rows-of cw-w{min(width, WIDEST)}", *_gathered(_folded(blocks, brush)))
    yield from (rows, *rest)


def _folded(blocks: list[Block], brush: Brush) -> list[Block]:
    """The blocks, all but the start and the end in a fold if they are many lines."""
    total = sum(block.lines for block in blocks)
    if total <= brush.lines + SLACK:
        return blocks
    first, shown = 0, 0
    while shown + blocks[first].lines <= brush.lines - TAIL:
        shown += blocks[first].lines
        first += 1
    last, shown = len(blocks), 0
    while last > first and shown < TAIL:
        last -= 1
        shown += blocks[last].lines
    hidden = blocks[first:last]
    if not hidden:
        return blocks
    summary = f"{sum(block.lines for block in hidden):,} more lines of this diff"
    return [*blocks[:first], Block(fold(summary, *_gathered(hidden), name="diff"), 0, True), *blocks[last:]]


def _blocks(
    lines: list[Line], width: int, brush: Brush, unchanged: Sequence[Unchanged], is_whole: bool
) -> Iterator[Block]:
    """The runs of lines as blocks; a change that is too long to be shown at once is made of several."""
    end = done = 0
    size = max(2, brush.lines // 8) if len(lines) > brush.lines + SLACK else len(lines)
    for kind, run in _runs(lines, range(max(RICH, brush.lines), len(lines) - TAIL)):
        plain = range(max(RICH, brush.lines) - done, len(lines) - done - TAIL)
        done += len(run)
        if kind == "-":
            yield from _changes(aligned(run), size, plain, width, brush)
        elif kind == "plain":
            yield Block(element("span", "cw-stretch", "".join(plain_row(line, width, brush) for line in run)), len(run))
        elif kind == "@":
            yield from _hunk_heads(run, end, width, brush, unchanged)
        else:
            yield from _context([diff_row(line, width, brush) for line in run])
        end = max([end, *(line.new - (line.sign == "@") for line in run if line.new)])
    below = [part for part in unchanged if part[1] > end]
    if below and lines and is_whole:
        summary = f"{quantity(_count(below), 'unchanged line')} below"
        yield Block(fold(summary, *_around(below, width, brush)), 0, True)


def _hunk_heads(run: list[Line], end: int, width: int, brush: Brush, unchanged: Sequence[Unchanged]) -> Iterator[Block]:
    """The head of a hunk, and in a fold under it the unchanged lines before it."""
    for line in run:
        above = [part for part in unchanged if end < part[1] < (line.new or 0)]
        if above:
            left = (line.new or 0) - 1 - end - _count(above)
            kept = f", {_count(above):,} of them kept here" if left > 0 else ""
            lines = quantity(_count(above) + max(0, left), "unchanged line")
            summary = f"{brush.mark(line.text)} · {lines} above{kept}"
            yield Block(fold(summary, *_around(above, width, brush)), 1, True)
        else:
            yield Block(diff_row(line, width, brush), 1)


def _count(parts: Sequence[Unchanged]) -> int:
    return sum(len(_texts(text)) for _, _, text in parts)


def _texts(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n")


def _around(parts: Sequence[Unchanged], width: int, brush: Brush) -> Iterator[Node]:
    """Unchanged lines outside of the hunks, few elements for however many there are."""
    end = 0
    for old, new, text in parts:
        if end and new > end:
            yield missing(f"{quantity(new - end, 'line')} in between not kept here")
        lines = _texts(text)
        end = new + len(lines)
        numbers = "\n".join(f"{old + i:>{width}} {new + i:>{width}}" for i in range(len(lines)))
        shown = "\n".join(brush.mark(line.removesuffix("\r")) for line in lines)
        yield element("div", "cw-around", element("pre", "cw-no", numbers), element("pre", "", shown))


def _context(rows: list[Node]) -> Iterator[Block]:
    if len(rows) <= 2 * CONTEXT + SLACK:
        yield from (Block(row, 1) for row in rows)
        return
    yield from (Block(row, 1) for row in rows[:CONTEXT])
    middle = rows[CONTEXT:-CONTEXT]
    yield Block(fold(f"{len(middle):,} unchanged lines", element("pre", "cw-rows", *middle)), len(middle), True)
    yield from (Block(row, 1) for row in rows[-CONTEXT:])


def _changes(steps: Sequence[Step], size: int, plain: range, width: int, brush: Brush) -> Iterator[Block]:
    """A change in blocks of so many steps; those of its lines that are counted in `plain` are drawn so."""
    start = lines = 0
    while start < len(steps):
        is_plain = lines in plain
        count = max(1, min(PIECE // 2, (plain.stop - lines) // 2)) if is_plain else size
        part = steps[start : start + count]
        block = (_plain_change if is_plain else _change)(part, width, brush)
        start, lines = start + len(part), lines + block.lines
        yield block


def _plain_change(steps: Sequence[Step], width: int, brush: Brush) -> Block:
    sides = [[line for step in steps for line in step[side]] for side in (0, 1)]
    texts = ["".join(plain_row(line, width, brush) for line in side) for side in sides]
    drawn = [element("span", f"cw-stretch {cls}", text) for cls, text in zip(("cw-del", "cw-ins"), texts, strict=True)]
    shown = [node for node, text in zip(drawn, texts, strict=True) if text]
    return Block(element("span", "cw-change", *shown), sum(map(len, sides)))


def _change(steps: Sequence[Step], width: int, brush: Brush) -> Block:
    """Removed lines and the added ones in their place; where one side has none, a gap keeps the other in step."""
    olds, news = ([step[side] for step in steps] for side in (0, 1))
    rows: list[Node] = []
    for cls, entries in (("cw-del", olds), ("cw-ins", news)):
        while entries and not entries[-1]:
            entries.pop()
        for entry in entries:
            drawn = [diff_row(line, width, brush) for line in entry]
            rows += drawn or [element("span", f"cw-gap {cls}")]
    return Block(element("span", "cw-change", *rows), sum(len(old) + len(new) for old, new in steps))


def _gathered(blocks: Sequence[Block]) -> Iterator[Node]:
    """Rows side by side go into one piece; folds stand between pieces."""
    rows: list[Node] = []
    lines = 0
    for block in blocks:
        if block.is_fold or lines >= PIECE:
            yield from [element("pre", "cw-rows cw-piece" if lines >= PIECE else "cw-rows", *rows)] if rows else []
            rows, lines = [], 0
        if block.is_fold:
            yield block.node
        else:
            rows.append(block.node)
            lines += block.lines
    yield from [element("pre", "cw-rows", *rows)] if rows else []


def _runs(lines: list[Line], plain: range) -> Iterator[tuple[str, list[Line]]]:
    """Lines of a kind: heads, changed ones, unchanged ones, each with what is said of their ends; of those that are
    drawn plain the changed ones and all others."""
    numbered = enumerate(lines)
    for kind, run in groupby(numbered, lambda one: _kind(one[1], one[0] in plain)):
        yield kind, [line for _, line in run]


def _kind(line: Line, is_plain: bool) -> str:
    sign = line.after if line.sign == "\\" else line.sign
    if sign in ("+", "-"):
        return "-"
    return "plain" if is_plain else "@" if sign == "@" else " "
