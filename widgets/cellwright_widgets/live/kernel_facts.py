"""What this kernel can do, as far as waiting for a person goes.

Whether a click arrives while a cell awaits depends on the kernel: ipykernel 7.4 and newer deliver it, older ones (and
Voila, which shows the page only after all cells have ended) don't. Where it can't arrive, a cell must end before it
can be answered. Measured in real front ends; the one rule: when in doubt, never wait.
"""

from __future__ import annotations

import os
from typing import Any

from ipykernel._version import version_info
from IPython.core.getipython import get_ipython

AWAIT_SINCE = (7, 4)
"""The first ipykernel that delivers clicks, on the main thread, while a cell awaits."""


def kernel() -> Any:  # noqa: ANN401 (IPython is untyped here)
    """The running kernel, None outside of one."""
    shell: Any = get_ipython()
    return getattr(shell, "kernel", None)


def clicks_reach_awaiting_cells() -> bool:
    """Whether a click is delivered while a cell awaits."""
    if os.environ.get("SERVER_SOFTWARE", "").lower().startswith("voila"):
        return False
    return version_info[:2] >= AWAIT_SINCE


def cell_id() -> str | None:
    """The id of the cell that runs now; None where the front end does not send it (nbclient, consoles)."""
    return _told("metadata", "cellId")


def execution() -> str:
    """The name of the execution that runs now: a cell that is run again has another; empty outside of a kernel."""
    return _told("header", "msg_id") or ""


def front_end() -> str:
    """The name by which the page that runs the cell is known to the kernel; empty outside of a cell."""
    return _told("header", "session") or ""


def _told(part: str, key: str) -> str | None:
    """What the request that runs now says."""
    running = kernel()
    if running is None:
        return None
    try:
        found = running.get_parent("shell")[part].get(key)
    except (AttributeError, KeyError, TypeError, LookupError):
        return None
    return found if isinstance(found, str) else None
