"""Outputs in a line each."""

import time

import pytest

from cellwright.notebook.output_brief import DRAWN, outputs_brief

from ..tools.notebooks import PIXEL, code, stream
from ..tools.test_cell_edit import document

ERROR = {"output_type": "error", "ename": "ZeroDivisionError", "evalue": "division by zero", "traceback": ["\x1b[31mx"]}


def brief(*outputs):
    """The lines for the outputs of a cell."""
    return outputs_brief(document(code("a", "x", list(outputs))).cells[0]).lines


def shown(**data):
    return {"output_type": "display_data", "metadata": {}, "data": data}


@pytest.mark.parametrize(
    ("output", "line"),
    [
        (stream("49\n"), "stdout: 49"),
        (stream("\n  \none\ntwo\n"), "stdout: one … (12 characters)"),
        ({"output_type": "stream", "name": "stderr", "text": ["warn\n"]}, "stderr: warn"),
        (stream(""), "stdout: (blank)"),
        (shown(**{"text/plain": "1"}), "1"),
        (shown(**{"image/png": PIXEL, "text/plain": "<Figure>"}), "[image/png, 1x1, 70 bytes]"),
        ({"output_type": "odd"}, "[an output of the unknown type 'odd']"),
    ],
)
def test_each_kind_has_a_line(output, line):
    assert brief(output)[0].startswith(line)


def test_an_error_is_told_by_what_went_wrong():
    assert "division by zero" in brief(ERROR)[0]


def test_many_outputs_are_counted():
    lines = brief(*(stream(str(number)) for number in range(9)))
    assert (len(lines), lines[-1]) == (6, "4 more outputs")


def test_of_a_hundred_megabytes_only_the_kinds_are_read():
    huge = [stream("row\n" * 20_000_000), shown(**{"image/png": "A" * 10**7, "text/plain": "<Figure>"}), stream("end")]
    cell = document(code("a", "x", huge)).cells[0]
    start = time.process_time()
    assert outputs_brief(cell).lines == ("[stdout, long]", "[image/png, long]", "stdout: end")
    assert time.process_time() - start < 0.1


def views(*outputs):
    """The same outputs to be drawn."""
    return outputs_brief(document(code("a", "x", list(outputs))).cells[0]).views


def test_outputs_are_kept_as_views_too_as_many_as_are_small_enough():
    picture = shown(**{"image/png": PIXEL})
    assert [view["kind"] for view in views(stream("49\n"), picture, ERROR)] == ["terminal", "image", "error"]
    assert len(views(*[ERROR] * 9)) == 5
    long = views(*[shown(**{"text/plain": "x" * 50_000})] * 5)
    assert 0 < sum(len(view["text"]) for view in long) <= DRAWN
