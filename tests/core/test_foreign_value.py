import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from cellwright.codec import to_json
from cellwright.foreign_value import MAX_VALUES, UNKNOWN, foreign, is_from


@pytest.mark.parametrize(
    ("value", "plainer"),
    [
        (np.float32(0.5), 0.5),
        (np.longdouble(0.5), 0.5),
        (np.clongdouble(2j), 2j),
        (np.arange(2), [0, 1]),
        (pd.NaT, None),
        (pd.Interval(0, 1), "(0, 1]"),
        (pd.Index(["a"]), ["a"]),
        (pa.scalar(3), 3),
    ],
)
def test_a_value_of_another_library_becomes_a_plainer_one(value, plainer):
    found = foreign(value)
    assert (found, type(found)) == (plainer, type(plainer))


@pytest.mark.parametrize("value", [1, "a", object(), np.dtype("int"), pd.DataFrame({"a": [1]}).groupby("a").size])
def test_what_is_of_no_such_library_or_has_no_plainer_form_is_unknown(value):
    assert foreign(value) is UNKNOWN


@pytest.mark.parametrize(
    ("shape", "first", "kept"),
    [((500, 400), [0] * 400, 250), ((2, 200_000), 0, MAX_VALUES), ((300_000,), 0, MAX_VALUES)],
)
def test_a_large_array_is_kept_in_part_and_says_so(shape, first, kept):
    found = foreign(np.zeros(shape, int))
    assert (found["shape"], found["values"][0], len(found["values"])) == (list(shape), first, kept)
    assert found["note"] == f"the first 100,000 of {np.prod(shape):,} values"


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (pa.array(range(MAX_VALUES + 1)), "int64"),
        (pa.chunked_array([[0, 1], range(2, MAX_VALUES + 1)]), "int64"),
        (pd.RangeIndex(MAX_VALUES + 1), "int64"),
        (pd.array(np.arange(MAX_VALUES + 1)), "Int64"),
        (pd.Categorical(np.arange(MAX_VALUES + 1)), "category"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_so_is_all_else_that_is_large(value, dtype):
    found = to_json(value)
    note = f"the first {MAX_VALUES:,} of {MAX_VALUES + 1:,} values"
    assert found == {"shape": [MAX_VALUES + 1], "dtype": dtype, "values": list(range(MAX_VALUES)), "note": note}
    assert to_json(value[:MAX_VALUES]) == found["values"]


def test_a_value_is_from_the_package_of_its_class():
    assert is_from("numpy", np.int8(1))
    assert not is_from("numpy", 1)
    assert not is_from("no_such_package", np.int8(1))
