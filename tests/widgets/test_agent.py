"""The agent in a real kernel: a run edits a file under approval, answered by the messages that clicks send."""

import json
from pathlib import Path

import pytest

from ..kernel.driver import KernelDriver
from .scene import AWAITED, SET_UP, STARTED, outcome


def test_a_waiting_cell_goes_on_when_the_call_is_allowed(ready: KernelDriver, tmp_path: Path):
    cell = ready.start(AWAITED)
    ready.click("Allow once")
    assert ready.wait_idle(cell).status == "ok"
    assert (tmp_path / "note.txt").read_text() == "hello\n"
    assert json.loads(cell.stdout.splitlines()[-1])[0] == "answered"


def test_a_denied_call_changes_nothing_and_the_model_goes_on(ready: KernelDriver, tmp_path: Path):
    cell = ready.start(AWAITED)
    ready.click("Deny")
    ready.wait_idle(cell)
    assert not (tmp_path / "note.txt").exists()
    assert json.loads(cell.stdout.splitlines()[-1])[0] == "answered"


def test_the_model_reads_the_reason_of_a_denial(ready: KernelDriver):
    cell = ready.start(AWAITED)
    ready.click("Deny with reason")
    ready.set_value("The model reads this reason.", "write it in French")
    ready.click("Continue")
    ready.click("Send this denial")
    ready.wait_idle(cell)
    assert "write it in French" in cell.stdout


def test_edited_arguments_run_and_nothing_else(ready: KernelDriver, tmp_path: Path):
    cell = ready.start(AWAITED)
    ready.click("Edit arguments")
    ready.set_value(ready.wait_widget(None, "TextareaModel", tooltip="path"), "other.txt")
    ready.set_value(ready.wait_widget(None, "TextareaModel", tooltip="content"), "hullo\n")
    ready.wait_until(lambda: "hullo" in proofs(ready), "what the changed call would do")
    ready.click("Run exactly this")
    ready.wait_idle(cell)
    assert (tmp_path / "other.txt").read_text() == "hullo\n"
    assert not (tmp_path / "note.txt").exists()


def test_edited_arguments_that_leave_the_folder_are_not_accepted(ready: KernelDriver, tmp_path: Path):
    cell = ready.start(AWAITED)
    ready.click("Edit arguments")
    ready.set_value(ready.wait_widget(None, "TextareaModel", tooltip="path"), "../other.txt")
    ready.wait_until(lambda: "working folder" in str(ready.widget_models()), "the problem")
    ready.click("Deny")
    ready.wait_idle(cell)
    assert not (tmp_path.parent / "other.txt").exists()


def proofs(kernel: KernelDriver) -> str:
    """What is drawn of changed arguments."""
    drawn = (str(model.state.get("value")) for model in kernel.widget_models().values())
    return "".join(text for text in drawn if "With these arguments" in text)


@pytest.mark.parametrize(("button", "told"), [("Allow once", "Created"), ("Deny", "denied")])
def test_a_run_in_the_background_is_answered_on_every_kernel(ready_anywhere: KernelDriver, button: str, told: str):
    assert ready_anywhere.run(STARTED).status == "ok"
    ready_anywhere.click(button)
    stop_reason, answer, paired = outcome(ready_anywhere)
    assert (stop_reason, paired) == ("answered", True)
    assert told.lower() in str(answer).lower()


def test_without_a_front_end_a_question_is_given_up(tmp_path: Path):
    with KernelDriver(folder=tmp_path, cell_ids=False) as kernel:
        kernel.run(SET_UP + "\nfrom cellwright_widgets.questions.widget_approver import WidgetApprover")
        cell = kernel.start("run = await writer().run('Write a note.')\noutcome(run)")
        assert kernel.wait_idle(cell, 40).status == "ok"
        assert "no front end" in cell.stdout
