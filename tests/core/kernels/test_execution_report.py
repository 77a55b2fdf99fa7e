"""What is told of code that ran."""

import pytest

from cellwright.kernels.cell_outputs import CellOutputs
from cellwright.kernels.child_kernel import Execution
from cellwright.kernels.execution_report import NOTHING, ExecutionReport
from cellwright.views.view import as_text

from ..tools.notebooks import PIXEL


def execution(status="ok", printed="", message="", **data):
    cell = CellOutputs()
    if printed:
        cell.take("stream", {"name": "stdout", "text": printed}, "")
    if data:
        bundle = {name.replace("_", "/"): value for name, value in data.items()}
        cell.take("display_data", {"data": bundle, "metadata": {}}, "")
    return Execution(status, 1, message, cell)


def test_outputs_come_first_then_what_there_is_to_say():
    report = ExecutionReport(execution(printed="so far\n", message="It was odd."), "here", ["And so on."])
    assert report.text == "so far\nIt was odd.\nAnd so on."
    assert as_text(report.view) == "here\nso far\n\nIt was odd.\nAnd so on."


@pytest.mark.parametrize(
    ("status", "code"), [("error", "code_failed"), ("timeout", "code_timeout"), ("died", "kernel_died")]
)
def test_each_way_of_failing_has_its_code_and_keeps_the_outputs(status, code):
    failure = ExecutionReport(execution(status, "so far\n", "Why.")).failure
    assert (failure.code, failure.message) == (code, "so far\nWhy.")
    assert "so far" in as_text(failure.view)


def test_code_without_a_word_says_that_it_ran():
    output = ExecutionReport(execution()).result({"calls": 2})
    assert (output.content, output.value) == (NOTHING, {"output": "", "calls": 2})


def test_a_picture_goes_to_models_that_see_and_never_into_the_text():
    output = ExecutionReport(execution(image_png=PIXEL)).result({})
    assert [image.data for image in output.images] == [PIXEL] and PIXEL[:20] not in output.content
