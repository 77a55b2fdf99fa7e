"""Which cell an output belongs to.

Messages of all cells come on one channel, and some come late: a thread of the first cell prints while the third one
runs, a display made in one cell is updated from another. Each message names the request it answers; here it finds
its cell by that. The rule that must never break: an output never reaches a cell that did not start it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cellwright.cell_outputs import CellOutputs, message_output
from cellwright.messages import JsonObject


class KernelOutputs:
    """The outputs of all cells that one kernel has run, by the id of the request."""

    def __init__(self) -> None:
        self._cells: dict[str, CellOutputs] = {}
        self._displays: dict[str, list[JsonObject]] = {}

    def open(self, msg_id: str) -> CellOutputs:
        """The place for the outputs of a new request."""
        return self._cells.setdefault(msg_id, CellOutputs())

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
            self._displays.setdefault(display_id, []).append(output)

    def _update(self, display_id: str, content: JsonObject) -> None:
        """Every display of this id shows the new data, in whichever cell it stands."""
        for output in self._displays.get(display_id, ()):
            update = message_output("display_data", content)
            output.update({key: update[key] for key in ("data", "metadata") if key in update})
