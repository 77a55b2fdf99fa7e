"""Draws one line of a diff as a row.

A reader misses what the eye does not see: a blank at the end of a line, a tab for blanks, a carriage return, a change
two thousand characters to the right. So changed words are marked inside their line, changed white space is drawn as
`·`, `→` and `␍`, and long unchanged stretches are folded up to the change. All of a row is one run of text, the signs
that only help the reader left out of what is copied.

The rule that must never break: number, sign and text are text, so the row reads where style is stripped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cellwright.text.text_diff import NO_NEWLINE
from cellwright_widgets.drawing.brush import Brush
from cellwright_widgets.drawing.fold import clipped_line, fold
from cellwright_widgets.drawing.node import Node, element, to_text
from cellwright_widgets.drawing.unified import Line
from cellwright_widgets.drawing.word_diff import word_diff

KEEP = 60
"""Characters kept of a long unchanged stretch, on the side of the change."""
LONG = 400
"""Lines longer than this have their unchanged stretches folded."""
TWIN = 1_000
"""Characters of an unchanged line that stand in the left column too."""
SHOWN = str.maketrans({" ": "·", "\t": "→", "\r": "␍", "\u00a0": "⟨U+00A0⟩", "\u3000": "⟨U+3000⟩"})
BLANKS = re.compile(r" +|\t|\r|[^\S \t\r]+")


def diff_row(line: Line, width: int, brush: Brush) -> Node:
    """The row of a line; `width` are the digits of the largest number."""
    match line.sign:
        case "@":
            return element("span", "cw-row cw-hunk", brush.mark(line.text) + "\n")
        case "\\":
            side = {"-": " cw-del", "+": " cw-ins"}.get(line.after, "")
            return element("span", f"cw-row cw-eof{side}", " " * (2 * width + 2), NO_NEWLINE, "\n")
        case "+" | "-":
            number = f"{line.old or '':>{width}} {line.new or '':>{width}} "
            content = element("span", "cw-line", *_changed(line, brush))
            cls = "cw-row cw-ins" if line.sign == "+" else "cw-row cw-del"
            return element("span", cls, element("span", "cw-no", number), _sign(line), " ", content, "\n")
    return _same(line, width, brush)


def plain_row(line: Line, width: int, brush: Brush) -> str:
    """The same row as one text, without marks inside of the line; for the far parts of a very long change."""
    if line.sign in ("@", "\\"):
        return to_text(diff_row(line, width, brush))
    inner = line.text.rstrip()
    ends = line.text[len(inner) :].translate(SHOWN) if line.sign != " " else ""
    return f"{line.old or '':>{width}} {line.new or '':>{width}} {line.sign} {brush.mark(inner)}{ends}\n"


def _same(line: Line, width: int, brush: Brush) -> Node:
    """An unchanged line. In two columns a style sheet writes it on the left again, from an attribute."""
    text = line.text.removesuffix("\r")
    content = element("span", "cw-line", clipped_line(text, brush))
    new = element("span", "cw-no", f"{line.new or '':>{width}} ")
    half = element("span", "cw-half", new, _sign(line), " ", content, "\n")
    twin = brush.mark(text[:TWIN]) + ("…" if len(text) > TWIN else "")
    old = element("span", "cw-no", f"{line.old or '':>{width}} ")
    return element("span", "cw-row cw-same", old, half, attrs={"data-twin": twin})


def _sign(line: Line) -> Node:
    return element("span", "cw-sign", line.sign)


def _changed(line: Line, brush: Brush) -> Iterator[Node]:
    """A removed or added line: against its partner word by word, or whole."""
    tag = "ins" if line.sign == "+" else "del"
    if line.partner is None:
        stripped = line.text.rstrip()
        yield clipped_line(stripped, brush)
        yield from blanks(line.text[len(stripped) :])
        return
    old, new = (line.partner, line) if line.sign == "+" else (line, line.partner)
    left, right = word_diff(old.text.removesuffix("\r"), new.text.removesuffix("\r"))
    parts = right if line.sign == "+" else left
    if line.text.endswith("\r") and not line.partner.text.endswith("\r"):  # it would hide that all before it is alike
        parts.append((True, "\r"))
    folds = len(line.text) > min(LONG, brush.line)
    column = 1
    for index, (changed, text) in enumerate(parts):
        if changed:
            yield element(tag, "cw-word", *visible(text, brush, index == len(parts) - 1))
        elif folds and len(text) > 3 * KEEP:
            yield from _stretch(text, index == 0, index == len(parts) - 1, column, brush)
        else:
            yield brush.mark(text)
        column += len(text)


def visible(text: str, brush: Brush, ends_line: bool) -> list[Node]:
    """A changed part; white space in it is drawn if there is nothing else, or where the line ends."""
    inner = text.rstrip() if ends_line else text
    if not inner.strip():
        return blanks(text)
    return [clipped_line(inner, brush), *blanks(text[len(inner) :])]


def blanks(text: str) -> list[Node]:
    """White space with a sign for each blank, which is not copied; beside it stands what is."""
    nodes: list[Node] = []
    for run in BLANKS.findall(text):
        nodes.append(element("span", "cw-ws", run.translate(SHOWN)))
        if run[0] == "\t":
            nodes.append(run)
        elif run[0] == " ":
            nodes.append(element("span", "cw-real", run))
    return nodes


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
