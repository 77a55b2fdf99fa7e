import pytest

from cellwright.views.row_filter import MAX_FILTER, RowFilter, read_filter

NAMES = ["region", "n", "a > b"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", None),
        ("  ", None),
        ("north", RowFilter(None, "~", "north")),
        ("n > 400", RowFilter(1, ">", "400")),
        ("N>=1,000", RowFilter(1, ">=", "1,000")),
        ("region = 'North'", RowFilter(0, "=", "North")),
        ("region ~ or", RowFilter(0, "~", "or")),
        ("other = 3", RowFilter(None, "~", "other = 3")),
        ("__import__('os')", RowFilter(None, "~", "__import__('os')")),
        ("= 3", RowFilter(None, "~", "= 3")),
        ("n =", RowFilter(1, "=", "")),
    ],
)
def test_any_text_is_a_filter(text, wanted):
    assert read_filter(text, NAMES) == wanted


def test_a_number_is_read_with_its_thousands():
    assert [RowFilter(1, "=", text).number for text in ("1,000", "1e3", "x", "")] == [1000, 1000, None, None]


def test_a_long_filter_is_not_read_to_its_end():
    assert read_filter("x" * 10_000, NAMES) == RowFilter(None, "~", "x" * MAX_FILTER)
    assert read_filter("n " + "> " * 50_000, NAMES) is not None
