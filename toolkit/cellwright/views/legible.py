"""The values of a column, written for a person who reads down it.

A float has up to seventeen digits, of which a reader wants a few, and the points one below the other; a day that comes
with a time of midnight is a day. So all floats of a column get as many decimals as the one that needs most, up to six,
and fewer where they are large, as data frames are printed; where that would leave nothing of a small one all have
powers of ten. The rule that must never break: this is for the eye alone. What sorts, filters, is copied or read by a
model is the value.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

DECIMALS = 6
"""Digits after the point, at most."""
DIGITS = 10
"""Digits on both sides of it, of a large number, as long as `FEWEST` come after it."""
FEWEST = 2
LARGE, EXACT = 1e15, 2**53
"""From here on a number has a power of ten; up to here a whole one is a float without loss."""
MIDNIGHT = re.compile(r"(\d{4,}-\d\d-\d\d)T00:00:00(?:\.0+)?")


def legible(values: Sequence[Any], kind: str = "") -> list[Any]:
    """The values, with a text in place of each that is written in another way than it is."""
    if kind == "date":
        return _days(values)
    shown = [value for value in values if _is_float(value, kind)]
    if not any(isinstance(value, float) for value in shown):
        return list(values)
    style = _style(shown)
    texts = [format(value, style) for value in shown]
    spare = min(_zeros(text) for text in texts)
    written = iter(_without(text, spare) for text in texts)
    return [next(written) if _is_float(value, kind) else value for value in values]


def _days(values: Sequence[Any]) -> list[Any]:
    found = [MIDNIGHT.fullmatch(value) if isinstance(value, str) else None for value in values]
    if any(day is None and value is not None for day, value in zip(found, values, strict=True)):
        return list(values)
    return [day[1] if day else None for day in found]


def _is_float(value: object, kind: str) -> bool:
    """A whole number counts as one in a column of floats, where it can be one."""
    if isinstance(value, float):
        return math.isfinite(value)
    return kind == "number" and type(value) is int and abs(value) < EXACT


def _style(values: Sequence[float]) -> str:
    sizes = [abs(value) for value in values if value]
    largest, smallest = max(sizes, default=0.0), min(sizes, default=1.0)
    before = len(str(int(largest))) if largest < LARGE else 0
    decimals = max(FEWEST, min(DECIMALS, DIGITS - before))
    return f".{DECIMALS}e" if not before or smallest < 10.0 ** (1 - decimals) else f".{decimals}f"


def _zeros(text: str) -> int:
    """Zeros at the end of the digits after the point, of which the first stays."""
    digits = text.partition("e")[0].partition(".")[2]
    return min(len(digits) - len(digits.rstrip("0")), len(digits) - 1)


def _without(text: str, zeros: int) -> str:
    digits, sign, power = text.partition("e")
    return (digits[:-zeros] if zeros else digits) + sign + power
