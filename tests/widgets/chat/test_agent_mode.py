import asyncio

import pytest

from cellwright import Agent, Deny, ScriptedApprover, ScriptedModel, UsageError
from cellwright.permission.bypass import FIRST, SECOND, BypassConsent
from cellwright_widgets.chat.agent_mode import switch_mode

from ..chatting import WRITE


class Switching(ScriptedApprover):
    """Switches the mode while it is asked."""

    async def ask(self, question):
        switch_mode(self.agent, "plan")
        return await super().ask(question)


def test_it_holds_for_the_agent_and_for_the_run_that_it_is_in(tmp_path):
    approver = Switching([Deny()])
    agent = approver.agent = Agent(ScriptedModel([WRITE, "Done."]), ["write_file"], cwd=tmp_path, approver=approver)
    run = asyncio.run(agent.run("Write."))
    assert (agent.policy.mode, run.mode) == ("plan", "plan")


def test_bypass_takes_both_confirmations(tmp_path):
    agent = Agent(ScriptedModel([]), cwd=tmp_path)
    with pytest.raises(UsageError, match="two confirmations"):
        switch_mode(agent, "bypass")
    switch_mode(agent, "bypass", BypassConsent(FIRST, SECOND))
    assert agent.policy.mode == "bypass"
    switch_mode(agent, "default")
    assert agent.policy.consent is None
