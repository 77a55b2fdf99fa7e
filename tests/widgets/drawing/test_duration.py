import pytest

from cellwright_widgets.drawing.duration import duration


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(-1, "0.0 s"), (0.34, "0.3 s"), (9.96, "10 s"), (59.4, "59 s"), (59.6, "1 min 00 s"), (185, "3 min 05 s")],
)
def test_it_reads_as_a_person_says_it(seconds, words):
    assert duration(seconds) == words
