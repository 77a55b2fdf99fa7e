"""Console output as its reader last saw it: lines of letters, each with the ink it was written in.

A program steers a terminal by escape sequences. A progress bar goes back to the start of its line, or some lines up,
and writes over what stands there; so what is shown is what stands there in the end. Sequences that need a screen, with
a height, a width and a top (jumps to a place, clearing all, titles, links), have no effect: nothing that was once
printed below the last bar is lost. Libraries were looked for. rich's decoder of colours drops all before the last
carriage return and knows no backspace, no erasing and no way up; pyte emulates a screen, so it breaks lines at its
width and keeps of long output what fits its height, and its authors say that it is not developed on. The rule that must
never break: whatever is printed, there are no more letters than were printed, and a bounded number of blanks.
"""

from __future__ import annotations

import re

from cellwright_widgets.drawing.ink import NO_INK, Ink, inked

PIECE = re.compile(
    r"\x1b[P_^X][^\x1b\x9c]*(?:\x1b\\|\x9c)"  # pictures and other data; the only sequences that may hold line breaks
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?"  # titles, links
    r"|(?:\x1b\[|\x9b)(?P<codes>[0-9;:]*)(?P<act>[mA-GJK])"
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # any other control sequence
    r"|\x1b[ -/]*[0-~]"  # short escapes
    r"|(?P<move>[\n\r\x08])"
    r"|(?P<text>[^\x1b\n\r\x08\x9d\x90\x98\x9e\x9f\x9b]+)"
)
COLUMNS = 500
"""A sequence moves no further to the right; text may."""
Cell = tuple[str, Ink]
BLANK: Cell = (" ", NO_INK)


class Screen:
    """Lines that are written and written over. Mutable."""

    def __init__(self, text: str) -> None:
        self.lines: list[list[Cell]] = [[]]
        self._row, self._at = 0, 0
        self._ink = NO_INK
        self._blanks = max(10_000, len(text))
        """How many blanks it may still put before a text that stands further to the right, or where one was erased."""
        for piece in PIECE.finditer(text):
            self._take(piece)
        if len(self.lines) > 1 and not self.lines[-1]:
            self.lines.pop()  # the text ended its last line

    def _take(self, piece: re.Match[str]) -> None:
        if text := piece["text"]:
            self._write(text)
        elif move := piece["move"]:
            self._at = max(0, self._at - 1) if move == "\x08" else 0
            self._down(move == "\n")
        elif piece["act"] == "m":
            self._ink = inked(self._ink, piece["codes"])
        elif piece["act"]:
            self._act(piece["act"], piece["codes"].partition(";")[0])

    def _write(self, text: str) -> None:
        line = self.lines[self._row]
        gap = self._at - len(line)
        if gap > 0:
            gap = min(gap, self._blanks)
            self._blanks -= gap
            line += [BLANK] * gap
            self._at = len(line)
        line[self._at : self._at + len(text)] = [(letter, self._ink) for letter in text]
        self._at += len(text)

    def _down(self, is_ended: bool) -> None:
        if not is_ended:
            return
        self._row += 1
        if self._row == len(self.lines):
            self.lines.append([])

    def _act(self, act: str, number: str) -> None:
        count = int(number[:4] or 0)
        steps = max(1, count)
        match act:
            case "A" | "F":
                self._row = max(0, self._row - steps)
            case "B" | "E":
                self._row = min(len(self.lines) - 1, self._row + steps)
            case "C":
                self._at = max(self._at, min(COLUMNS, self._at + steps))
            case "D":
                self._at = max(0, self._at - steps)
            case "G":
                self._at = min(COLUMNS, steps - 1)
            case "K":
                self._erase(count)
            case "J" if count == 0:
                self._erase(0)
                del self.lines[self._row + 1 :]
        if act in "EF":
            self._at = 0

    def _erase(self, how: int) -> None:
        """Erases in the line: what follows, what is before, or all of it."""
        line = self.lines[self._row]
        match how:
            case 0:
                del line[self._at :]
            case 1:
                count = min(self._at + 1, len(line), self._blanks)
                self._blanks -= count
                line[:count] = [BLANK] * count
            case 2:
                line.clear()
