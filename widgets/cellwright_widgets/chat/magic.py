"""`%%agent`, a cell whose text is the prompt, and `%agent_mode`, which shows or sets how much runs unasked.

The run goes on in the background, since a cell magic can't await; so it works on every kernel. The agent is the
variable `agent`, or the one named: `%%agent helper`; `helper.last_run` is the run. `--continue` goes on from that one,
which may be one of a chat panel; `--panel` says the text in the panel, as if it were written there. The rule that must
never break: a mode is switched for the run that goes on, too, and bypass asks for both its sentences.
"""

from __future__ import annotations

from typing import Any, cast

from IPython.core.error import StdinNotImplementedError, UsageError
from IPython.core.magic import Magics, cell_magic, line_magic, magics_class
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring

import cellwright
from cellwright.permission.bypass import confirmed
from cellwright.permission.decision import Mode
from cellwright_widgets.chat.agent_mode import switch_mode
from cellwright_widgets.chat.chat_panel import ChatPanel, panel_of


@magics_class
class AgentMagic(Magics):
    """The magics."""

    @magic_arguments()
    @argument("name", nargs="?", default="agent", help="the variable that holds the agent")
    @argument("--continue", dest="go_on", action="store_true", help="go on from the last run of this agent")
    @argument("--panel", dest="panel", action="store_true", help="say it in the chat panel of this agent")
    @cell_magic
    def agent(self, line: str, cell: str) -> None:
        """Start a run of an agent with the cell's text as its prompt."""
        options = parse_argstring(self.agent, line)
        found = self._agent(options.name)
        if options.panel:
            panel = panel_of(found)
            if panel is None:
                raise UsageError(f"{options.name} has no chat panel; show one first: ChatPanel({options.name})")
            panel.say(cell.strip())
            return
        found.start(cell.strip(), after=found.last_run if options.go_on else None)

    @magic_arguments()
    @argument("mode", nargs="?", default="", help="default, plan, accept_edits, dont_ask or bypass")
    @argument("--agent", dest="name", default="agent", help="the variable that holds the agent")
    @line_magic
    def agent_mode(self, line: str) -> None:
        """Show the mode of an agent, or put it and the run it is in under another."""
        options = parse_argstring(self.agent_mode, line)
        found = self._agent(options.name)
        if options.mode:
            self._switch(found, options.mode)
        print(f"{options.name}: mode {found.policy.mode}")

    def _switch(self, agent: cellwright.Agent, mode: str) -> None:
        panel = panel_of(agent)
        try:
            consent = confirmed(input) if mode == "bypass" else None
            switch: Any = panel.set_mode if isinstance(panel, ChatPanel) else lambda *to: switch_mode(agent, *to)
            switch(cast(Mode, mode), consent)
        except (cellwright.UsageError, StdinNotImplementedError) as error:
            raise UsageError(str(error)) from None

    def _agent(self, name: str) -> cellwright.Agent:
        shell: Any = self.shell
        found = shell.user_ns.get(name)
        if isinstance(found, cellwright.Agent):
            return found
        raise UsageError(f"{name} is not an Agent; make one first: {name} = Agent(model, tools=...)")
