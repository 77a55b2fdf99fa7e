"""What came of one run of a sweep, in one flat row.

A row holds what one compares (done or not, steps, tokens, dollars, seconds) and where the log is, in which all the rest
can be looked up. The rule that must never break: a run that crashed has a row as well, and says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from cellwright.messages import JsonObject, clean_text
from cellwright.runs.run import Run
from cellwright.sweep.job import Job

CHECK_FAILED = "the check failed: "
"""What stands in a row before the reason."""


class Report(Struct, frozen=True):
    """One run."""

    task: str
    model: str
    """The candidate's name."""
    attempt: int
    prompt: str
    stop_reason: str = ""
    """As a run says it; `crashed` if its process ended before the run, `timeout` if it was ended for its time."""
    score: float | None = None
    """What the task's check said; None without one, or if the run did not come so far."""
    answer: str = ""
    error: str = ""
    steps: int = 0
    calls: int = 0
    failed_calls: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    """US dollars; None if not known."""
    seconds: float = 0.0
    log: str = ""
    """The file that holds its events; empty if there is none."""

    @property
    def unchecked(self) -> Report:
        """The row as it was before a check looked at the run."""
        return replace(self, score=None, error=self.error.partition(CHECK_FAILED)[0].removesuffix("; "))

    def check_failed(self, why: str) -> Report:
        """The row of a run at which the check could not look to its end."""
        return replace(self, error="; ".join(filter(None, (self.error, CHECK_FAILED + why))))

    @property
    def key(self) -> tuple[str, str, int, str]:
        """What tells it from all others of a sweep."""
        return self.task, self.model, self.attempt, self.prompt

    def as_json(self) -> JsonObject:
        """The row as data."""
        return asdict(self)


def report_of_json(data: Mapping[str, Any]) -> Report:
    """The row that was data; names that are not known are passed over.

    Raises:
        TypeError: if one that is needed is missing.
    """
    known = set(Report.__struct_fields__)
    return Report(**{name: value for name, value in data.items() if name in known})


def began(job: Job) -> Report:
    """The row of a run of which nothing is known yet."""
    return Report(job.task.label, job.candidate.label, job.attempt, job.task.prompt)


def report_of_run(job: Job, run: Run, seconds: float) -> Report:
    """The row of a run that has ended, without its score."""
    usage = run.usage
    return replace(
        began(job),
        stop_reason=run.stop_reason or "",
        answer=clean_text(run.answer),
        error=clean_text(run.error),
        steps=run.steps,
        calls=len(run.results),
        failed_calls=sum(not result.ok for result in run.results),
        input_tokens=usage.input_tokens,
        cached_tokens=usage.cached_tokens,
        output_tokens=usage.output_tokens,
        cost=run.cost,
        seconds=round(seconds, 3),
    )
