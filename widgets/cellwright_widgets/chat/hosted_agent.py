"""An agent whose runs are shown by somebody else: the same model, tools and rules, another company.

A chat panel shows the runs of an agent that a person made, which would show them in a cell. The agent itself stays as
it is, so that a cell can still start runs of its own. The rule that must never break: nothing of what the agent may do
is changed by where its runs are shown.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cellwright
from cellwright.runs.company import Company
from cellwright.runs.run import Run


class HostedAgent(cellwright.Agent):
    """The agent as it is now, with `host` for its company. Its runs are written to `log` if the agent names no file."""

    def __init__(self, agent: cellwright.Agent, host: Callable[[Run], Company], log: Path | None = None) -> None:
        vars(self).update(vars(agent))
        self._host = host
        self._log_path = self._log_path or log

    def company(self, run: Run) -> Company:
        """Whoever shows the run."""
        return self._host(run)
