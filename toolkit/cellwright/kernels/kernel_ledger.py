"""What a kernel has run since it was started: which cells, and in which version.

Variables in a kernel tell nothing of the code that made them. A cell that was edited since it ran, or that ran before
a cell above it did, has outputs and variables that the notebook as it stands would not give. The rule that must never
break: a cell counts as run only if it and all code cells above it ran to their end in this kernel, as they are now,
in the order in which they stand.
"""

from __future__ import annotations

from collections.abc import Iterable


class KernelLedger:
    """The cells that one kernel has run, in the order in which they ran. A kernel started anew has a new one."""

    def __init__(self) -> None:
        self._ran: dict[str, str] = {}
        self.other_code = 0
        """Pieces of code that ran in it and are no cell of the notebook."""

    def note(self, cell: str, version: str) -> None:
        """The cell ran to its end, as it was in this version."""
        self._ran.pop(cell, None)  # it is now the last that ran
        self._ran[cell] = version

    def forget(self, cell: str) -> None:
        """The cell was begun and did not end well, so nothing is known of what it has left behind."""
        self._ran.pop(cell, None)

    def edited(self, cells: Iterable[tuple[str, str]]) -> tuple[str, ...]:
        """Of these cells, each with its version, those that ran here and were edited since."""
        return tuple(cell for cell, version in cells if self._ran.get(cell, version) != version)

    def stale(self, cells: Iterable[tuple[str, str]]) -> tuple[str, ...]:
        """Of these code cells, in the order of the notebook, those that count as not run: one and all below it."""
        order = {cell: place for place, cell in enumerate(self._ran)}
        listed, last = list(cells), -1
        for index, (cell, version) in enumerate(listed):
            if self._ran.get(cell) != version or order[cell] < last:
                return tuple(name for name, _ in listed[index:])
            last = order[cell]
        return ()
