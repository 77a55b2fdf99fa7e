import pytest

from cellwright.views.legible import legible

SMALL = [1.5e-9, 100.0]


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([613.3184210526316, 2.0], ["613.318421", "2.000000"]),
        ([19.25, 21.5, 18.02], ["19.25", "21.50", "18.02"]),
        ([1.0, 2.0], ["1.0", "2.0"]),
        ([0.1 + 0.2, None, "NaN"], ["0.3", None, "NaN"]),
        ([0.00003125, 0.5], ["0.000031", "0.500000"]),
        (SMALL, ["1.5e-09", "1.0e+02"]),
        ([1234567.891, 0.5], ["1234567.891", "0.500"]),
        ([123456789012.5, 1 / 3], ["123456789012.50", "0.33"]),
        ([123456789012.5, 0.01], ["1.234568e+11", "1.000000e-02"]),
        ([1e300, 0.0], ["1.0e+300", "0.0e+00"]),
        ([-0.5, 3], ["-0.5", 3]),
        ([1, True, "x"], [1, True, "x"]),
        ([float("inf"), float("nan")], [float("inf"), pytest.approx(float("nan"), nan_ok=True)]),
        ([], []),
    ],
    ids=str,
)
def test_floats_of_a_column_have_as_many_decimals_as_a_reader_wants(values, texts):
    assert legible(values) == texts


@pytest.mark.parametrize(
    ("values", "texts"), [([1, 2.25], ["1.00", "2.25"]), ([1, 2], [1, 2]), ([2**60, 0.5], [2**60, "0.5"])], ids=str
)
def test_whole_numbers_among_floats_are_aligned_with_them_and_stay_exact(values, texts):
    assert legible(values, "number") == texts


DAYS = ["2024-01-02T00:00:00", None, "2024-01-03T00:00:00.000"]


@pytest.mark.parametrize(
    ("values", "kind", "texts"),
    [
        (DAYS, "date", ["2024-01-02", None, "2024-01-03"]),
        (DAYS, "text", DAYS),
        ([*DAYS, "2024-01-02T00:00:01"], "date", [*DAYS, "2024-01-02T00:00:01"]),
        (["2024-01-02T00:00:00+02:00"], "date", ["2024-01-02T00:00:00+02:00"]),
    ],
    ids=str,
)
def test_days_are_days_where_all_of_them_are(values, kind, texts):
    assert legible(values, kind) == texts
