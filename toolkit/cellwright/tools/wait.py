"""`wait`: for what works in the background, and its answers.

It waits without holding anything up: the person can stop the run meanwhile, and what is not ready when the time is
over simply says so.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from cellwright.env import Env
from cellwright.tool import Output, tool
from cellwright.tools.agent import report_text, report_view
from cellwright.views import Group

LONGEST = 600
"""Seconds that one call may wait at most."""


@tool(read_only=True, concurrency_safe=True, roles=("main", "coordinator"), origin="built-in")
async def wait(
    env: Env,
    agents: list[str] | None = None,
    timeout: Annotated[float, Field(ge=0, le=LONGEST)] = 60,
) -> Output:
    """Wait for sub-agents in the background, and read their answers.

    Returns as soon as all of them have ended, or after the timeout with what there is by then: the state of each is
    running, answered, or why it ended without an answer. Errors: not_found names the agents that there are.

    Args:
        agents: The names that agent gave; none for all of them.
        timeout: Seconds to wait at most.
    """
    reports = await env.crew.reports(agents or (), timeout)
    texts = [f"{report.name} ({report.state}):\n{report_text(report)}" for report in reports]
    views = tuple(report_view(report) for report in reports)
    value = [report.as_json() for report in reports]
    return Output(value, "\n\n".join(texts) or "no sub-agent was started in the background", Group("", views))
