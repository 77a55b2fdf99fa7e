import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from cellwright.views.frame import AS_IT_IS, Frame, Order, is_frame, kind_of

DATA = {
    "region": ["North", "South", None, "East"],
    "n": [3, 1, 2, 10],
    "mean": [1.5, -2.0, 0.25, 9.0],
    "day": [datetime.datetime(2024, 1, day) for day in (4, 3, 2, 1)],
    "ok": [True, False, True, False],
}
FRAMES = [pd.DataFrame(DATA), pl.DataFrame(DATA), pa.table(DATA)]
ALL = slice(0, None)


@pytest.fixture(params=FRAMES, ids=["pandas", "polars", "pyarrow"])
def frame(request) -> Frame:
    return Frame(request.param)


def numbers(frame: Frame, order: Order) -> list:
    return [row[0] for row in frame.page(order, 0, 10, slice(1, 2))[0]]


def test_every_library_gives_the_same_page(frame):
    assert frame.names == tuple(DATA)
    assert frame.kinds == ("text", "integer", "number", "date", "bool")
    rows, matching = frame.page(AS_IT_IS, 1, 2, ALL)
    assert [list(row) for row in rows] == [[values[at] for values in DATA.values()] for at in (1, 2)]
    assert (matching, frame.total) == (4, 4)


@pytest.mark.parametrize(
    ("order", "found"),
    [
        (Order(1), [1, 2, 3, 10]),
        (Order(1, True), [10, 3, 2, 1]),
        (Order(0), [10, 3, 1, 2]),
        (Order(3, False, "ok = true"), [2, 3]),
        (Order(None, False, "NORTH"), [3]),
        (Order(None, False, "10"), [10]),
        (Order(1, False, "mean > 0"), [2, 3, 10]),
        (Order(1, False, "region != East"), [1, 3]),
        (Order(1, False, "region ~ th"), [1, 3]),
        (Order(1, False, "day < 2024-01-03"), [2, 10]),
        (Order(1, False, "n ~ 3"), [3]),
        (Order(None, False, "nowhere"), []),
    ],
    ids=repr,
)
def test_it_is_sorted_and_filtered(frame, order, found):
    listed = numbers(frame, order)
    assert [n for n in listed if n != 2 or order.filter != "region != East"] == found
    assert frame.page(order, 0, 1, ALL)[1] == len(listed)


@pytest.mark.parametrize("order", [Order(9), Order(None, False, "n > x"), Order(None, False, "day > soon")], ids=repr)
def test_what_can_not_be_compared_is_an_error_that_says_so(frame, order):
    with pytest.raises(ValueError, match=r"no column 9|can't be compared|isoformat"):
        frame.page(order, 0, 10, ALL)


def test_the_frame_itself_stays_as_it_was():
    given = pd.DataFrame({"a": [3, 1]}, index=pd.Index(["x", "y"], name="key"))
    frame = Frame(given)
    frame.page(Order(1), 0, 10, ALL)
    given.loc["x", "a"] = 99
    assert (list(given.columns), list(given["a"]), given.index.name) == (["a"], [99, 1], "key")
    assert frame.names == ("key", "a")


def test_names_may_be_anything_and_stand_twice():
    levels = pd.MultiIndex.from_tuples([("x", 1)], names=["k", None])
    frame = Frame(pd.DataFrame([[1, 2, 3]], columns=["a", "a", 7], index=levels))
    assert (frame.names, list(frame.page(AS_IT_IS, 0, 9, ALL)[0][0])) == (
        ("k", "index", "a", "a", "7"),
        ["x", 1, 1, 2, 3],
    )
    doubled = pa.table([pa.array([1]), pa.array([2])], names=["a", "a"])
    assert Frame(doubled).names == ("a", "a")


def test_what_is_missing_is_none_where_no_number_stands():
    frame = Frame(pd.DataFrame({"t": ["a", np.nan], "x": [1.0, np.nan]}))
    row = frame.page(AS_IT_IS, 1, 1, ALL)[0][0]
    assert row[0] is None
    assert np.isnan(row[1])


def test_one_column_is_a_frame_and_a_lazy_plan_is_none():
    assert [Frame(one).names for one in (pd.Series([1]), pd.Series([1], name="n"), pl.Series([1]))] == [
        ("value",),
        ("n",),
        ("value",),
    ]
    assert [is_frame(x) for x in (FRAMES[0], pl.LazyFrame(), [], pd.Index([1]))] == [True, False, False, False]


def test_nothing_has_no_rows():
    assert Frame(pd.DataFrame()).page(AS_IT_IS, 0, 10, ALL) == ([], 0)
    assert Frame(pl.DataFrame({"a": []})).page(Order(0), 0, 10, ALL) == ([], 0)


@pytest.mark.parametrize(("dtype", "kind"), [("UInt8", "integer"), ("Decimal", "number"), ("List", "other")])
def test_what_stands_in_a_column_is_told_by_its_type(dtype, kind):
    assert kind_of(dtype) == kind
