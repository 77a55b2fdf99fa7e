"""All that a patch changes is in the diff that the person sees."""

import pytest

from cellwright.tools.patch_view import patch_view

from .notebooks import code, markdown, stream
from .test_cell_edit import document

KNOWN = document(code("a", "x\ny", [stream("1")], 7), markdown("b", "t", attachments={"p.png": {"image/png": "AA"}}))
FIRST, SECOND = KNOWN.cells


@pytest.mark.parametrize(
    ("after", "line"),
    [
        (KNOWN.clear_outputs(FIRST), "+=== a · code"),
        (KNOWN.change_metadata(SECOND, {"tags": ["x"]}), '+metadata tags: ["x"]'),
        (KNOWN.change_own_metadata({"k": None, "m": {"a": 1}}), '+metadata m: {"a":1}'),
        (KNOWN.delete(SECOND), "-=== b · markdown · attachment p.png"),
        (KNOWN.change_type(FIRST, "raw"), "+=== a · raw"),
        (KNOWN.move(FIRST, after=SECOND), "+=== b · markdown · attachment p.png"),
        (KNOWN.insert("code", "new", after=FIRST), "+=== new cell · code"),
        (KNOWN.split(FIRST, 2), "+=== new cell · code"),
    ],
    ids=range(8),
)
def test_each_kind_of_change_has_a_line(after, line):
    assert line in patch_view(KNOWN, after).unified.split("\n")


def test_no_change_is_an_empty_diff():
    assert patch_view(KNOWN, KNOWN).unified == ""


def test_the_cells_that_the_diff_is_about_are_named_first():
    after = KNOWN.delete(SECOND).replace_source(FIRST, "z").insert("code", "new")
    assert patch_view(KNOWN, after).notes == ("changed or new: a, new cell", "deleted: b")
