"""Which cell of a notebook before a change is which cell after it.

An id says it, where there is one; notebooks of format 4.4 and older have none, and broken ones have an id twice. There
a cell that reads the same is the same, and one that changed is found between its unchanged neighbours.

The rule that must never break: each cell of both states is in exactly one pair, alone where it has no partner.
"""

from __future__ import annotations

import difflib
import hashlib
from bisect import bisect_left
from collections import Counter, defaultdict, deque
from collections.abc import Collection, Sequence
from itertools import islice

from cellwright.notebook.cell import Cell

Pair = tuple[Cell | None, Cell | None]
"""A cell before and after; None where there is none."""
ALIKE = 0.5
"""Likeness of two sources from which on one is taken for the other, where only the place speaks for it."""
COMPARED = 2_000
"""Characters of a source that are compared for it."""
NEAR = 10
"""Cells that one is compared with, at most; each comparison takes a millisecond, and a patch may rewrite hundreds."""


def matched(
    before: Sequence[Cell], after: Sequence[Cell], asked: Collection[int] = ()
) -> tuple[list[Pair], Collection[int]]:
    """All cells in pairs, in the order after the change, and the indices before of those that changed their order.

    Of several ways to tell what moved, that is chosen in which the cells do that were `asked` to.
    """
    partner: dict[int, Cell] = {}
    _by_id(partner, before, after)
    _by_text(partner, before, after)
    _by_place(partner, before, after)
    movers = _moved([partner[cell.index].index for cell in after if cell.index in partner], asked)
    pairs: list[Pair] = [(partner.get(cell.index), cell) for cell in after]
    kept = {cell.index for cell in partner.values()}
    above = -1
    for cell in before:
        if cell.index not in kept:
            pairs.insert(_place_of(pairs, above) + 1, (cell, None))
        above = above if cell.index in movers else cell.index
    return pairs, movers


def _place_of(pairs: Sequence[Pair], index: int) -> int:
    """Where the cell of this index before is; a deleted cell stands below the one that it stood below."""
    return next((place for place, (old, _) in enumerate(pairs) if old and old.index == index), -1)


def _moved(order: Sequence[int], asked: Collection[int]) -> set[int]:
    """The numbers that are to be taken out of a sequence so that the others rise."""
    still = set(_longest_rising([number for number in order if number not in asked]))
    for number in asked:
        rest = [other for other in order if other in still or other == number]
        if number in order and rest == sorted(rest):
            still.add(number)
    return set(order) - still


def _by_id(partner: dict[int, Cell], before: Sequence[Cell], after: Sequence[Cell]) -> None:
    """Cells by an id that exactly one has in both."""
    counts = [Counter(cell.id for cell in cells) for cells in (before, after)]
    known = {c.id: c for c in before if c.id is not None and counts[0][c.id] == counts[1][c.id] == 1}
    partner |= {cell.index: known[cell.id] for cell in after if cell.id in known}


def _by_text(partner: dict[int, Cell], before: Sequence[Cell], after: Sequence[Cell]) -> None:
    taken = {cell.index for cell in partner.values()}
    same: dict[bytes, deque[Cell]] = defaultdict(deque)
    for cell in before:
        if cell.index not in taken:
            same[_digest(cell)].append(cell)
    for cell in after:
        if cell.index not in partner and same[_digest(cell)]:
            partner[cell.index] = same[_digest(cell)].popleft()


def _digest(cell: Cell) -> bytes:
    return hashlib.blake2b(cell.raw, digest_size=16).digest()


def _by_place(partner: dict[int, Cell], before: Sequence[Cell], after: Sequence[Cell]) -> None:
    """Cells without a telling id: the first alike one that stands after the same neighbour."""
    taken = {cell.index for cell in partner.values()}
    free: dict[int, list[Cell]] = defaultdict(list)
    neighbour = -1
    for cell in before:
        if cell.index in taken:
            neighbour = cell.index
        else:
            free[neighbour].append(cell)
    neighbour = -1
    for cell in after:
        if cell.index in partner:
            neighbour = partner[cell.index].index
            continue
        found = next((old for old in islice(free[neighbour], NEAR) if _may_be(old, cell)), None)
        if found is not None:
            free[neighbour] = free[neighbour][free[neighbour].index(found) + 1 :]
            partner[cell.index] = found


def _may_be(old: Cell, new: Cell) -> bool:
    if old.id != new.id:
        return False
    if old.source == new.source:
        return True
    likeness = difflib.SequenceMatcher(None, old.source[:COMPARED], new.source[:COMPARED], autojunk=False)
    return old.cell_type == new.cell_type and likeness.quick_ratio() >= ALIKE


def _longest_rising(numbers: Sequence[int]) -> list[int]:
    """The longest rising part of a sequence of different numbers."""
    ends: list[int] = []
    places: list[int] = []
    for number in numbers:
        place = bisect_left(ends, number)
        ends[place : place + 1] = [number]
        places.append(place)
    rising: list[int] = []
    wanted = len(ends) - 1
    for number, place in zip(reversed(numbers), reversed(places), strict=True):
        if place == wanted:
            rising.append(number)
            wanted -= 1
    return rising[::-1]
