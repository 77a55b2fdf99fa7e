"""`job_output`: what a command in the background has written since it was last looked at."""

from __future__ import annotations

from cellwright.env import Env
from cellwright.tool import Output, tool
from cellwright.tools.command_report import report_of_job


@tool(
    read_only=True,
    concurrency_safe=True,
    max_result_chars=30_000,
    roles=("main", "sub_agent"),
    origin="built-in",
)
async def job_output(job: str, env: Env) -> Output:
    """Read what a command in the background has written since you last looked, and whether it still runs.

    Returns at once; wait waits for its end. Errors: not_found names the jobs that there are.

    Args:
        job: The name that run_command gave, such as job-1.
    """
    found = env.jobs.job(job)
    report = await report_of_job(found)
    return Output(report.as_json(), report.text(), report.view())
