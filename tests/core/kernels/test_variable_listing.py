"""What is told of variables, and that none of their own code runs for it."""

import datetime
import itertools

import numpy as np
import pandas as pd
import pytest
from pandas.api.extensions import ExtensionArray, ExtensionDtype

from cellwright.kernels.variable_listing import ITEMS, MOST, ROOM, listing, preview, variable


class Armed:
    """Whether the classes below may still be used."""

    now = False


class Hostile:
    """Everything that a value can do when it is looked at is a failure of the test."""

    def __getattribute__(self, name):
        if Armed.now:
            pytest.fail(f"read {name}")
        return object.__getattribute__(self, name)

    def fail(self, *args):
        pytest.fail("ran")

    __repr__ = __str__ = __len__ = __bool__ = __iter__ = __format__ = fail


class HostileKind(type):
    def __getattribute__(cls, name):
        if Armed.now:
            pytest.fail(f"read {name} of the class")
        return type.__getattribute__(cls, name)


class Made(metaclass=HostileKind):
    pass


class Pretender:
    """Says that it is an array."""

    @property
    def shape(self):
        pytest.fail("asked for its shape")


Pretender.__module__, Pretender.__qualname__ = "numpy", "ndarray"


class Own(list):
    __len__ = __iter__ = Hostile.fail


class Hidden:
    @property
    def __dict__(self):
        pytest.fail("asked for its dictionary")


class Frame(pd.DataFrame):
    @property
    def shape(self):
        pytest.fail("asked for its shape") if Armed.now else None
        return (0, 0)


class ColumnDtype(ExtensionDtype):
    name, type = "own", int

    def __str__(self):
        return pytest.fail("printed") if Armed.now else "own"


class Column(ExtensionArray):
    """A column of a table, by whoever likes to write one."""

    dtype = ColumnDtype()

    def __init__(self):
        pass

    def copy(self):
        return self

    def isna(self):
        return np.array([False, False])

    def __getitem__(self, at):
        return pytest.fail("asked for an item") if Armed.now else Column() if isinstance(at, slice) else 1

    def __getattribute__(self, name):
        if Armed.now:
            pytest.fail(f"read {name}")
        return object.__getattribute__(self, name)

    def __len__(self):
        return pytest.fail("counted") if Armed.now else 2


class Key:
    """A key of a namespace that falls together with the name of a variable."""

    def __hash__(self):
        return hash("point")

    def __eq__(self, other):
        return pytest.fail("compared") if Armed.now else False


def measuring_itself(table):
    object.__setattr__(table, "memory_usage", Hostile.fail)
    return table


class Point:
    def __init__(self):
        self.x, self.y = 1, Hostile()


HOSTILE = {
    "plain": Hostile(),
    "made": Made(),
    "kind": Made,
    "pretender": Pretender(),
    "own": Own([1]),
    "hidden": Hidden(),
    "frame": Frame(),
    "array": np.array([Hostile(), 1, "x"], dtype=object),
    "series": pd.Series([Hostile(), 2]),
    "table": pd.DataFrame({"a": [1], "b": [Hostile()]}),
    "inside": {"k": [Hostile()], Hostile: (Hostile(),)},
    "point": Point(),
    "column": pd.Series(Column()),
    "columns": pd.DataFrame({"a": Column()}),
    "index": pd.Series([1, 2], index=pd.Index(Column(), copy=False)),
    "categories": pd.DataFrame({"a": pd.Categorical(["x"])}),
    "measuring": measuring_itself(pd.DataFrame({"a": [1]})),
}


def test_no_code_of_a_value_runs_when_it_is_listed():
    namespace = {Key(): 1, **HOSTILE}
    Armed.now = True
    try:
        told = {entry["name"]: entry["preview"] for entry in listing(namespace, (), None)["variables"]}
    finally:
        Armed.now = False
    assert told.keys() == HOSTILE.keys()
    assert told["point"].endswith("Point(x=1, y=<test_variable_listing.Hostile>)") or "x=1" in told["point"]
    assert told["array"].endswith(", 1, 'x']") and told["table"] == "a int64, b object"
    assert told["columns"] == told["measuring"] == "<pandas.DataFrame>" and told["categories"] == "a category"


@pytest.mark.parametrize(
    ("value", "facts"),
    [
        (3, ("int", None, None, None, None, "3")),
        ([1, 2], ("list", None, None, 2, None, "[1, 2]")),
        (np.zeros((2, 3), "f4"), ("numpy.ndarray", [2, 3], "float32", None, 24, "[0.0, 0.0, 0.0, 0.0, 0.0, …]")),
        (np.float64(3), ("numpy.float64", [], "float64", None, 8, "3.0")),
        (pd.Series([1, 2]), ("pandas.Series", [2], "int64", None, 148, "[1, 2]")),
        (pd.DataFrame({"a": [1], 3: ["x"]}), ("pandas.DataFrame", [1, 2], None, None, 148, "a int64, 3 ")),
        (pd.Timestamp("2020-01-02"), ("pandas.Timestamp", None, None, None, None, "2020-01-02 00:00:00")),
    ],
)
def test_type_shape_dtype_and_size_are_told_as_far_as_there_are_any(value, facts):
    told = variable("v", value)
    told["preview"] = told["preview"][: len(facts[-1])]
    assert tuple(told[key] for key in ("type", "shape", "dtype", "length")) == facts[:4]
    assert (told["preview"], told["bytes"] is None) == (facts[-1], facts[4] is None)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "None"),
        (True, "True"),
        ("a\n", "'a\\n'"),
        ([], "[]"),
        ((1,), "(1,)"),
        (set(), "set()"),
        (frozenset({1}), "{1}"),
        ({"a": {"b": {"c": {"d": 1}}}}, "{'a': {'b': {'c': …}}}"),
        (range(10**9), "range(0, 1000000000)"),
        (list(range(9)), "[0, 1, 2, 3, 4, …]"),
        (lambda a, b=2: 0, "def <lambda>(a, b)"),
        (datetime.date(2020, 1, 2), "2020-01-02"),
        (itertools.count(), "<itertools.count>"),
        (Point, "class Point"),
    ],
)
def test_a_preview_is_short_and_says_what_is_left_out(value, expected):
    assert preview(value) == expected


def test_a_list_in_itself_a_long_text_and_a_long_number_end():
    assert preview(10**5000) == "(an int of 16,610 bits)"
    endless = []
    endless.append(endless)
    assert preview(endless) == "[[[…]]]"
    assert len(variable("v", "x" * 10**7)["preview"]) == ROOM
    assert ITEMS < 10


def test_modules_hidden_and_private_names_are_left_out_unless_they_are_asked_for():
    namespace = {"np": np, "In": [], "_x": 1, "x": 2, 3: 4}
    assert [entry["name"] for entry in listing(namespace, {"In"}, None)["variables"]] == ["x"]
    asked = listing(namespace, {"In"}, ["_x", "np", "zz"])
    assert ([entry["name"] for entry in asked["variables"]], asked["missing"]) == (["_x", "np"], ["zz"])


def test_of_very_many_variables_the_first_are_listed_and_all_are_counted():
    found = listing({f"v{n:06}": n for n in range(10_000)}, (), None)
    assert (len(found["variables"]), found["total"]) == (MOST, 10_000)
