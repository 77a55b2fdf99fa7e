"""The live view in a real kernel: what it shows, how a cell waits for it, and what it leaves behind."""

import json

from ..kernel.driver import KernelDriver
from .scene import AWAITED, outcome


def test_the_stop_button_of_the_transcript_ends_a_question(ready: KernelDriver):
    cell = ready.start(AWAITED)
    ready.wait_widget("Allow once")
    transcript = ready.wait_widget(None, "AnyModel")
    ready.send_custom(transcript, {"stop": True})
    assert ready.wait_idle(cell, 5).status == "ok"
    assert json.loads(cell.stdout.splitlines()[-1]) == ["cancelled", "", True]


def test_awaiting_never_hangs_on_any_kernel(ready_anywhere: KernelDriver):
    cell = ready_anywhere.start("run = await writer().run('Write a note.')")
    ready_anywhere.click("Allow once")
    assert ready_anywhere.wait_idle(cell).status == "ok"
    assert outcome(ready_anywhere)[0] == "answered"


def test_a_cell_that_is_run_again_stops_its_earlier_run(ready: KernelDriver):
    ready.run("runs = []")
    cell = ready.run("runs.append(writer().start('Write a note.'))")
    ready.wait_widget("Allow once")
    ready.wait_idle(ready.start(cell.code, cell.cell_id))
    ready.wait_until(lambda: "cancelled" in ready.run("print(runs[0].stop_reason)").stdout, "the end of the first run")
    assert ready.run("print(runs[1].stop_reason)").stdout == "None\n"


def test_the_record_replaces_what_is_alive(ready: KernelDriver):
    cell = ready.start(AWAITED)
    ready.click("Allow once")
    ready.wait_idle(cell)
    shown = cell.outputs[0]["data"]
    assert set(shown) == {"text/html", "text/plain"}
    assert "note.txt" in shown["text/html"]
    assert "Write a note." in shown["text/plain"]
