"""How many of a thing there are, in words: `1 step`, `2,000 steps`.

Messages are read by people and models; `1 cells` reads as a mistake, and a model that looks for one may find it there.
The rule that must never break: the number is told in full.
"""

from __future__ import annotations


def quantity(number: float, noun: str, plural: str = "") -> str:
    """The number with its noun, which gets an `s`, or has that plural, unless it is one."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
