"""What the kernel of a notebook has run of it, for whoever reads the notebook.

Outputs in the file may be of any kernel, at any time; which of them the kernel of this run stands behind, only its
ledger tells. The rule that must never break: of a kernel that is gone nothing is said but that.
"""

from __future__ import annotations

from collections.abc import Iterable

from cellwright.env import Env
from cellwright.messages import JsonObject
from cellwright.notebook.cell import Cell
from cellwright.notebook.stored import StoredNotebook, cell_name
from cellwright.tools.cell_tags import is_skipped


def code_cells(stored: StoredNotebook) -> list[Cell]:
    """The cells that hold code."""
    return [cell for cell in stored.document.cells if cell.cell_type == "code" and cell.source.strip()]


def cell_keys(code: Iterable[Cell]) -> list[tuple[str, str]]:
    """What the ledger of a kernel knows cells by; cells that never run are nothing to it."""
    return [(cell_name(cell), cell.version) for cell in code if not is_skipped(cell)]


def kernel_state(stored: StoredNotebook, env: Env) -> JsonObject | None:
    """The state of the notebook's kernel, if this run has started one: the cells that are out of date, and edited."""
    session = env.kernels.find(stored.shown)
    if session is None or not session.kernel.starts:
        return None
    if not session.kernel.is_alive:
        return {"state": "gone", "stale": [], "edited": [], "other_code": 0}
    keys, ledger = cell_keys(code_cells(stored)), session.ledger
    state = "idle" if session.busy_for is None else "busy"
    stale, edited = list(ledger.stale(keys)), list(ledger.edited(keys))
    return {"state": state, "stale": stale, "edited": edited, "other_code": ledger.other_code}


def state_line(state: JsonObject) -> str:
    """The state in a line."""
    if state["state"] == "gone":
        return "its kernel in this run is gone, with all variables"
    stale, edited = (", ".join(state[name][:20]) for name in ("stale", "edited"))
    parts = [f"out of date: {stale}" if stale else "all cells have run as they are now"]
    parts += [f"edited since they ran: {edited}"] if edited else []
    return f"its kernel in this run is {state['state']}; {'; '.join(parts)}"
