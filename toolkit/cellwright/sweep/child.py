"""The program that makes one run of a sweep, in a process of its own.

What an agent does in a run can end its process, fill its memory or hang; none of that may reach another run. The job
comes in a file; the row, the log and the work are left in files beside it. The rule that must never break: it is given
nothing but the folder, and leaves everything in it.
"""

from __future__ import annotations

import json
import pickle
import sys
import time
from contextlib import suppress
from pathlib import Path
from tarfile import TarError

from msgspec.structs import replace

from cellwright.agent import Agent
from cellwright.messages import told
from cellwright.models.naming import model
from cellwright.person.approval import DenyAll
from cellwright.sweep.job import Candidate, Job
from cellwright.sweep.report import Report, began, report_of_json, report_of_run
from cellwright.sweep.work import copied, packed_work, restored, stamps
from cellwright.tool import Tool

JOB, REPORT, LOG, WORK = "job.pickle", "report.json", "log.jsonl", "work"
"""The files of a run in its folder, and the folder in which the agent works."""
RUN, LEFT = "run.json", "work.tar.gz"
"""The row before the check, and what the run has made of its folder. Where they are there already, only the check is
made."""


def main(folder: Path) -> None:
    """Makes the run whose job is in the folder, or the check of one that was made."""
    job: Job = pickle.loads((folder / JOB).read_bytes())  # noqa: S301 (written by the process that started this one)
    try:
        report = _checked(job, _kept(job, folder) if (folder / RUN).is_file() else _run(job, folder), folder / WORK)
    except Exception as error:  # a model that is none, a tool that is not there: the row says it
        made = (folder / RUN).is_file()
        crashed = replace(began(job), stop_reason="crashed", error=told(error))
        report = row_of_file(folder / RUN).check_failed(told(error)) if made else crashed
    _write(report, folder / REPORT)


def _run(job: Job, folder: Path) -> Report:
    work = folder / WORK
    copied(job.task.folder, work)
    before = stamps(work)
    agent = agent_of(job.candidate, work, folder / LOG)
    began_at = time.monotonic()
    run = agent.run_sync(job.task.prompt)
    report = report_of_run(job, run, time.monotonic() - began_at)
    with suppress(
        OSError, ValueError, TarError
    ):  # what can't be read is not kept: then another check needs another run
        (folder / LEFT).write_bytes(packed_work(work, before))
    _write(report, folder / RUN)
    return report


def _kept(job: Job, folder: Path) -> Report:
    restored(job.task.folder, folder / LEFT, folder / WORK)
    return row_of_file(folder / RUN)


def _checked(job: Job, report: Report, work: Path) -> Report:
    if job.task.check is None:
        return report
    try:
        return replace(report, score=float(job.task.check(work, report.answer)))
    except Exception as error:
        return report.check_failed(told(error))


def row_of_file(path: Path) -> Report:
    """The row that stands in a file of the folder."""
    return report_of_json(json.loads(path.read_text("utf-8")))


def _write(report: Report, path: Path) -> None:
    draft = path.with_name(f"{path.name}.part")
    draft.write_text(json.dumps(report.as_json()), "utf-8")
    draft.replace(path)


def agent_of(candidate: Candidate, cwd: Path, log: Path) -> Agent:
    """The agent as the candidate describes it."""
    given, tools = candidate.model, candidate.tools
    return Agent(
        model(given) if isinstance(given, str) else given(),
        tools if isinstance(tools, Tool) or not callable(tools) else tools(),
        cwd=cwd,
        policy=candidate.policy,
        approver=DenyAll(),
        system=candidate.system,
        budget=candidate.budget,
        log=log,
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
