import pytest

from cellwright.views.bar import bar


@pytest.mark.parametrize(
    ("stretches", "drawn"),
    [
        ([(0, 4)], "████"),
        ([(0, 2)], "██  "),
        ([(1, 3)], " ██ "),
        ([(0, 0.5), (3.5, 4)], "▌  ▐"),
        ([(2, 2)], "  ▌ "),
        ([(4, 4)], "   ▐"),
        ([], "    "),
        ([(-5, 99)], "████"),
    ],
)
def test_a_stretch_is_drawn_where_it_is_and_as_long_as_it_is(stretches, drawn):
    assert bar(stretches, 4, 4) == drawn


def test_what_took_next_to_nothing_is_seen():
    assert bar([(0.5, 0.5000001)], 1_000, 10).strip() == "▌"


def test_nothing_that_lasts_no_time_fails():
    assert bar([(0, 0)], 0, 5) == "▌    "
