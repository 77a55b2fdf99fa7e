"""How far a sweep is."""

from msgspec.structs import replace

from cellwright.sweep.job import Candidate, Job, Task
from cellwright.sweep.progress import Progress
from cellwright.sweep.report import began

ROW = began(Job(Task("go"), Candidate("scripted:tour"), 1))


def test_a_bar_tells_how_many_runs_have_ended_and_answered(capfd):
    with Progress(3, 1) as progress:
        progress.after(ROW)
        progress.after(replace(ROW, stop_reason="answered"))
    said = capfd.readouterr().err
    assert "3/3" in said and "1 of 2 answered" in said
