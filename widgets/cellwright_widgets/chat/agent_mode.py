"""The mode of an agent and of the run it is in: one switch for both.

A person who says "plan" means it now and for what comes. The rule that must never break: mode bypass takes both
confirmations here as everywhere, and nothing remembers them but the agent in this kernel.
"""

from __future__ import annotations

from msgspec.structs import replace

import cellwright
from cellwright.permission.bypass import BypassConsent
from cellwright.permission.decision import Mode


def switch_mode(agent: cellwright.Agent, mode: Mode, consent: BypassConsent | None = None) -> None:
    """Puts the agent and the run that it is in under a mode.

    Raises:
        UsageError: if there is no such mode, or `bypass` comes without consent.
    """
    agent.policy = replace(agent.policy, mode=mode, consent=consent)
    run = agent.last_run
    if run is not None and run.stop_reason is None and not run.is_done:
        run.set_mode(mode, consent)
