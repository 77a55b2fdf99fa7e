"""Draws a change so that nothing in it can be overlooked.

A reader of a diff misses what the eye does not see: a blank at the end of a line, a tab for blanks, line ends, a
change two thousand characters to the right. So changed words are marked inside their line, changed white space is
drawn as `·`, `→` and `␍`, long unchanged stretches of a line are folded up to the change, and the notes of the diff
stand on top. Signs and numbers are text, so the diff still reads where style is stripped.
"""

from __future__ import annotations

from collections.abc import Iterator

from cellwright.file_diff import Diff
from cellwright.text_diff import NO_NEWLINE
from cellwright_widgets.brush import Brush
from cellwright_widgets.fold import SLACK, TAIL, bounded, clipped_line, fold, missing
from cellwright_widgets.node import Node, element, spaced
from cellwright_widgets.unified import Line, read_unified
from cellwright_widgets.word_diff import word_diff

CONTEXT = 3
"""Unchanged lines kept beside a change when a longer run of them is folded."""
KEEP = 60
"""Characters kept of a long unchanged stretch, on the side of the change."""
LONG = 400
"""Lines longer than this have their unchanged stretches folded."""
VISIBLE = str.maketrans({" ": "·", "\t": "→\t", "\r": "␍", "\u00a0": "⟨U+00A0⟩", "\u3000": "⟨U+3000⟩"})


def draw_diff(view: Diff, brush: Brush) -> Node:
    """The change, with its path, its counts and its notes."""
    head = element(
        "div",
        "cw-diff-head",
        *spaced(
            element("code", "cw-path", brush.mark(view.path)),
            element("span", "cw-added", f"+{view.added:,}"),
            element("span", "cw-removed", f"−{view.removed:,}"),
        ),
    )
    notes = [element("p", "cw-note", "note: " + brush.mark(note)) for note in view.notes]
    if not view.unified:
        return element("div", "cw-diff", head, *notes, missing("no line differs" if notes else "no change"))
    return element("div", "cw-diff", head, *notes, *diff_blocks(view.unified, brush))


def diff_blocks(unified: str, brush: Brush) -> Iterator[Node]:
    """The lines of a unified diff, without the head that names the files."""
    drawn, rest = bounded(unified, brush)
    lines = read_unified(drawn)
    width = len(str(max((max(line.old or 0, line.new or 0) for line in lines), default=0)))
    yield from _blocks(lines, width, brush)
    yield from rest


def _blocks(lines: list[Line], width: int, brush: Brush) -> Iterator[Node]:
    """The lines in blocks, with long unchanged runs, and the middle of a very long diff, folded."""
    shown: list[Node] = []
    for run in _runs(lines):
        rows = [_row(line, width, brush) for line in run]
        if run[0].sign == " " and len(rows) > 2 * CONTEXT + SLACK:
            shown += rows[:CONTEXT]
            middle = rows[CONTEXT:-CONTEXT]
            shown.append(fold(f"{len(middle):,} unchanged lines", element("pre", "cw-rows", *middle)))
            shown += rows[-CONTEXT:]
        else:
            shown += rows
    if len(shown) > brush.lines + SLACK:
        hidden = shown[brush.lines - TAIL : -TAIL]
        summary = f"{sum(map(_line_count, hidden)):,} more lines of this diff"
        shown[brush.lines - TAIL : -TAIL] = [fold(summary, *_gathered(hidden), name="diff")]
    yield from _gathered(shown)


def _line_count(node: Node) -> int:
    """Lines in a row (one) or in a fold of rows."""
    if isinstance(node, str) or node[0] != "details":
        return 1
    return len(node[2][1][2])


def _gathered(nodes: list[Node]) -> Iterator[Node]:
    """Rows side by side go into one block; folds stand between blocks."""
    rows: list[Node] = []
    for node in nodes:
        if not isinstance(node, str) and node[0] == "details":
            if rows:
                yield element("pre", "cw-rows", *rows)
            yield node
            rows = []
        else:
            rows.append(node)
    if rows:
        yield element("pre", "cw-rows", *rows)


def _runs(lines: list[Line]) -> Iterator[list[Line]]:
    run: list[Line] = []
    for line in lines:
        if run and (run[0].sign == " ") != (line.sign == " "):
            yield run
            run = []
        run.append(line)
    if run:
        yield run


def _row(line: Line, width: int, brush: Brush) -> Node:
    match line.sign:
        case "@":
            return element("span", "cw-row cw-hunk", brush.mark(line.text) + "\n")
        case "\\":
            return element("span", "cw-row cw-eof", " " * (2 * width + 3), NO_NEWLINE, "\n")
        case "+" | "-":
            cls = "cw-ins" if line.sign == "+" else "cw-del"
            content = element("span", "cw-line", *_changed(line, brush))
        case _:
            cls = "cw-same"
            content = element("span", "cw-line", clipped_line(line.text.removesuffix("\r"), brush))
    numbers = f"{line.old or '':>{width}} {line.new or '':>{width}} "
    sign = element("span", "cw-sign", line.sign)
    return element("span", f"cw-row {cls}", element("span", "cw-no", numbers), sign, " ", content, "\n")


def _changed(line: Line, brush: Brush) -> Iterator[Node]:
    """A removed or added line: against its partner word by word, or whole."""
    tag = "ins" if line.sign == "+" else "del"
    if line.partner is None:
        stripped = line.text.rstrip()
        yield clipped_line(stripped, brush)
        yield line.text[len(stripped) :].translate(VISIBLE)
        return
    old, new = (line.partner, line) if line.sign == "+" else (line, line.partner)
    left, right = word_diff(old.text, new.text)
    parts = right if line.sign == "+" else left
    folds = len(line.text) > min(LONG, brush.line)
    column = 1
    for index, (changed, text) in enumerate(parts):
        if changed:
            yield element(tag, "cw-word", *visible(text, brush, index == len(parts) - 1))
        elif folds and len(text) > 3 * KEEP:
            yield from _stretch(text, index == 0, index == len(parts) - 1, column, brush)
        else:
            yield brush.mark(text.removesuffix("\r"))
        column += len(text)


def visible(text: str, brush: Brush, ends_line: bool) -> list[Node]:
    """A changed part; white space in it is drawn if there is nothing else, or where the line ends."""
    inner = text.rstrip() if ends_line else text
    if not inner.strip():
        return [text.translate(VISIBLE)]
    return [clipped_line(inner, brush), text[len(inner) :].translate(VISIBLE)]


def _stretch(text: str, first: bool, last: bool, column: int, brush: Brush) -> Iterator[Node]:
    """A long unchanged stretch: what is near a change is shown, the middle is folded and its place named."""
    head, tail = (0 if first else KEEP), (0 if last else KEEP)
    middle = text[head : len(text) - tail]
    if head:
        yield brush.mark(text[:head])
    where = f"; the change is at column {column + len(text):,}" if not last else ""
    yield fold(f"⟨{len(middle):,} unchanged characters{where}⟩", brush.mark(middle))
    if tail:
        yield brush.mark(text[-tail:])
