"""The rows of a sweep, kept and put together."""

import pytest
from msgspec.structs import replace

from cellwright import UsageError
from cellwright.sweep.errand import Returned
from cellwright.sweep.report import Report
from cellwright.sweep.results import COLUMNS, ROWS, Results

USED = {"input_tokens": 900, "output_tokens": 100, "cost": 0.5, "seconds": 2}
ROW = Report("task", "model", 1, "go", "answered", 1.0, steps=3, **USED)


def kept(folder, *rows):
    results = Results(folder)
    for number, row in enumerate(rows, 1):
        results.keep(number, Returned(row, b"events\n"))
    return results


def test_a_row_is_written_down_with_its_log_beside_it(tmp_path):
    (row,) = kept(tmp_path, ROW)
    assert row == replace(ROW, log=str(tmp_path / "0001-model-task.jsonl"))
    assert (tmp_path / "0001-model-task.jsonl").read_bytes() == b"events\n"
    assert list(Results(tmp_path)) == [row]


def test_a_last_line_that_was_cut_off_is_passed_over_and_the_next_row_stands_alone(tmp_path):
    kept(tmp_path, ROW)
    with (tmp_path / ROWS).open("a") as file:
        file.write('{"task": "ta')
    results = Results(tmp_path)
    results.keep(2, Returned(replace(ROW, attempt=2), b""))
    assert [row.attempt for row in Results(tmp_path)] == [1, 2]


def test_rows_that_are_none_are_refused_with_their_line(tmp_path):
    (tmp_path / ROWS).write_text('{"task": "a"}\n')
    with pytest.raises(UsageError, match=r"line 1 of .* is no row of a sweep"):
        Results(tmp_path)


def test_a_name_that_is_hostile_makes_no_path(tmp_path):
    (row,) = kept(tmp_path / "out", replace(ROW, model="../../x", task="a/b\n"))
    assert row.log == str(tmp_path / "out" / "0001-.._.._x-a_b_.jsonl")


def test_a_line_for_each_candidate_tells_how_it_did(tmp_path):
    other = replace(ROW, model="other", stop_reason="budget", score=0.0, cost=None)
    results = kept(tmp_path, ROW, replace(ROW, attempt=2, score=0.0, steps=5), other)
    assert results.summary() == [
        ("model", "2", "2", "0.50", "4", "1,000", "$1.0000", "2.0"),
        ("other", "1", "0", "0.00", "3", "1,000", "-", "2.0"),
    ]
    assert repr(results).splitlines()[0].split() == list(COLUMNS)


def test_a_data_frame_has_a_column_for_each_field(tmp_path):
    frame = kept(tmp_path, ROW, replace(ROW, attempt=2)).frame()
    assert frame.groupby("model")["score"].mean().to_dict() == {"model": 1.0}
    assert list(frame.columns)[:3] == ["task", "model", "attempt"]
