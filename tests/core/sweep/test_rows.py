"""The file of a sweep's rows."""

import pytest
from msgspec.structs import replace

from cellwright import UsageError
from cellwright.sweep.errand import Returned
from cellwright.sweep.job import Candidate, Job, Task
from cellwright.sweep.report import Report
from cellwright.sweep.rows import ROWS, Rows

ROW = Report("task", "model", 1, "go", "answered", 1.0)
JOB = Job(Task("go", "task", check=print), Candidate("scripted:tour", "model"), 1)


def kept(folder, row=ROW, content="as it is", work=b"work"):
    rows = Rows(folder)
    rows.keep(1, Returned(row, b"events\n", work), content)
    return rows


def test_a_row_is_written_down_with_its_log_and_work_beside_it(tmp_path):
    (row,) = kept(tmp_path).newest
    assert row == replace(ROW, log=str(tmp_path / "0001-model-task.jsonl"))
    assert (tmp_path / "0001-model-task.jsonl").read_bytes() == b"events\n"
    assert (tmp_path / "0001-model-task.tar.gz").read_bytes() == b"work"
    assert Rows(tmp_path).newest == [row]


def test_a_last_line_that_was_cut_off_is_passed_over_and_the_next_row_stands_alone(tmp_path):
    kept(tmp_path)
    with (tmp_path / ROWS).open("a") as file:
        file.write('{"task": "ta')
    kept(tmp_path, replace(ROW, attempt=2))
    assert [row.attempt for row in Rows(tmp_path).newest] == [1, 2]


def test_rows_that_are_none_are_refused_with_their_line(tmp_path):
    (tmp_path / ROWS).write_text('{"task": "a"}\n')
    with pytest.raises(UsageError, match=r"line 1 of .* is no row of a sweep"):
        Rows(tmp_path)


def test_a_name_that_is_hostile_makes_no_path(tmp_path):
    (row,) = kept(tmp_path / "out", replace(ROW, model="../../x", task="a/b\n")).newest
    assert row.log == str(tmp_path / "out" / "0001-.._.._x-a_b_.jsonl")


def test_a_run_is_found_by_its_content_and_its_row_has_no_score(tmp_path):
    failed = replace(ROW, score=None, error="odd; the check failed: KeyError: 'a'")
    rows = kept(tmp_path, failed)
    found = rows.find(JOB, "as it is")
    assert (found.report.score, found.report.error, found.work) == (None, "odd", tmp_path / "0001-model-task.tar.gz")
    assert rows.find(JOB, "edited") is rows.find(replace(JOB, attempt=2), "as it is") is None
    assert kept(tmp_path / "old", content="").find(JOB, "") is None


def test_a_content_that_is_back_finds_its_own_run_with_its_own_log(tmp_path):
    kept(tmp_path)
    kept(tmp_path, replace(ROW, answer="other"), "edited")
    found = Rows(tmp_path).find(JOB, "as it is")
    assert (found.report.answer, found.report.log) == ("", str(tmp_path / "0001-model-task.jsonl"))
    rows = Rows(tmp_path)
    rows.keep(1, found, "as it is")
    assert [row.answer for row in rows.newest] == [row.answer for row in Rows(tmp_path).newest] == [""]


@pytest.mark.parametrize(
    ("facts", "is_taken"),
    [
        ({"stop_reason": "timeout", "seconds": 9.0}, True),
        ({"stop_reason": "timeout", "seconds": 3.0}, False),
        ({"stop_reason": "crashed"}, True),
        ({"stop_reason": "cancelled"}, False),
        ({"stop_reason": "model_error"}, False),
        ({"stop_reason": "budget"}, True),
    ],
)
def test_a_run_that_failed_for_a_reason_outside_it_is_made_anew(tmp_path, facts, is_taken):
    rows = kept(tmp_path, replace(ROW, **facts))
    assert (rows.find(replace(JOB, seconds=8), "as it is") is not None) is is_taken


def test_a_run_without_its_work_is_made_anew_for_a_check_only(tmp_path):
    rows = kept(tmp_path, work=b"")
    assert rows.find(JOB, "as it is") is None
    assert rows.find(replace(JOB, task=replace(JOB.task, check=None)), "as it is").report.answer == ""
