"""Stretches of time as a line of text: where each begins, and how long it is beside the others.

A page can draw a bar; a terminal, a log and a saved notebook on a site that strips all style can't. They are given
letters that are filled to the half: `▐█▌`. The rule that must never break: whatever took any time at all is seen, and
every line is as wide as the next.
"""

from __future__ import annotations

from collections.abc import Iterable

HALVES = (" ", "▌", "▐", "█")
"""By which halves are filled: none, the left, the right, both."""


def bar(stretches: Iterable[tuple[float, float]], whole: float, width: int) -> str:
    """The stretches, each from a start to an end of the same measure as `whole`, in so many letters."""
    filled = bytearray(2 * width)
    scale = 2 * width / whole if whole > 0 else 0.0
    for start, end in stretches:
        first = min(max(int(start * scale), 0), 2 * width - 1)
        last = min(max(first + 1, round(end * scale)), 2 * width)
        filled[first:last] = b"\1" * (last - first)
    return "".join(HALVES[filled[place] + 2 * filled[place + 1]] for place in range(0, 2 * width, 2))
