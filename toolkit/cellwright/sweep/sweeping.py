"""Many runs at once: each task by each candidate, so many times, on the cores of this machine or of a cluster.

Which model does it better, or which system prompt, is a question for a hundred runs and not for one. Each run has a
process, a folder and a log of its own; the rows come back in the order of the runs. Whatever has the face of
`concurrent.futures.Executor` can make the runs: threads here, which only wait for the processes, or Dask's
(`Client(...).get_executor()`), where Cellwright has to be installed, too. The rule that must never break: one run that
crashes or hangs costs one row.
The lesson is `notebooks/11_sweep.ipynb`.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from cellwright.errors import UsageError
from cellwright.sweep.content import digest
from cellwright.sweep.errand import Returned, make_run
from cellwright.sweep.job import Candidate, CandidateTools, Job, Task
from cellwright.sweep.packing import packed
from cellwright.sweep.progress import Progress
from cellwright.sweep.report import Report
from cellwright.sweep.results import Results
from cellwright.sweep.rows import Rows
from cellwright.sweep.work import folder_digest

FOLDER = ".cellwright/sweep"
"""Where the results stand, unless it is said otherwise."""


async def sweep(
    tasks: Iterable[Task | str],
    models: Iterable[Candidate | str],
    tools: CandidateTools = "all",
    *,
    folder: str | Path = FOLDER,
    repeats: int = 1,
    seconds: float | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
    anew: bool = False,
) -> Results:
    """Makes each run that was not kept in the folder of the same candidate, prompt and files, and gives a row for each.

    A text is a task of this prompt, or a model of this name with these `tools`. A run that takes longer than `seconds`
    is ended. `workers` are the runs that go on at once, by default as many as there are cores; an `executor` has its
    own number. A sweep that is stopped ends its runs, and goes on when it is begun again. Checks are made each time, of
    runs that were kept, too; with `anew` nothing is taken.

    Raises:
        UsageError: for what is no task, candidate or number, for two of one name, for what can't be sent to a process.
    """
    rows = Rows(folder)
    jobs = _jobs([_task(each) for each in tasks], [_candidate(each, tools) for each in models], repeats, seconds)
    orders = _orders(jobs, rows, anew=anew)
    if executor is not None:
        orders = [replace(each, kept=each.kept.loaded) if each.kept else each for each in orders]
    stop = threading.Event()
    own = ThreadPoolExecutor(workers or os.cpu_count() or 1, "cellwright-sweep")
    make = make_run if executor else partial(make_run, is_stopped=stop.is_set)
    _tell(orders, rows)
    try:
        reports = await _made(orders, executor or own, make, rows)
    finally:
        stop.set()
        await asyncio.to_thread(own.shutdown, cancel_futures=True)  # until no process is left
    return Results(folder, reports)


class Order(Struct, frozen=True):
    """What is to be done for one row: a run, its check alone, or nothing."""

    number: int
    job: Job
    content: str
    """The digest of what the run is made with; empty if that can't be told."""
    kept: Returned | None

    @property
    def is_done(self) -> bool:
        """Whether the row is there: of a run that was kept, at which no check has to look."""
        return self.kept is not None and not (self.kept.work and self.job.task.check)


def _orders(jobs: list[Job], rows: Rows, *, anew: bool) -> list[Order]:
    made_of = {job.candidate.label: digest(job.candidate) for job in jobs}
    files = {job.task.label: folder_digest(job.task.folder, rows.folder) for job in jobs}
    orders = []
    for number, job in enumerate(jobs, 1):
        candidate = made_of[job.candidate.label]
        content = digest(candidate, files[job.task.label]) if candidate else ""
        orders.append(Order(number, job, content, None if anew else rows.find(job, content)))
    return orders


def _tell(orders: list[Order], rows: Rows) -> None:
    """Says what is not made anew, since the answers look like new ones."""
    kept = sum(order.kept is not None for order in orders)
    if kept:
        which = f"{kept} of {len(orders)} runs are taken from {rows.folder} (same candidate, prompt and files)"
        print(f"{which}, checks are made again; sweep(..., anew=True) makes all anew")


async def _made(orders: Sequence[Order], executor: Executor, make: Callable[..., Returned], rows: Rows) -> list[Report]:
    """Makes the runs and checks, keeps each row as it comes, and gives all in their order."""
    packages = [(order, packed(order.job)) for order in orders if not order.is_done]
    reports = {o.number: rows.keep(o.number, o.kept, o.content) for o in orders if o.kept and o.is_done}
    waiting: dict[asyncio.Future[Returned], Order] = {}
    try:
        with Progress(len(orders), len(reports)) as progress:
            for order, package in packages:
                made = executor.submit(make, order.job, package, kept=order.kept)
                waiting[asyncio.wrap_future(made)] = order
            pending = set(waiting)
            while pending:
                ended, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
                for future in ended:
                    order = waiting[future]
                    reports[order.number] = rows.keep(order.number, future.result(), order.content)
                    progress.after(reports[order.number])
    finally:
        for future in waiting:
            future.cancel()
    return [reports[number] for number in sorted(reports)]


def _task(given: Task | str) -> Task:
    if isinstance(given, Task | str):
        return Task(given) if isinstance(given, str) else given
    raise UsageError(f"{given!r:.80} is no task; write Task('...', folder=..., check=...), or the prompt alone")


def _candidate(given: Candidate | str, tools: CandidateTools) -> Candidate:
    if isinstance(given, Candidate | str):
        return Candidate(given, tools=tools) if isinstance(given, str) else given
    raise UsageError(f"{given!r:.80} is no candidate; write Candidate(model, ...), or the name of a model alone")


def _jobs(tasks: list[Task], candidates: list[Candidate], repeats: int, seconds: float | None) -> list[Job]:
    if not isinstance(repeats, int) or repeats < 1:
        raise UsageError(f"repeats={repeats!r} is no number from 1")
    for what, labels in (("tasks", [t.label for t in tasks]), ("candidates", [c.label for c in candidates])):
        twice = next((label for label in labels if labels.count(label) > 1), None)
        if twice is not None:
            raise UsageError(f"two {what} are called {twice!r}; give each a name=")
    return [Job(t, c, n, seconds) for n in range(1, repeats + 1) for t in tasks for c in candidates]
