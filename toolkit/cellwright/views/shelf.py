"""The rows and documents of a run that are too large for a view, as long as somebody may look at them.

A tool returns a frame of a million rows; its view carries the first page, and a person wants the others, sorted and
filtered. So a front end that can show other pages gives its run a shelf, on which the stages put what a view shows only
a part of. What nobody looks at is not kept: a shelf without room keeps nothing. The rule that must never break: what it
keeps is bounded, and nothing leaves it with a secret in it.
"""

from __future__ import annotations

import threading
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cellwright.views.frame import AS_IT_IS, Order
from cellwright.views.table import Mask, Page, Rows, as_it_is, table_page, whole_cell

ROOM = 50_000_000
"""Cells of all rows that a shelf keeps together; about half a gigabyte and more."""
SHELVED = 20
"""Things that it keeps at once; the oldest makes room."""


class Shelved(Struct, frozen=True):
    """Something on a shelf."""

    thing: Any
    cells: int
    mask: Mask


class Shelf:
    """What a run keeps for a front end. Mutable: the stages of the run fill it, and its front end empties it."""

    def __init__(self, room: int = 0) -> None:
        self.room = room
        self.mask: Mask = as_it_is
        """What masks the secrets of the run that it is for."""
        self._things: dict[str, Shelved] = {}
        self._count = 0
        self._lock = threading.Lock()

    def of(self, mask: Mask) -> Shelf:
        """This shelf, for a run whose secrets this masks."""
        self.mask = mask
        return self

    def put(self, thing: object, cells: int, mask: Mask | None = None) -> str:
        """Puts something of so many cells on it; its name there, or nothing if it is too large. Without a mask of its
        own it is masked as all of the run is."""
        with self._lock:
            if cells > self.room:
                return ""
            self._count += 1
            name = f"kept-{self._count}"
            self._things[name] = Shelved(thing, cells, mask or self.mask)
            while len(self._things) > SHELVED or sum(kept.cells for kept in self._things.values()) > self.room:
                del self._things[next(iter(self._things))]
            return name

    def thing(self, name: str) -> Shelved:
        """What has this name.

        Raises:
            LookupError: if it is no longer there.
        """
        with self._lock:
            kept = self._things.get(name)
        if kept is None:
            raise LookupError("it is no longer kept in the kernel; ask for it again")
        return kept

    def page(self, name: str, start: int = 0, order: Order = AS_IT_IS, first: int = 0) -> Page:
        """A page of the rows of this name, with secrets masked.

        Raises:
            LookupError: if they are no longer there.
            ValueError: for an order or a filter that they can't be put in.
        """
        rows, mask = self._rows(name)
        page = table_page(rows, mask, max(0, start), order, max(0, first))
        return replace(page, table=replace(page.table, source=name))

    def cells(self, name: str, order: Order, count: int) -> tuple[list[str], list[list[Any]], int]:
        """The names of all columns, the first rows as JSON values, and how many rows there are in that order.

        Raises:
            LookupError: if they are no longer there.
            ValueError: for an order or a filter that they can't be put in.
        """
        rows, mask = self._rows(name)
        found, matching = rows.page(order, 0, count, slice(0, None))
        return (
            [mask(name) for name in rows.names],
            [[whole_cell(cell, mask) for cell in row] for row in found],
            matching,
        )

    def _rows(self, name: str) -> tuple[Rows, Mask]:
        kept = self.thing(name)
        if not isinstance(kept.thing, Rows):
            raise LookupError(f"{name} holds no rows")
        return kept.thing, kept.mask

    def close(self) -> None:
        """Keeps nothing any more."""
        with self._lock:
            self.room = 0
            self._things.clear()
