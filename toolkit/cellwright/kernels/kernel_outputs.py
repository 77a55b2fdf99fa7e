"""Which cell an output belongs to.

Messages of all cells come on one channel, and some come late: a thread of the first cell prints while the third one
runs, a display made in one cell is updated from another. Each message names the request it answers; here it finds
its cell by that. The rule that must never break: an output never reaches a cell that did not start it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cellwright.kernels.cell_outputs import CellOutputs, message_output
from cellwright.messages import JsonObject

UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""What reading a message raises that is none, or none as Jupyter describes it. Code in a kernel can send anything."""
MAX_CELLS = 200
"""Requests of one kernel whose outputs are still taken when they come late."""


class KernelOutputs:
    """The outputs of all cells that one kernel has run, by the id of the request."""

    def __init__(self) -> None:
        self._cells: dict[str, CellOutputs] = {}
        self._displays: dict[str, dict[str, list[JsonObject]]] = {}
        """The displays of each display id, by the request that made them."""

    def open(self, msg_id: str) -> CellOutputs:
        """The place for the outputs of a new request. Of very many requests the oldest are not listened to any more."""
        if len(self._cells) >= MAX_CELLS:
            self._forget(next(iter(self._cells)))
        return self._cells.setdefault(msg_id, CellOutputs())

    def part(self, cell: CellOutputs) -> CellOutputs:
        """Another place for what comes in from now on for the request that has this one, updates of displays too."""
        rest = CellOutputs()
        for msg_id in [msg_id for msg_id, there in self._cells.items() if there is cell]:
            self._cells[msg_id] = rest
            for displays in self._displays.values():
                if msg_id in displays:
                    displays[msg_id] = []
        return rest

    def take(self, message: Mapping[str, Any]) -> None:
        """Gives a message to the cell that caused it; one that no cell caused is dropped."""
        msg_id = message["parent_header"].get("msg_id", "")
        cell = self._cells.get(msg_id)
        if cell is None:
            return
        kind, content = message["msg_type"], message["content"]
        display_id = (content.get("transient") or {}).get("display_id")
        if display_id:
            self._update(display_id, content)
        if kind == "update_display_data":
            return
        output = cell.take(kind, content, msg_id)
        if output is not None and display_id and "data" in output:
            self._displays.setdefault(display_id, {}).setdefault(msg_id, []).append(output)

    def _update(self, display_id: str, content: JsonObject) -> None:
        """Every display of this id shows the new data, in whichever cell it stands."""
        for msg_id, outputs in self._displays.get(display_id, {}).items():
            if not outputs:  # what it showed so far was taken away with its cell's outputs
                added = self._cells[msg_id].display(message_output("display_data", content))
                outputs += [added] if added else []
            for output in outputs:
                update = message_output("display_data", content)
                output.update({key: update[key] for key in ("data", "metadata") if key in update})

    def _forget(self, msg_id: str) -> None:
        del self._cells[msg_id]
        for displays in self._displays.values():
            displays.pop(msg_id, None)
        self._displays = {display_id: displays for display_id, displays in self._displays.items() if displays}
