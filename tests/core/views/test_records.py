import pytest

from cellwright.views.frame import AS_IT_IS, Order
from cellwright.views.records import Records

ROWS = [["b", 2, None, True], ["a", 10, {"x": 1}, False], [None, 3.5, "x", None]]
RECORDS = Records(["name", "n", "any", "ok"], ROWS)
ALL = slice(0, None)


def test_rows_are_read_by_pages_of_columns():
    assert RECORDS.page(AS_IT_IS, 1, 1, slice(1, 3)) == ([[10, {"x": 1}]], 3)
    assert RECORDS.kinds == ("text", "number", "other", "bool")


@pytest.mark.parametrize(
    ("order", "found"),
    [
        (Order(1), [2, 3.5, 10]),
        (Order(1, True), [10, 3.5, 2]),
        (Order(0), [10, 2, 3.5]),
        (Order(2), [3.5, 10, 2]),
        (Order(None, False, "A"), [10]),
        (Order(None, False, "10"), [10]),
        (Order(None, False, "n <= 3.5"), [2, 3.5]),
        (Order(None, False, "ok = true"), [2]),
        (Order(None, False, "name != a"), [2]),
        (Order(None, False, "any ~ X"), [10, 3.5]),
    ],
    ids=repr,
)
def test_they_are_sorted_and_filtered(order, found):
    rows, matching = RECORDS.page(order, 0, 10, ALL)
    assert [row[1] for row in rows] == found
    assert matching == len(found)


def test_a_column_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="there is no column 9; there are 4"):
        RECORDS.page(Order(9), 0, 10, ALL)
