"""A change has the fields that its mode needs, and no others."""

from typing import get_args

import pytest

from cellwright import ToolError
from cellwright.tools.cell_change import MAY, NEEDS, CellChange, PatchMode


def test_each_mode_says_what_it_needs():
    modes = {mode for part in get_args(PatchMode) for mode in get_args(part) or (part,)}
    assert set(NEEDS) == modes >= set(MAY)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (CellChange("split", "a"), "missing_field"),
        (CellChange("split", "a", line=2), None),
        (CellChange("split", "a", line=2, new_source="x"), "unused_field"),
        (CellChange("clear_outputs"), None),
        (CellChange("delete", "a", version="0"), None),
    ],
    ids=range(5),
)
def test_a_field_that_is_missing_or_of_no_use_is_refused(change, code):
    try:
        change.check_fields()
    except ToolError as error:
        assert error.code == code
    else:
        assert code is None


def test_an_insert_rests_on_no_cell():
    assert CellChange("delete", "a").rests_on_a_cell
    assert not CellChange("insert_after", "a", new_source="").rests_on_a_cell
    assert not CellChange("clear_outputs").rests_on_a_cell
