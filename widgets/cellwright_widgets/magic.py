"""`%%agent`: a cell whose text is the prompt.

The run goes on in the background, since a cell magic can't await; so it works on every kernel. The agent is the
variable `agent`, or the one named: `%%agent helper`; `helper.last_run` is the run. `--continue` goes on from that one.
"""

from __future__ import annotations

from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, magics_class
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring

import cellwright


@magics_class
class AgentMagic(Magics):
    """The magic."""

    @magic_arguments()
    @argument("name", nargs="?", default="agent", help="the variable that holds the agent")
    @argument("--continue", dest="go_on", action="store_true", help="go on from the last run of this agent")
    @cell_magic
    def agent(self, line: str, cell: str) -> None:
        """Start a run of an agent with the cell's text as its prompt."""
        options = parse_argstring(self.agent, line)
        shell: Any = self.shell
        found = shell.user_ns.get(options.name)
        if not isinstance(found, cellwright.Agent):
            raise UsageError(
                f"{options.name} is not an Agent; make one first: {options.name} = Agent(model, tools=...)"
            )
        found.start(cell.strip(), after=found.last_run if options.go_on else None)
