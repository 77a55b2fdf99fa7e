"""What a program printed, as a model should read it.

Programs print for a terminal: colours, window titles, cursor jumps, a progress bar drawn a thousand times over
itself. To a model these are noise that costs tokens, or worse, letters that hide others. `clean_console` leaves what
a reader would have seen at the end; `condense` shortens what says nothing when repeated. A library was looked for:
those that strip codes miss titles, 8-bit codes and unfinished sequences, those that emulate a screen cut lines at
its width and forget what was wiped.

The rule that must never break: of the control characters only newline and tab survive, and no sequence, finished or
not, takes a letter of the next line with it.
"""

from __future__ import annotations

import re
from itertools import groupby

from cellwright.messages import clean_text

LONG_RUN = 120
"""Letters and digits in a row, as base64 has them, beyond which a run is replaced by its length."""
MANY_LINES = 4
"""Equal lines in a row from which on they are counted instead of shown."""

_LONG_STRING = re.compile(r"\x1b[P_^X][^\x1b\x9c]*(?:\x1b\\|\x9c)")
"""Pictures and other data for the terminal itself; the only sequences that may hold line breaks."""
_PIECE = re.compile(
    r"(?:\x1b\[|\x9b)0?(?P<erase>[012]?)K"
    r"|(?:\x1b\[|\x9b)(?P<columns>[0-9]{0,4})(?P<way>[CDG])"
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"  # colours, cursor moves, modes
    r"|(?:\x1b[\]PX^_]|[\x90\x9d\x9f](?=\d))[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"  # titles, links
    r"|\x1b[ -/]*[0-~]?"
    r"|(?P<move>[\r\x08])"
    r"|[\x00-\x08\x0e-\x1f\x7f-\x9f]"
    r"|(?P<text>[^\x00-\x08\x0e-\x1f\x7f-\x9f\r]+)"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def clean_console(text: str) -> str:
    """The text as last seen on a terminal: no codes, each line in its final state."""
    if not _CONTROL.search(text):
        return clean_text(text)
    text = _LONG_STRING.sub("", clean_text(text))
    lines = re.split(r"\r*\n|[\x0b\x0c\x85]", text)
    blanks = _Blanks(len(text))
    return "\n".join(_last_state(line, blanks) if _CONTROL.search(line) else line for line in lines)


class _Blanks:
    """What may still be filled where a cursor jumped over nothing: a few letters must not become a page of blanks."""

    def __init__(self, length: int) -> None:
        self._room = ROOM + length

    def over(self, gap: int) -> str:
        """The gap; a single blank stands for a wide one, and for each once a text has had its share."""
        if gap > WIDEST_GAP or gap > self._room:
            return " "
        self._room -= gap
        return " " * gap


def _last_state(line: str, blanks: _Blanks) -> str:
    """What stands in a line after its returns, backspaces and erasures.

    A line wiped in full while the cursor stands behind a text keeps the text unless the cursor then goes back to
    the start: what was printed once and not replaced is worth reading.
    """
    shown: list[str] = []
    at, wiped = 0, False
    for piece in _PIECE.finditer(line):
        if text := piece["text"]:
            if at > len(shown):
                shown += blanks.over(at - len(shown))
                at = len(shown)
            shown[at : at + len(text)] = text
            at, wiped = at + len(text), False
        elif piece["move"] == "\r":
            shown, at, wiped = [] if wiped else shown, 0, False
        elif piece["move"]:
            at = max(0, at - 1)
        elif piece["way"]:
            at, wiped = _moved(at, piece["way"], max(1, int(piece["columns"] or 1)), len(shown)), False
        elif piece["erase"] is not None and piece["erase"] != "1":
            del shown[at:]
            wiped = piece["erase"] == "2"
    return "".join(shown)


WIDEST = 1_000
"""Columns of a line that a cursor may go to where nothing is written yet."""
WIDEST_GAP = 80
"""Columns that a cursor jumps over and that are filled with as many blanks."""
ROOM = 4_000
"""Blanks that gaps may add to a text, besides as many as it has characters."""


def _moved(at: int, way: str, columns: int, length: int) -> int:
    """Where the cursor stands after a move within its line: on, back, or to a column, of which the first is 1."""
    wanted = {"C": at + columns, "D": at - columns, "G": columns - 1}[way]
    return max(0, min(wanted, max(length, WIDEST)))


def condense(text: str) -> str:
    """The text with long base64 and many equal lines replaced by their number."""
    return "\n".join(_counted(_shorten(text).split("\n")))


_RUN = re.compile(rf"[A-Za-z0-9+/_-]{{{LONG_RUN + 1},}}={{0,2}}")
_BLOCK = re.compile(r"(?:^[A-Za-z0-9+/]{60,76}\n){4,}[A-Za-z0-9+/]{0,76}={0,2}", re.MULTILINE)
_RULE = re.compile(r"([-_+/])\1+")


def _shorten(text: str) -> str:
    return _RUN.sub(_length, _BLOCK.sub(_length, text))


def _length(found: re.Match[str]) -> str:
    run = found[0]
    if _RULE.fullmatch(run):
        return f"{run[:LONG_RUN]}…"
    return f"[{len(run):,} characters in a row, such as base64: {run[:16]}…{run[-8:]}]"


_EMBEDDED = re.compile(rf"(?<=;base64,)[A-Za-z0-9+/]{{{LONG_RUN + 1},}}={{0,2}}|[A-Za-z0-9+/]{{1000,}}={{0,2}}")


def without_embedded(text: str) -> str:
    """A source with its embedded pictures and other long base64 replaced by their number; all else as it stands."""
    return _EMBEDDED.sub(_length, text)


def _counted(lines: list[str]) -> list[str]:
    counted: list[str] = []
    for line, group in groupby(lines):
        times = len(list(group))
        if times < MANY_LINES:
            counted += [line] * times
        else:
            counted += [line, f"[the line above {times - 1:,} more times]" if line else f"[{times:,} empty lines]"]
    return counted
