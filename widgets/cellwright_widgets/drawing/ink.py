"""What the colour codes of a terminal mean: the ink in which the letters after them are written.

A terminal has sixteen colours, 256, or all there are, made for a ground that nobody here knows. So what counts of a
colour is its hue, one of twelve, and whether it is a vivid one; the style sheet has each of these dark on a light page
and light on a dark one, so that all of them can be read. Letters on a coloured ground stand in the colour of the page.
The rule that must never break: an ink is a few known classes, and none of them hides a letter.
"""

from __future__ import annotations

import colorsys
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

MARKS = {1: "bold", 2: "dim", 3: "italic", 4: "underline", 7: "inverse", 9: "strike", 21: "underline"}
OFF = {22: {"bold", "dim"}, 23: {"italic"}, 24: {"underline"}, 27: {"inverse"}, 29: {"strike"}}
VIVID = 200
"""How strong the strongest part of a vivid colour is, of 255."""
PALE = 48
"""A colour whose parts differ by no more is a grey."""
PLAIN = (70, 160)
"""A grey between these is drawn as one; what is darker or lighter is the colour of the text."""


class Colour(Struct, frozen=True):
    """A colour as far as it matters."""

    hue: int | None = None
    """Which of twelve, from red over yellow (2), green (4), cyan (6), blue (8) to magenta (10); None for a grey."""
    is_vivid: bool = False
    is_plain: bool = False
    """Whether it is so near to black or white that it is the colour of the text."""


BASIC = (
    Colour(is_plain=True),
    *(Colour(hue) for hue in (0, 4, 2, 8, 10, 6)),
    Colour(is_plain=True),
    Colour(),
    *(Colour(hue, is_vivid=True) for hue in (0, 4, 2, 8, 10, 6)),
    Colour(is_plain=True),
)
"""The sixteen colours, in their order."""


class Ink(Struct, frozen=True):
    """How letters are written."""

    marks: frozenset[str] = frozenset()
    text: Colour | None = None
    ground: Colour | None = None

    @property
    def classes(self) -> str:
        """The classes that draw it; none for plain letters."""
        return " ".join(f"cw-{name}" for name in (*self._coloured(), *sorted(self.marks - {"inverse"})))

    def _coloured(self) -> Iterator[str]:
        text, ground = self.text, self.ground
        if "inverse" in self.marks:
            if text is None or text.hue is None:
                yield "inverse"
                return
            text, ground = ground, text
        if ground is not None and ground.hue is not None:
            yield from ("ground", f"hue-{ground.hue}")
            return
        if ground is not None:
            yield "tint"
        if text is not None and text.hue is not None:
            yield from ("vivid" if text.is_vivid else "ink", f"hue-{text.hue}")
        elif text is not None and not text.is_plain:
            yield "dim"


NO_INK = Ink()


def inked(ink: Ink, codes: str) -> Ink:
    """The ink after the numbers of a colour code, such as `1;31` or `38;2;255;128;0`."""
    groups = [[int(number[:4] or 0) for number in group.split(":")] for group in codes.split(";")]
    while groups:
        code, *more = groups.pop(0)
        if code in (38, 48, 58):
            colour = _extended(more) if more else _extended(_taken(groups))
            ink = _coloured(ink, code, colour)
        elif code == 0:
            ink = NO_INK
        elif code == 4 and more == [0]:
            ink = replace(ink, marks=ink.marks - {"underline"})
        elif code in MARKS:
            ink = replace(ink, marks=ink.marks | {MARKS[code]})
        elif code in OFF:
            ink = replace(ink, marks=ink.marks - OFF[code])
        else:
            ink = _basic(ink, code)
    return ink


def _basic(ink: Ink, code: int) -> Ink:
    for first, bright in ((30, 0), (90, 8), (40, 0), (100, 8)):
        if first <= code <= first + 7:
            return _coloured(ink, 38 if first in (30, 90) else 48, BASIC[code - first + bright])
    return _coloured(ink, code - 1, None) if code in (39, 49) else ink


def _coloured(ink: Ink, layer: int, colour: Colour | None) -> Ink:
    match layer:
        case 38:
            return replace(ink, text=colour)
        case 48:
            return replace(ink, ground=colour)
    return ink  # the colour of a line below the letters


def _taken(groups: list[list[int]]) -> list[int]:
    """The numbers of an extended colour that stand in groups of their own; takes them."""
    count = {2: 4, 5: 2}.get(groups[0][0] if groups else 0, 1)
    taken = [group[0] for group in groups[:count]]
    del groups[:count]
    return taken


def _extended(numbers: list[int]) -> Colour | None:
    """A colour of 256, or one that is given by its parts."""
    match numbers:
        case [2, red, green, blue] | [2, _, red, green, blue, *_]:
            return _near(red, green, blue)
        case [5, number, *_] if number < 16:
            return BASIC[number]
        case [5, number, *_] if number > 231:
            return _near(*[(number - 232) * 10 + 8] * 3)
        case [5, number, *_]:
            number -= 16
            return _near(*(part * 40 + 55 if part else 0 for part in (number // 36, number // 6 % 6, number % 6)))
    return None


def _near(red: int, green: int, blue: int) -> Colour:
    parts = [min(255, part) for part in (red, green, blue)]
    if max(parts) - min(parts) <= PALE:
        middle = sum(parts) // 3
        return Colour(is_plain=not PLAIN[0] < middle < PLAIN[1])
    hue = colorsys.rgb_to_hls(*(part / 255 for part in parts))[0]
    return Colour(round(hue * 12) % 12, is_vivid=max(parts) > VIVID)
