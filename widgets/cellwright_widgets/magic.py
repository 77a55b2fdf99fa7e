"""`%%agent`: a cell whose text is the prompt.

The run goes on in the background, since a cell magic can't await; so it works on every kernel. The agent is the
variable `agent`, or the one named: `%%agent helper`. `--continue` goes on from the last run of that agent's cells.
"""

from __future__ import annotations

import weakref
from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, magics_class
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring

import cellwright
from cellwright.run import Run


@magics_class
class AgentMagic(Magics):
    """The magic, with the last run of each agent."""

    def __init__(self, shell: Any) -> None:  # noqa: ANN401 (IPython is untyped here)
        super().__init__(shell)
        self._last: weakref.WeakKeyDictionary[cellwright.Agent, Run] = weakref.WeakKeyDictionary()

    @magic_arguments()
    @argument("name", nargs="?", default="agent", help="the variable that holds the agent")
    @argument("--continue", dest="go_on", action="store_true", help="go on from the last run of this agent")
    @cell_magic
    def agent(self, line: str, cell: str) -> Run:
        """Start a run of an agent with the cell's text as its prompt."""
        options = parse_argstring(self.agent, line)
        shell: Any = self.shell
        found = shell.user_ns.get(options.name)
        if not isinstance(found, cellwright.Agent):
            raise UsageError(
                f"{options.name} is not an Agent; make one first: {options.name} = Agent(model, tools=...)"
            )
        run = found.start(cell.strip(), after=self._last.get(found) if options.go_on else None)
        self._last[found] = run
        return run
