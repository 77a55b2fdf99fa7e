"""One run of a sweep, in one row."""

import pytest
from msgspec.structs import replace

from cellwright import Turn
from cellwright.messages import Usage
from cellwright.sweep.job import Candidate, Job, Task
from cellwright.sweep.report import began, report_of_json, report_of_run

from ..scene import play

JOB = Job(Task("go", "task"), Candidate("scripted:tour"), 2)


def test_a_run_that_has_ended_is_told_in_one_row():
    run = play([Turn("", [("none_such", {})], usage=Usage(10, 2, 4)), Turn("done", usage=Usage(20, 3))])
    row = report_of_run(JOB, run, 1.23456)
    assert (row.task, row.model, row.attempt, row.stop_reason, row.answer) == (
        "task", "scripted:tour", 2, "answered", "done",
    )  # fmt: skip
    assert (row.calls, row.failed_calls, row.input_tokens, row.cached_tokens, row.seconds) == (1, 1, 30, 4, 1.235)


def test_a_check_that_failed_is_told_behind_what_the_run_said_and_taken_off_again():
    row = began(JOB).check_failed("KeyError: 'a'")
    assert row.error == "the check failed: KeyError: 'a'"
    row = replace(began(JOB), error="odd").check_failed("no")
    assert (row.error, row.unchecked.error) == ("odd; the check failed: no", "odd")


def test_a_row_is_data_and_back():
    row = began(JOB)
    assert report_of_json({**row.as_json(), "of_a_later_version": 1}) == row
    assert row.key == JOB.key
    with pytest.raises(TypeError):
        report_of_json({"task": "a"})
