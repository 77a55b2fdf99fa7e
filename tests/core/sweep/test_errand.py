"""One job taken to its end by a process of its own."""

import cloudpickle

from cellwright.sweep.errand import make_run
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


def test_a_process_that_ends_says_how_and_what_it_said_last():
    report = made(c.ends).report
    assert (report.stop_reason, report.error) == (
        "crashed",
        "its process ended with exit code 3 before the run did: about to end",
    )
