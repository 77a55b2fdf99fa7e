"""What is said of a command."""

from cellwright.tools.command_report import CommandReport
from cellwright.views.view import Group, Terminal

ENDED = CommandReport("ended", 0, 1.5, 3, "\033[1mhi\033[0m\n", "hi\n")


def test_how_it_ended_stands_last_and_notes_after_it():
    assert ENDED.text("moved") == "hi\n[exit code 0]\n[moved]"


def test_a_failure_says_first_how_it_ended():
    assert ENDED.failure("exit code 3", "moved") == "exit code 3\nhi\n[moved]"


def test_a_huge_output_is_counted_and_a_missing_one_said():
    report = CommandReport("ended", 0, 1.5, 300_000_005, "", "")
    assert report.text() == "(no output)\n[exit code 0]\n[300000005 bytes of output]"


def test_the_person_sees_the_colours():
    assert ENDED.view() == Group("exit code 0", (Terminal("\033[1mhi\033[0m\n"),))
    assert ENDED.failure_view("moved") == Group("moved", (Terminal("\033[1mhi\033[0m\n"),))


def test_a_job_has_its_name_and_line_in_the_value():
    job = CommandReport("killed", -9, 1.5, 3, "", "", (), "job-1", "make")
    assert job.as_json()["job"] == "job-1"
    assert (job.how, job.as_json()["command"]) == ("killed, the signal SIGKILL", "make")
