"""`wait`: for what works in the background, sub-agents, commands and code, and what came of it.

It waits without holding anything up: the person can stop the run meanwhile, and what is not ready when the time is
over simply says so.
"""

from __future__ import annotations

import asyncio
from typing import Annotated

from pydantic import Field

from cellwright.env import Env
from cellwright.runs.crew import Report
from cellwright.tool import Output, tool
from cellwright.tools.agent import report_text, report_view
from cellwright.tools.command_report import report_of_job
from cellwright.tools.piece_report import PieceReport
from cellwright.views.view import Group

LONGEST = 600
"""Seconds that one call may wait at most."""


@tool(read_only=True, concurrency_safe=True, roles=("main", "sub_agent", "coordinator"), origin="built-in")
async def wait(
    env: Env,
    names: list[str] | None = None,
    timeout: Annotated[float, Field(ge=0, le=LONGEST)] = 60,
) -> Output:
    """Wait for sub-agents, commands and code in the background, and read their answers and output.

    Returns as soon as all of them have ended, or after the timeout with what there is by then: the state of each is
    running, or how it ended. Errors: not_found names those that there are.

    Args:
        names: The names that were given, such as agent-1, job-1 or code-1; none for all of them.
        timeout: Seconds to wait at most.
    """
    named = names or []
    jobs = [env.jobs.job(name) for name in named if _is_job(name)] if named else list(env.jobs.all())
    pieces = [env.kernels.piece(name) for name in named if _is_code(name)] if named else list(env.kernels.pieces())
    agents = [name for name in named if not _is_job(name) and not _is_code(name)]
    others = asyncio.gather(env.jobs.wait(jobs, timeout), *(piece.wait(timeout) for piece in pieces))
    try:
        reports = await _agents(env, agents, bool(named), timeout)
        await others
    finally:  # a name that there is not ends it at once
        others.cancel()
    said = [await report_of_job(job) for job in jobs]
    ran = [PieceReport(piece) for piece in pieces]
    texts = [f"{report.name} ({report.state}):\n{report_text(report)}" for report in reports]
    texts += [f"{report.name} ({report.line}):\n{report.text()}" for report in said]
    texts += [f"{report.name} ({report.state}):\n{report.text}" for report in ran]
    views = (*map(report_view, reports), *(report.view() for report in said), *(report.view for report in ran))
    value = [*(r.as_json() for r in reports), *(r.as_json() for r in said), *(r.as_json() for r in ran)]
    return Output(value, "\n\n".join(texts) or "nothing was started in the background", Group("", views))


async def _agents(env: Env, agents: list[str], is_choice: bool, timeout: float) -> tuple[Report, ...]:
    """The reports of these; of all, where no names were given."""
    return () if is_choice and not agents else await env.crew.reports(agents, timeout)


def _is_job(name: str) -> bool:
    return name.startswith("job-")


def _is_code(name: str) -> bool:
    return name.startswith("code-")
