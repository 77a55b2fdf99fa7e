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
from cellwright.sweep.child import JOB, LEFT, LOG, REPORT, RUN, row_of_file
from cellwright.sweep.job import Job
from cellwright.sweep.report import Report, began

TOLD = 2_000
"""Characters of what a crashed process said last."""
QUIET = "ignore::RuntimeWarning:runpy"
"""Python warns that the package imports the program it is about to run; that is meant, and no news in a row."""


class Returned(Struct, frozen=True):
    """What comes back of a job."""

    report: Report
    log: bytes
    """The events, as far as they were written."""
    work: bytes | Path = b""
    """What the run has made of its folder, or the file that holds it; empty if that was not kept."""

    @property
    def loaded(self) -> Returned:
        """The same without a file, for where that is not."""
        return self if isinstance(self.work, bytes) else replace(self, work=self.work.read_bytes())


def _never() -> bool:
    return False


def make_run(
    job: Job, packed: bytes, is_stopped: Callable[[], bool] = _never, kept: Returned | None = None
) -> Returned:
    """Makes the run of a job, which comes packed for the process as well; of one that was `kept` only the check."""
    with tempfile.TemporaryDirectory(prefix="cellwright-sweep-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        (folder / JOB).write_bytes(packed)
        if kept is not None:
            (folder / RUN).write_text(json.dumps(kept.report.as_json()), "utf-8")
            work = kept.work if isinstance(kept.work, bytes) else kept.work.read_bytes()
            (folder / LEFT).write_bytes(work)
        report = _process(job, folder, is_stopped)
        log, left = ((path.read_bytes() if path.is_file() else b"") for path in (folder / LOG, folder / LEFT))
        return Returned(report, log, left)


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
    if (folder / REPORT).is_file():
        return row_of_file(folder / REPORT)
    last = (folder / "said").read_bytes()[-TOLD:].decode("utf-8", "replace").strip()
    words = f": {last}" if last else ""
    is_run = not (folder / RUN).is_file()
    if not killed.is_set():
        early = " before the run did" if is_run else ""
        reason, why = "crashed", f"its process ended with {ending(code)}{early}{words}"
    elif is_stopped():
        reason, why = "cancelled", "the sweep was stopped"
    else:
        reason, why = "timeout", f"it took more than {job.seconds:g} s"
    if is_run:
        return replace(began(job), stop_reason=reason, error=why, seconds=seconds)
    return row_of_file(folder / RUN).check_failed(why)
