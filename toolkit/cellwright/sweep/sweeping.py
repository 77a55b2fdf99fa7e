"""Many runs at once: each task by each candidate, so many times, on the cores of this machine or of a cluster.

Which model does it better, or which system prompt, is a question for a hundred runs and not for one. Each run has a
process, a folder and a log of its own; the rows come back in the order in which the runs end. Whatever has the face of
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

from cellwright.errors import UsageError
from cellwright.sweep.errand import Returned, make_run
from cellwright.sweep.job import Candidate, CandidateTools, Job, Task
from cellwright.sweep.packing import packed
from cellwright.sweep.progress import Progress
from cellwright.sweep.results import Results

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
) -> Results:
    """Makes each run that has no row in the folder yet, and gives all rows.

    A text is a task of this prompt, or a model of this name with these `tools`. A run that takes longer than `seconds`
    is ended. `workers` are the runs that go on at once, by default as many as there are cores; an `executor` has its
    own number. A sweep that is stopped ends its runs, and goes on when it is begun again.

    Raises:
        UsageError: for what is no task, candidate or number, for two of one name, for what can't be sent to a process.
    """
    results = Results(folder)
    jobs = _jobs([_task(each) for each in tasks], [_candidate(each, tools) for each in models], repeats, seconds)
    done = {row.key for row in results}
    left = [(number, job, packed(job)) for number, job in enumerate(jobs, 1) if job.key not in done]
    stop = threading.Event()
    own = None if executor else ThreadPoolExecutor(workers or os.cpu_count() or 1, "cellwright-sweep")
    make = partial(make_run, is_stopped=stop.is_set) if own else make_run
    try:
        with Progress(len(jobs), len(jobs) - len(left)) as progress:
            await _made(left, own or executor, make, results, progress)
    finally:
        stop.set()
        if own:
            await asyncio.to_thread(own.shutdown, cancel_futures=True)  # until no process is left
    return results


async def _made(
    jobs: Sequence[tuple[int, Job, bytes]],
    executor: Executor | None,
    make: Callable[..., Returned],
    results: Results,
    progress: Progress,
) -> None:
    """Makes the runs and keeps each row as it comes."""
    if executor is None:
        return
    waiting = {asyncio.wrap_future(executor.submit(make, job, packed)): number for number, job, packed in jobs}
    try:
        pending = set(waiting)
        while pending:
            ended, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            for future in ended:
                progress.after(results.keep(waiting[future], future.result()))
    finally:
        for future in waiting:
            future.cancel()


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
