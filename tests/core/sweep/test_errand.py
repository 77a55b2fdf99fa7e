"""One job taken to its end by a process of its own."""

import os

import cloudpickle
from msgspec.structs import replace

from cellwright.sweep.errand import Returned, make_run
from cellwright.sweep.job import Candidate, Job, Task

from . import candidates as c


def made(model, is_stopped=lambda: False, seconds=None):
    job = Job(Task("go"), Candidate(model, tools=c.tools), 1, seconds)
    return make_run(job, cloudpickle.dumps(job), is_stopped)


def test_the_row_comes_back_with_the_log():
    returned = made(c.talks)
    assert returned.report.answer == "the answer is 42"
    assert b"run_ended" in returned.log


def test_a_job_that_is_stopped_says_so():
    report = made(c.hangs, is_stopped=lambda: True).report
    assert (report.stop_reason, report.error) == ("cancelled", "the sweep was stopped")


def test_a_check_that_ends_its_process_costs_the_check_only_and_another_looks_at_what_the_run_has_left():
    candidate = Candidate(c.writes, tools=c.tools, policy="accept_edits")
    job = Job(Task("go", check=lambda folder, answer: os._exit(4)), candidate, 1)
    first = make_run(job, cloudpickle.dumps(job))
    assert (first.report.answer, first.report.error) == (
        "written",
        "the check failed: its process ended with exit code 4",
    )
    job = replace(job, task=replace(job.task, check=c.is_written))
    again = make_run(job, cloudpickle.dumps(job), kept=Returned(first.report.unchecked, b"", first.work))
    assert (again.report, again.log) == (replace(first.report, score=1.0, error=""), b"")


def test_a_process_that_ends_says_how_and_what_it_said_last():
    report = made(c.ends).report
    assert (report.stop_reason, report.error) == (
        "crashed",
        "its process ended with exit code 3 before the run did: about to end",
    )
