from cellwright.sessions.comparison import compare
from cellwright.sessions.recorded_run import RecordedRun

from ..scene import calling, echo, play


def ran(*turns):
    return RecordedRun(play(list(turns), [echo]).events)


A, B, C = (calling(("echo", {"text": text}), text=text) for text in "abc")


def test_runs_that_did_the_same_have_no_difference():
    told = compare(ran(A, B, "done"), ran(A, B, "done"))
    assert (told.first_difference, [pair.is_same for pair in told.pairs]) == (None, [True] * 3)


def test_a_step_more_does_not_shift_what_follows():
    told = compare(ran(A, C, "done"), ran(A, B, C, "done"))
    assert [pair.is_same for pair in told.pairs] == [True, False, True, True]
    assert (told.first_difference.left, told.first_difference.right.text) == (None, "b")


def test_the_plain_text_tells_what_each_did():
    left, right = ran(A, "yes"), ran(A, "no")
    lines = compare(left, right).text.split("\n")
    assert lines[0].startswith(f"- {left.id} (scripted): answered, ")
    assert lines[2:] == ['  1. a echo {"text": "a"} [ok]', "- 2. yes", "+ 2. no"]
