"""The commands of a run that go on in the background.

A server, a build, a long test: it is started, the run goes on, and looks now and then at what it has said. The rule
that must never break: when a run ends, its jobs have ended.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

from cellwright.commands.command import Command
from cellwright.errors import ToolError, unknown_name
from cellwright.waiting.outlasting import outlast

AT_ONCE = 8
"""Jobs of one run that go on at the same time, at most."""


class Job:
    """A command in the background, and how much of its output was looked at."""

    def __init__(self, name: str, command: Command, timeout: float | None) -> None:
        self.name = name
        self.command = command
        self._seen = 0
        self._deadline = asyncio.get_running_loop().create_task(self._limit(timeout)) if timeout else None

    @property
    def state(self) -> str:
        """`running`, `ended` by itself, or why it was stopped."""
        return (self.command.stopped or "ended") if self.command.is_over else "running"

    def news(self) -> str:
        """What it has written since this was last asked for."""
        seen, self._seen = self._seen, self.command.output.total
        return self.command.output.text(seen)

    async def stop(self, why: str) -> None:
        """Ends it with all that it started."""
        try:
            await self.command.stop(why)
        finally:
            if self._deadline is not None:
                self._deadline.cancel()
                await asyncio.wait({self._deadline})

    async def _limit(self, timeout: float | None) -> None:
        if not await self.command.wait(timeout):
            await self.command.stop("timeout")


class Jobs:
    """The jobs of one run."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}

    def start(self, line: str, folder: Path, timeout: float | None = None) -> Job:
        """Starts a command, with a limit of so many seconds if one is given.

        Raises:
            ToolError: `too_many_jobs`, or what `Command` raises.
        """
        busy = [name for name, job in self._jobs.items() if not job.command.is_over]
        if len(busy) >= AT_ONCE:
            raise ToolError("too_many_jobs", f"{AT_ONCE} jobs are running ({', '.join(busy)}); end one with kill_job")
        name = f"job-{len(self._jobs) + 1}"
        job = Job(name, Command(line, folder), timeout)
        self._jobs[name] = job
        return job

    def job(self, name: str) -> Job:
        """The job of this name.

        Raises:
            ToolError: `not_found`, with the names that there are.
        """
        if name not in self._jobs:
            raise unknown_name("job", name, *self._jobs)
        return self._jobs[name]

    def all(self) -> tuple[Job, ...]:
        """In the order in which they were started."""
        return tuple(self._jobs.values())

    async def wait(self, jobs: Iterable[Job], timeout: float | None) -> None:
        """Until all of these have ended, or so many seconds have passed."""
        waits = [asyncio.ensure_future(job.command.wait(timeout)) for job in jobs]
        if waits:
            try:
                await asyncio.wait(waits)
            finally:
                for wait in waits:
                    wait.cancel()

    async def close(self) -> None:
        """Ends all, side by side."""
        stops = [asyncio.ensure_future(job.stop("the run ended")) for job in self._jobs.values()]
        await outlast(lambda: all(stop.done() for stop in stops), lambda: asyncio.wait(stops))
