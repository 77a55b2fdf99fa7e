"""The commands of a run that go on in the background."""

import asyncio
import os

import pytest

from cellwright.commands.jobs import AT_ONCE, Jobs
from cellwright.errors import ToolError


def with_jobs(act, folder):
    """What `act(jobs)` gives; nothing of the jobs is left after their close."""

    async def run():
        jobs = Jobs()
        try:
            return await act(jobs, folder)
        finally:
            await jobs.close()
            assert asyncio.all_tasks() == {asyncio.current_task()}

    return asyncio.run(run())


def test_a_job_goes_on_and_tells_what_is_new(tmp_path):
    async def act(jobs, folder):
        os.mkfifo(folder / "go")
        job = jobs.start("read x < go; echo $x; exit 4", folder)
        assert (job.name, job.state, job.news()) == ("job-1", "running", "")
        (folder / "go").write_text("two\n")
        await jobs.wait([job], 10)
        return job.state, job.command.exit_code, job.news(), job.news()

    assert with_jobs(act, tmp_path) == ("ended", 4, "two\n", "")


def test_waiting_is_for_all_and_never_longer_than_said(tmp_path):
    async def act(jobs, folder):
        short, long = jobs.start("true", folder), jobs.start("sleep 60", folder)
        await jobs.wait(jobs.all(), 0.2)
        await jobs.wait((), 10)
        return [job.state for job in jobs.all()] if short.command.is_over or long.command.is_over else None

    assert with_jobs(act, tmp_path) == ["ended", "running"]


def test_a_limit_of_time_ends_a_job(tmp_path):
    async def act(jobs, folder):
        job = jobs.start("sleep 60", folder, 0.05)
        await jobs.wait([job], 10)
        return job.state

    assert with_jobs(act, tmp_path) == "timeout"


def test_closing_ends_all_however_often_it_is_cancelled(tmp_path):
    async def run():
        jobs = Jobs()
        for _ in range(3):
            jobs.start("sleep 60", tmp_path)
        closing = asyncio.ensure_future(jobs.close())
        for _ in range(3):
            await asyncio.sleep(0)
            closing.cancel()
        await asyncio.wait({closing})
        return closing.cancelled(), [job.state for job in jobs.all()]

    assert asyncio.run(run()) == (True, ["the run ended"] * 3)


def test_too_many_jobs_and_unknown_names_are_clear_errors(tmp_path):
    async def act(jobs, folder):
        with pytest.raises(ToolError, match="there are: none"):
            jobs.job("job-1")
        for _ in range(AT_ONCE):
            jobs.start("sleep 60", folder)
        with pytest.raises(ToolError, match="8 jobs are running"):
            jobs.start("true", folder)
        await jobs.job("job-1").stop("killed")
        assert jobs.start("true", folder).name == "job-9"
        with pytest.raises(ToolError, match="there are: job-1, job-2"):
            jobs.job("job-99")

    with_jobs(act, tmp_path)
