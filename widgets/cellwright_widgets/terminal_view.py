"""Draws console output: colours stay, everything else that a terminal would obey is dropped.

Programs steer a terminal by escape sequences: colours, and also cursor jumps, titles, links and clearing of the
screen. Here colours become classes, a carriage return or backspace writes over what stands there (so a progress bar
shows its last state), and no other sequence has an effect. Nothing a program prints can touch the page. A library
was looked for: those that read colours give HTML text, and those that emulate a screen cut lines at its width.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from cellwright.views import Terminal
from cellwright_widgets.brush import Brush
from cellwright_widgets.fold import folded_rows, missing
from cellwright_widgets.node import Node, element

PIECE = re.compile(
    r"\x1b\[(?P<codes>[0-9;:]*)m"  # colours
    r"|\x1b\[0?(?P<erase>[012]?)K"  # erase in the line
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"  # titles, links, other strings
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # any other control sequence
    r"|\x1b[ -/]*[0-~]"  # short escapes
    r"|(?P<move>[\r\x08])"
    r"|(?P<text>[^\x1b\r\x08\x9d\x90\x98\x9e\x9f\x9b]+)"
)
NAMES = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
FLAGS = {1: "bold", 2: "dim", 3: "italic", 4: "underline", 7: "inverse", 9: "strike"}
OFF = {22: ("bold", "dim"), 23: ("italic",), 24: ("underline",), 27: ("inverse",), 29: ("strike",)}
Ink = frozenset[str]
Cell = tuple[str, Ink]


def draw_terminal(view: Terminal, brush: Brush) -> Node:
    """The output as its reader last saw it."""
    rows = terminal_rows(view.text, brush) if view.text.strip() else [missing("no output")]
    return element("div", "cw-terminal", *rows)


def terminal_rows(text: str, brush: Brush) -> list[Node]:
    """Console text as blocks of rows. Of a text that is too long the end is drawn, where the outcome stands."""
    left = len(text) - brush.characters
    note = [missing(f"the first {left:,} characters are not drawn; the log holds them")] if left > 0 else []
    rows: list[Node] = []
    ink: Ink = frozenset()
    for line in text[max(0, left) :].replace("\r\n", "\n").removesuffix("\n").split("\n"):
        cells, ink = _line(line, ink)
        rows.append(element("span", "", *_spans(cells, brush), "\n"))
    return [*note, *folded_rows(rows, brush, "cw-pre cw-console")]


def _line(line: str, ink: Ink) -> tuple[list[Cell], Ink]:
    """What stands in one line after all was written, and the ink the next line starts with."""
    cells: list[Cell] = []
    at = 0
    for piece in PIECE.finditer(line):
        if piece["codes"] is not None:
            ink = _inked(ink, piece["codes"])
        elif piece["text"]:
            new = [(char, ink) for char in piece["text"]]
            cells[at : at + len(new)] = new
            at += len(new)
        elif piece["move"]:
            at = 0 if piece["move"] == "\r" else max(0, at - 1)
        elif piece["erase"] is not None:
            cells = _erased(cells, at, piece["erase"])
    return cells, ink


def _erased(cells: list[Cell], at: int, how: str) -> list[Cell]:
    match how:
        case "1":
            return [(" ", frozenset()) for _ in cells[:at]] + cells[at:]
        case "2":
            return [(" ", frozenset())] * at
    return cells[:at]


def _spans(cells: list[Cell], brush: Brush) -> Iterator[Node]:
    for ink, run in groupby(cells, key=lambda cell: cell[1]):
        text = brush.mark("".join(char for char, _ in run))
        yield element("span", " ".join(f"cw-{name}" for name in sorted(ink)), text) if ink else text


def _inked(ink: Ink, codes: str) -> Ink:
    numbers = [int(code[:4]) if code else 0 for code in codes.replace(":", ";").split(";")]
    while numbers:
        code = numbers.pop(0)
        if code in (38, 48):
            ink = _set(ink, code, _palette(numbers))
        elif code == 0:
            ink = frozenset()
        elif code in FLAGS:
            ink |= {FLAGS[code]}
        elif code in OFF:
            ink -= set(OFF[code])
        else:
            ink = _basic(ink, code)
    return ink


def _basic(ink: Ink, code: int) -> Ink:
    for first, bright in ((30, 0), (90, 8), (40, 0), (100, 8)):
        if first <= code <= first + 7:
            return _set(ink, code, code - first + bright)
    return _set(ink, code, None) if code in (39, 49) else ink


def _set(ink: Ink, code: int, colour: int | None) -> Ink:
    """The ink with its text colour (codes below 40, and 90 to 97) or its background changed."""
    layer = "fg" if code < 40 or 90 <= code <= 97 else "bg"
    kept = frozenset(name for name in ink if not name.startswith(layer + "-"))
    if colour is None:
        return kept
    return kept | {f"{layer}-{'bright-' if colour > 7 else ''}{NAMES[colour % 8]}"}


def _palette(numbers: list[int]) -> int | None:
    """The nearest of 16 colours to the extended one whose numbers come next; takes them."""
    kind = numbers.pop(0) if numbers else 0
    if kind == 2:
        red, green, blue = [*numbers[:3], 0, 0, 0][:3]
        del numbers[:3]
        return _nearest(red, green, blue)
    index = numbers.pop(0) if kind == 5 and numbers else 0
    if index < 16:
        return index
    if index > 231:
        grey = (index - 232) * 10 + 8
        return _nearest(grey, grey, grey)
    index -= 16
    return _nearest(index // 36 * 51, index // 6 % 6 * 51, index % 6 * 51)


def _nearest(red: int, green: int, blue: int) -> int:
    top = max(red, green, blue)
    bits = sum(bit for bit, part in ((1, red), (2, green), (4, blue)) if part > max(top * 2 // 3, 40))
    if bits in (0, 7):
        return (0, 8, 7, 15)[min(3, top // 70)]
    return bits + (8 if top > 200 else 0)
