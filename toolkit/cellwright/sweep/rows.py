"""The file of a sweep's rows, in which each is written down as it comes, with what its candidate was made of.

A sweep of a thousand runs takes an hour and is stopped now and then; begun again, it makes only what is missing. But a
function is edited under its old name, and then its old answers are not those that were asked for: so a row is found by
its content, too. The rule that must never break: a row that was written is never lost, and never taken for the run of
something else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cellwright.errors import UsageError
from cellwright.sweep.errand import Returned
from cellwright.sweep.job import Job
from cellwright.sweep.report import Report, report_of_json

ROWS = "results.jsonl"
CONTENT = "content"
"""The digest of what a run was made with, beside its row."""
Key = tuple[str, str, int, str]


class Rows:
    """The rows in a folder, those of earlier sweeps included.

    Raises:
        UsageError: if the folder can't be made, or holds rows that can't be read.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder).resolve()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"the folder {self.folder} can't be made: {error.strerror}; name another") from None
        self._by_content: dict[tuple[Key, str], Report] = {}
        self._newest: dict[Key, tuple[Report, str]] = {}
        for report, content in _kept(self.folder / ROWS):
            self._add(report, content)

    @property
    def newest(self) -> list[Report]:
        """The newest row of each run."""
        return [report for report, _ in self._newest.values()]

    def find(self, job: Job, content: str) -> Returned | None:
        """The run that was kept of this content, before any check; None if it has to be made.

        A run that failed for a reason outside it is made anew, as is one whose work was not kept for its check.
        """
        report = self._by_content.get((job.key, content)) if content else None
        if report is None or report.stop_reason in ("cancelled", "model_error"):
            return None
        if report.stop_reason == "timeout":
            return Returned(report, b"") if job.seconds is not None and report.seconds >= job.seconds else None
        if report.stop_reason == "crashed":
            return Returned(report, b"") if report.log else None
        work = self.folder / f"{Path(report.log).stem}.tar.gz"
        if work.is_file():
            return Returned(report.unchecked, b"", work)
        return Returned(report.unchecked, b"") if job.task.check is None else None

    def keep(self, number: int, returned: Returned, content: str) -> Report:
        """Writes down a row with the log and the work of its run, under the run's number."""
        report = returned.report
        if returned.log:
            name = self._free_name(f"{number:04}-{report.model}-{report.task}")
            path = self.folder / f"{name}.jsonl"
            path.write_bytes(returned.log)
            if isinstance(returned.work, bytes) and returned.work:
                (self.folder / f"{name}.tar.gz").write_bytes(returned.work)
            report = report_of_json({**report.as_json(), "log": str(path)})
        if self._newest.get(report.key) != (report, content):
            with (self.folder / ROWS).open("a", encoding="utf-8") as file:
                file.write(json.dumps({**report.as_json(), CONTENT: content}) + "\n")
        self._add(report, content)
        return report

    def _add(self, report: Report, content: str) -> None:
        self._by_content[report.key, content] = report
        self._newest[report.key] = report, content

    def _free_name(self, told: str) -> str:
        """A name for files, which those of an earlier run don't have."""
        name = free = re.sub(r"[^A-Za-z0-9.-]+", "_", told)[:100]
        others = 1
        while (self.folder / f"{free}.jsonl").exists():
            others += 1
            free = f"{name}-{others}"
        return free


def _kept(path: Path) -> Iterator[tuple[Report, str]]:
    """The rows of an earlier sweep. A last line that was cut off by a crash is passed over: its run is made again."""
    if not path.is_file():
        return
    lines = path.read_bytes().split(b"\n")
    if lines[-1]:
        path.write_bytes(b"\n".join([*lines[:-1], b""]))
    for number, line in enumerate(lines[:-1], 1):
        try:
            data: dict[str, Any] = json.loads(line)
            yield report_of_json(data), str(data.get(CONTENT, ""))
        except (ValueError, TypeError, AttributeError) as error:
            where = f"line {number} of {path}"
            raise UsageError(f"{where} is no row of a sweep ({error}); take it out, or name another folder") from None
