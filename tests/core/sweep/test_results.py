"""The rows of a sweep, kept and put together."""

from msgspec.structs import replace

from cellwright.sweep.errand import Returned
from cellwright.sweep.report import Report
from cellwright.sweep.results import COLUMNS, Results
from cellwright.sweep.rows import Rows

USED = {"input_tokens": 900, "output_tokens": 100, "cost": 0.5, "seconds": 2}
ROW = Report("task", "model", 1, "go", "answered", 1.0, steps=3, **USED)


def kept(folder, *rows):
    file = Rows(folder)
    for number, row in enumerate(rows, 1):
        file.keep(number, Returned(row, b"events\n"), "")
    return Results(folder)


def test_made_of_a_folder_they_are_the_newest_of_each_run(tmp_path):
    kept(tmp_path, ROW, replace(ROW, score=0.0), replace(ROW, attempt=2))
    assert [(row.attempt, row.score) for row in Results(tmp_path)] == [(1, 0.0), (2, 1.0)]


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
