"""One job taken to its end by a process that is started for it: what an executor runs, here or on another machine.

The rule that must never break: it returns, with a row, whatever the process does; and nothing of the process is left.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from cellwright.commands.process_group import ending, kill_group, killed_once
from cellwright.sweep.child import JOB, LOG, REPORT
from cellwright.sweep.job import Job
from cellwright.sweep.report import Report, began, report_of_json

TOLD = 2_000
"""Characters of what a crashed process said last."""
QUIET = "ignore::RuntimeWarning:runpy"
"""Python warns that the package imports the program it is about to run; that is meant, and no news in a row."""


class Returned(Struct, frozen=True):
    """What comes back of a job."""

    report: Report
    log: bytes
    """The events, as far as they were written."""


def _never() -> bool:
    return False


def make_run(job: Job, packed: bytes, is_stopped: Callable[[], bool] = _never) -> Returned:
    """Makes the run of a job, which comes packed for the process as well."""
    with tempfile.TemporaryDirectory(prefix="cellwright-sweep-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        (folder / JOB).write_bytes(packed)
        report = _process(job, folder, is_stopped)
        log = folder / LOG
        return Returned(report, log.read_bytes() if log.is_file() else b"")


def _process(job: Job, folder: Path, is_stopped: Callable[[], bool]) -> Report:
    began_at = time.monotonic()
    deadline = None if job.seconds is None else began_at + job.seconds

    def is_time() -> bool:
        return is_stopped() or (deadline is not None and time.monotonic() > deadline)

    with (folder / "said").open("wb") as said:
        process = subprocess.Popen(  # noqa: S603 (our own program)
            [sys.executable, "-P", "-W", QUIET, "-m", "cellwright.sweep.child", str(folder)],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)},
            start_new_session=True,
        )
        try:
            with killed_once(is_time, process) as killed:
                code = process.wait()
        finally:
            kill_group(process)
    seconds = round(time.monotonic() - began_at, 3)
    left = folder / REPORT
    if left.is_file():
        return report_of_json(json.loads(left.read_text("utf-8")))
    if killed.is_set():
        why = "the sweep was stopped" if is_stopped() else f"it took more than {job.seconds:g} s"
        reason = "cancelled" if is_stopped() else "timeout"
        return replace(began(job), stop_reason=reason, error=why, seconds=seconds)
    last = (folder / "said").read_bytes()[-TOLD:].decode("utf-8", "replace").strip()
    error = f"its process ended with {ending(code)} before the run did" + (f": {last}" if last else "")
    return replace(began(job), stop_reason="crashed", error=error, seconds=seconds)
