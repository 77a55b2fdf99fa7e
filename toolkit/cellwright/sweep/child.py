"""The program that makes one run of a sweep, in a process of its own.

What an agent does in a run can end its process, fill its memory or hang; none of that may reach another run. The job
comes in a file, the row and the log are left in files beside it. The rule that must never break: it is given nothing
but the folder, and leaves everything in it.
"""

from __future__ import annotations

import json
import pickle
import shutil
import sys
import time
from pathlib import Path

from msgspec.structs import replace

from cellwright.agent import Agent
from cellwright.messages import told
from cellwright.models.naming import model
from cellwright.person.approval import DenyAll
from cellwright.sweep.job import Candidate, Job
from cellwright.sweep.report import Report, began, report_of_run

JOB, REPORT, LOG, WORK = "job.pickle", "report.json", "log.jsonl", "work"
"""The files of a run in its folder, and the folder in which the agent works."""


def main(folder: Path) -> None:
    """Makes the run whose job is in the folder."""
    job: Job = pickle.loads((folder / JOB).read_bytes())  # noqa: S301 (written by the process that started this one)
    try:
        report = _run(job, folder)
    except Exception as error:  # a model that is none, a tool that is not there: the row says it
        report = replace(began(job), stop_reason="crashed", error=told(error))
    draft = folder / f"{REPORT}.part"
    draft.write_text(json.dumps(report.as_json()), "utf-8")
    draft.replace(folder / REPORT)


def _run(job: Job, folder: Path) -> Report:
    work = folder / WORK
    if job.task.folder is None:
        work.mkdir()
    else:
        shutil.copytree(job.task.folder, work, symlinks=True)
    agent = agent_of(job.candidate, work, folder / LOG)
    began_at = time.monotonic()
    run = agent.run_sync(job.task.prompt)
    report = report_of_run(job, run, time.monotonic() - began_at)
    if job.task.check is None:
        return report
    try:
        return replace(report, score=float(job.task.check(work, run.answer)))
    except Exception as error:
        return replace(report, error="; ".join(filter(None, (report.error, f"the check failed: {told(error)}"))))


def agent_of(candidate: Candidate, cwd: Path, log: Path) -> Agent:
    """The agent as the candidate describes it."""
    given = candidate.model
    return Agent(
        model(given) if isinstance(given, str) else given(),
        candidate.tools() if callable(candidate.tools) else candidate.tools,
        cwd=cwd,
        policy=candidate.policy,
        approver=DenyAll(),
        system=candidate.system,
        budget=candidate.budget,
        log=log,
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
