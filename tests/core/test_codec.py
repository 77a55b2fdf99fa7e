import array
import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import ipaddress
import typing
import uuid
from pathlib import PurePosixPath

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pydantic
import pytest

from cellwright.codec import NotJsonError, canonical, to_json

from .properties import for_any
from .scene import strict


class Color(enum.Enum):
    RED = "red"
    PAIR = (1, 2)


@dataclasses.dataclass
class Point:
    x: int
    tags: set


class Model(pydantic.BaseModel):
    when: datetime.date


class Row(typing.NamedTuple):
    a: int
    b: str


TABLE = [
    (np.int64(3), 3),
    (np.float32(0.5), 0.5),
    (np.arange(3), [0, 1, 2]),
    (np.array([[1, 2]]), [[1, 2]]),
    (np.bool_(True), True),
    (b"\xff", {"base64": "/w=="}),
    ({2, 1}, [1, 2]),
    ({10, 9, 2}, [2, 9, 10]),
    ({"b", "a"}, ["a", "b"]),
    ({1, "a"}, ["a", 1]),
    (frozenset({(2, 1), (1, 2)}), [[1, 2], [2, 1]]),
    (datetime.date(2024, 1, 2), "2024-01-02"),
    (datetime.datetime(2024, 1, 2, 3, 4), "2024-01-02T03:04:00"),
    (datetime.timedelta(minutes=1), 60.0),
    (PurePosixPath("x/y"), "x/y"),
    (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    (Color.RED, "red"),
    (Color.PAIR, [1, 2]),
    ({Color.RED: 1}, {"red": 1}),
    (decimal.Decimal("1.10"), "1.10"),
    (fractions.Fraction(1, 3), "1/3"),
    (Point(1, {2}), {"x": 1, "tags": [2]}),
    (Model(when="2024-01-02"), {"when": "2024-01-02"}),
    (Row(1, "x"), {"a": 1, "b": "x"}),
    (range(3), [0, 1, 2]),
    (float("nan"), "NaN"),
    ([float("inf"), -float("inf")], ["Infinity", "-Infinity"]),
    (np.nan, "NaN"),
    (pd.NA, None),
    (pd.NaT, None),
    (pd.Timestamp("2024-01-02"), "2024-01-02T00:00:00"),
    (np.datetime64("2024-01-02T03:04:05", "ns"), "2024-01-02T03:04:05"),
    (np.array(["2024-01-02", "NaT"], "M8[ns]"), ["2024-01-02T00:00:00", None]),
    (np.array([1500], "m8[ns]"), [1e-06]),
    ("a\ud83db", "a\ufffdb"),
    ({"k\ud83d": 1}, {"k\ufffd": 1}),
    ({1: "a", None: "b", False: "c"}, {"1": "a", "null": "b", "false": "c"}),
    (
        pd.Series([1, 2], ["a", "a"]),
        {"columns": ["index", "value"], "dtypes": ["String", "Int64"], "rows": [["a", 1], ["a", 2]], "total": 2},
    ),
    (
        pd.Series([1.5, np.nan], name="n"),
        {"columns": ["n"], "dtypes": ["Float64"], "rows": [[1.5], ["NaN"]], "total": 2},
    ),
    (pd.Index([1, 2]), [1, 2]),
    (pd.Period("2024-01"), "2024-01"),
    (None, None),
    (np.longdouble(0.5), 0.5),
    (np.array([1 + 2j]), ["1+2j"]),
    (np.clongdouble(2j), "2j"),
    (collections.deque([1, {2}]), [1, [2]]),
    (collections.UserList([1]), [1]),
    (collections.UserString("x"), "x"),
    (array.array("i", [1, 2]), [1, 2]),
    ({"a": 1}.items(), [["a", 1]]),
    ({b"k\xff": 1}, {"k\\xff": 1}),
    (ipaddress.ip_address("::1"), "::1"),
    (datetime.UTC, "UTC"),
]


@pytest.mark.parametrize(
    ("value", "expected"), TABLE, ids=[f"{i}-{type(v).__name__}" for i, (v, _) in enumerate(TABLE)]
)
def test_each_kind_of_value_has_its_form_in_json(value, expected):
    assert to_json(value) == expected
    assert type(to_json(value)) is type(expected)
    strict(canonical(to_json(value)))


def test_a_data_frame_tells_missing_from_zero():
    frame = pd.DataFrame({"a": [0.0, np.nan], "t": [pd.Timestamp("2024"), pd.NaT], "n": pd.array([0, pd.NA], "Int64")})
    assert to_json(frame)["rows"] == [[0.0, "2024-01-01T00:00:00", 0], ["NaN", None, None]]
    frame = pd.DataFrame({"s": pd.array(["", pd.NA], "string"), "b": pd.array([False, pd.NA], "boolean")})
    assert to_json(frame)["rows"] == [["", False], [None, None]]
    cells = pd.DataFrame({"vectors": [np.arange(2), np.nan], "lists": [[0], None]})
    assert to_json(cells)["rows"] == [[[0, 1], [0]], [None, None]]


def test_a_long_data_frame_is_a_page_with_its_total():
    page = to_json(pd.DataFrame({"a": range(5000)}))
    assert (len(page["rows"]), page["rows"][-1], page["total"]) == (1000, [999], 5000)


def test_an_index_that_says_something_becomes_a_column():
    frame = pd.DataFrame({"a": [1]}, index=pd.Index(["x"], name="key"))
    assert to_json(frame) == {"columns": ["key", "a"], "dtypes": ["String", "Int64"], "rows": [["x", 1]], "total": 1}


def test_a_series_is_a_frame_of_one_column():
    numbers = to_json(pd.Series([1.5, np.nan], name="n"))
    assert numbers == {"columns": ["n"], "dtypes": ["Float64"], "rows": [[1.5], ["NaN"]], "total": 2}
    indexed = to_json(pd.Series([1, 2], ["a", "a"]))
    assert (indexed["columns"], indexed["rows"]) == (["index", "value"], [["a", 1], ["a", 2]])


@pytest.mark.parametrize("of", [pl.DataFrame, pa.table, pd.DataFrame])
def test_a_frame_of_any_library_has_the_same_form(of):
    assert to_json(of({"a": [1, 2], "t": ["x", None]})) == {
        "columns": ["a", "t"],
        "dtypes": ["Int64", "String"],
        "rows": [[1, "x"], [2, None]],
        "total": 2,
    }
    assert to_json({"x": pa.array([1, None]), "y": pa.scalar(3)}) == {"x": [1, None], "y": 3}


def test_a_wide_frame_is_bounded_by_its_cells_and_says_what_is_left_out():
    page = to_json(pd.DataFrame(np.zeros((500, 5_000))))
    assert (len(page["columns"]), len(page["rows"]), page["total"]) == (1_000, 50, 500)
    assert page["note"] == "the first 50 of 500 rows; the first 1,000 of 5,000 columns"


CYCLE: list = []
CYCLE.append(CYCLE)
DEEP: list = []
for _ in range(250):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (print, "builtins.builtin_function_or_method"),
        ({"a": [object()]}, "value.a[0] is a builtins.object"),
        (CYCLE, "contains itself"),
        (DEEP, "more than 200 levels"),
        ({object: 1}, "key of type type"),
        ({1: "a", "1": "b"}, "two keys that are both written '1'"),
        (1 << 20_000, "20,001 bits"),
    ],
    ids=["function", "object", "cycle", "deep", "odd key", "equal keys", "huge"],
)
def test_what_has_no_form_in_json_is_refused_with_its_place(value, words):
    with pytest.raises(NotJsonError) as caught:
        to_json(value)
    assert words in str(caught.value)


def test_the_same_list_twice_is_no_cycle():
    once = [1]
    assert to_json([once, once]) == [[1], [1]]


def test_canonical_text_has_one_form():
    assert canonical({"b": 1, "a": ["é"]}) == '{"a":["é"],"b":1}'
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical(float("nan"))


def shuffled(value, order):
    """The same value, its keys put in in another order."""
    match value:
        case dict():
            keys = list(value)
            order.shuffle(keys)
            return {key: shuffled(value[key], order) for key in keys}
        case list():
            return [shuffled(inner, order) for inner in value]
    return value


def sorted_form(value):
    """What tells two JSON values apart, without JSON: types, signs and all."""
    match value:
        case dict():
            return ("object", sorted((key, sorted_form(inner)) for key, inner in value.items()))
        case list():
            return ("list", [sorted_form(inner) for inner in value])
    return (type(value).__name__, repr(value))


@for_any(value="json", order="order")
def test_json_is_kept_as_it_is_and_the_order_of_keys_does_not_matter(value, order):
    assert repr(to_json(value)) == repr(value)
    assert canonical(shuffled(value, order)) == canonical(value)
    assert sorted_form(strict(canonical(value))) == sorted_form(value)


@for_any(one="json", other="json", order="order")
def test_values_are_equal_if_and_only_if_their_canonical_texts_are(one, other, order):
    other = order.choice([other, shuffled(one, order), {"a": one}, [one]])
    assert (canonical(one) == canonical(other)) == (sorted_form(one) == sorted_form(other))


class Words(str):
    """A text of a class of its own."""


def dressed(value):
    """The same data in types that are no plain JSON."""
    match value:
        case dict():
            return collections.OrderedDict((Words(key), dressed(inner)) for key, inner in value.items())
        case list():
            return tuple(dressed(inner) for inner in value)
        case str():
            return Words(value)
        case float() | int() if not isinstance(value, bool):
            return np.float64(value) if isinstance(value, float) else np.int64(value)
    return value


PLAIN = {
    "a": [1, -(2**62), 0.5, True, None, "x", "\u00e9\u2028", {}],
    "b": {"c": [[], [{"d": "\U0001f600"}]]},
    "e": 1e300,
}


def test_plain_data_is_copied_and_gives_what_the_same_data_in_other_types_gives():
    copy = to_json(PLAIN)
    assert copy == PLAIN == to_json(dressed(PLAIN))
    assert canonical(copy) == canonical(to_json(dressed(PLAIN)))
    assert copy["b"]["c"] is not PLAIN["b"]["c"]
