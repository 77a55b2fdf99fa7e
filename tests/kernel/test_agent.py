"""The agent in a real kernel: a run edits a file under approval, answered by the messages that clicks send."""

import json
import time
from pathlib import Path

import pytest

from .driver import KernelDriver

SET_UP = """
import pathlib, time
from cellwright import ScriptedModel, Turn, tool
from cellwright_widgets import Agent

def said(conversation):
    return f"I was told: {conversation[-1].content}"

def writer():
    write = Turn("I will write.", [("write_file", {"path": "note.txt", "content": "hello\\n"})])
    return Agent(ScriptedModel([write, said]), tools=["write_file"])

@tool(read_only=True)
def sleep(seconds: float) -> str:
    pathlib.Path("asleep").touch()
    time.sleep(seconds)
    return "slept"

def sleeper():
    return Agent(ScriptedModel([Turn("I will sleep.", [("sleep", {"seconds": 30})]), said]), tools=[sleep])

def outcome(run):
    ids = [e.data["id"] for e in run.events if e.kind == "call"]
    results = [e.data["id"] for e in run.events if e.kind == "result"]
    print(__import__("json").dumps([run.stop_reason, run.answer, ids == results]))
"""
AWAITED = "run = await writer().run('Write a note.')\noutcome(run)"
STARTED = "run = writer().start('Write a note.')"


@pytest.fixture
def ready(kernel: KernelDriver) -> KernelDriver:
    assert kernel.run(SET_UP).status == "ok"
    return kernel


@pytest.fixture
def ready_anywhere(matrix_kernel: KernelDriver) -> KernelDriver:
    assert matrix_kernel.run(SET_UP).status == "ok"
    return matrix_kernel


def outcome(kernel: KernelDriver) -> list[object]:
    """Stop reason, answer, and whether each call has its result, once the run has ended."""
    found: list[object] = json.loads(kernel.run("await run.wait()\noutcome(run)").stdout)
    return found


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
    ready.click("Send denial")
    ready.wait_idle(cell)
    assert "write it in French" in cell.stdout


def test_edited_arguments_run_and_nothing_else(ready: KernelDriver, tmp_path: Path):
    cell = ready.start(AWAITED)
    ready.click("Edit arguments")
    editor = ready.wait_widget(None, "TextareaModel", rows=8)
    ready.set_value(editor, json.dumps({"path": "other.txt", "content": "hullo\n"}))
    ready.click("Run with these arguments")
    ready.wait_idle(cell)
    assert (tmp_path / "other.txt").read_text() == "hullo\n"
    assert not (tmp_path / "note.txt").exists()


def test_edited_arguments_that_leave_the_folder_are_not_accepted(ready: KernelDriver, tmp_path: Path):
    cell = ready.start(AWAITED)
    ready.click("Edit arguments")
    editor = ready.wait_widget(None, "TextareaModel", rows=8)
    ready.set_value(editor, json.dumps({"path": "../other.txt", "content": "x"}))
    button = ready.wait_widget("Run with these arguments", disabled=True)
    ready.send_custom(button, {"event": "click"})
    ready.click("Deny")
    ready.wait_idle(cell)
    assert not (tmp_path.parent / "other.txt").exists()


def test_the_stop_button_of_the_transcript_ends_a_question(ready: KernelDriver):
    cell = ready.start(AWAITED)
    ready.wait_widget("Allow once")
    transcript = ready.wait_widget(None, "AnyModel")
    ready.send_custom(transcript, {"stop": True})
    assert ready.wait_idle(cell, 5).status == "ok"
    assert json.loads(cell.stdout.splitlines()[-1]) == ["cancelled", "", True]


def test_an_interrupt_ends_a_waiting_run_within_half_a_second(ready: KernelDriver, tmp_path: Path):
    cell = ready.start("run = await sleeper().run('Sleep.')")
    ready.wait_until((tmp_path / "asleep").exists, "the tool to run")
    started = time.monotonic()
    ready.interrupt()
    ready.wait_idle(cell)
    assert time.monotonic() - started < 0.5 + 0.5  # half a second, and as much for a slow machine's messages
    assert cell.error["ename"] == "Interrupted"


def test_the_kernel_works_on_after_an_interrupt(ready: KernelDriver):
    cell = ready.start(AWAITED)
    ready.wait_widget("Allow once")
    ready.interrupt()
    assert ready.wait_idle(cell, 5).error["ename"] == "Interrupted"
    assert ready.run("1 + 1").text == "2"
    plain = ready.start("print('asleep', flush=True); time.sleep(30)")
    ready.wait_output(plain, "asleep")
    ready.interrupt()
    assert ready.wait_idle(plain, 5).error["ename"] == "KeyboardInterrupt"


@pytest.mark.parametrize(("button", "told"), [("Allow once", "Created"), ("Deny", "denied")])
def test_a_run_in_the_background_is_answered_on_every_kernel(ready_anywhere: KernelDriver, button: str, told: str):
    assert ready_anywhere.run(STARTED).status == "ok"
    ready_anywhere.click(button)
    stop_reason, answer, paired = outcome(ready_anywhere)
    assert (stop_reason, paired) == ("answered", True)
    assert told.lower() in str(answer).lower()


def test_awaiting_never_hangs_on_any_kernel(ready_anywhere: KernelDriver):
    cell = ready_anywhere.start("run = await writer().run('Write a note.')")
    ready_anywhere.click("Allow once")
    assert ready_anywhere.wait_idle(cell).status == "ok"
    assert outcome(ready_anywhere)[0] == "answered"


def test_an_interrupt_ends_a_background_run_while_the_kernel_is_idle(ready_anywhere: KernelDriver):
    ready_anywhere.run(STARTED)
    ready_anywhere.wait_widget("Allow once")
    time.sleep(0.3)  # the kernel puts its own handler back at the end of the cell
    ready_anywhere.interrupt()
    assert outcome(ready_anywhere) == ["cancelled", "", True]


def test_a_cell_that_is_run_again_stops_its_earlier_run(ready: KernelDriver):
    ready.run("runs = []")
    cell = ready.run("runs.append(writer().start('Write a note.'))")
    ready.wait_widget("Allow once")
    ready.wait_idle(ready.start(cell.code, cell.cell_id))
    ready.wait_until(lambda: "cancelled" in ready.run("print(runs[0].stop_reason)").stdout, "the end of the first run")
    assert ready.run("print(runs[1].stop_reason)").stdout == "None\n"


def test_the_magic_starts_a_run_with_the_text_of_the_cell(ready: KernelDriver):
    ready.run("agent = writer()\n%load_ext cellwright_widgets")
    cell = ready.run("%%agent\nWrite a note.")
    ready.click("Allow once")
    ready.run("run = _")
    assert outcome(ready)[0] == "answered"
    assert "Write a note." in cell.text


def test_without_a_front_end_a_question_is_given_up(tmp_path: Path):
    with KernelDriver(folder=tmp_path, cell_ids=False) as kernel:
        kernel.run(SET_UP + "\nfrom cellwright_widgets.widget_approver import WidgetApprover")
        cell = kernel.start("run = await writer().run('Write a note.')\noutcome(run)")
        assert kernel.wait_idle(cell, 40).status == "ok"
        assert "no front end" in cell.stdout


def test_the_record_replaces_what_is_alive(ready: KernelDriver):
    cell = ready.start(AWAITED)
    ready.click("Allow once")
    ready.wait_idle(cell)
    shown = cell.outputs[0]["data"]
    assert set(shown) == {"text/html", "text/plain"}
    assert "note.txt" in shown["text/html"]
    assert "Write a note." in shown["text/plain"]
