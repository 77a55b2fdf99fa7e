"""`kill_job`: the end of a command in the background, with all that it started."""

from __future__ import annotations

from cellwright.env import Env
from cellwright.messages import JsonObject
from cellwright.tool import Opinion, Output, tool
from cellwright.tools.command_report import report_of_job


def _is_its_own(args: JsonObject, env: Env) -> tuple[Opinion, str]:
    return "allow", "it ends only what this run has started"


@tool(check_permission=_is_its_own, max_result_chars=30_000, lasting="what ran was stopped", origin="built-in")
async def kill_job(job: str, env: Env) -> Output:
    """End a command in the background with all that it started, and read the last that it wrote.

    It is asked to end, and killed after two seconds. Errors: not_found names the jobs that there are.

    Args:
        job: The name that run_command gave, such as job-1.
    """
    found = env.jobs.job(job)
    await found.stop("killed")
    report = await report_of_job(found)
    return Output(report.as_json(), report.text(), report.view())
