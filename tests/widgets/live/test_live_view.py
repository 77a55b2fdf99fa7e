"""The live view in a real kernel: what it shows, how a cell waits for it, and what it leaves behind."""

import json

import pytest

from ...kernel.driver import KernelDriver
from ..scene import AWAITED, outcome


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


TWO = """
import asyncio
both = [writer(), writer()]
print([run.stop_reason for run in await asyncio.gather(*(agent.run("Write a note.") for agent in both))])
"""
ENDS = "print([(await agent.last_run.wait(), agent.last_run.stop_reason)[1] for agent in both])"


def test_runs_that_a_cell_starts_side_by_side_leave_each_other_alone(ready: KernelDriver):
    rests = "Turn('I rest.', [('sleep', {'seconds': 0.3})])"
    ready.run(f"def writer(): return Agent(ScriptedModel([{rests}, 'Rested.']), [sleep])")
    assert ready.run(TWO).stdout == "['answered', 'answered']\n"


def test_an_interrupt_stops_all_runs_that_a_cell_waits_for(ready: KernelDriver):
    cell = ready.start(TWO)
    widgets = ready.widget_models
    asks = "Allow once"
    ready.wait_until(lambda: [m.state.get("description") for m in widgets().values()].count(asks) == 2, "two questions")
    ready.interrupt()
    assert ready.wait_idle(cell).status == "error"
    assert ready.run(ENDS).stdout == "['cancelled', 'cancelled']\n"


def test_the_record_replaces_what_is_alive(ready: KernelDriver):
    cell = ready.start(AWAITED)
    ready.click("Allow once")
    ready.wait_idle(cell)
    shown = cell.outputs[0]["data"]
    assert set(shown) == {"text/html", "text/plain"}
    assert "note.txt" in shown["text/html"]
    assert "Write a note." in shown["text/plain"]


def test_a_notebook_that_is_saved_in_the_middle_reads_without_widgets(ready: KernelDriver):
    cell = ready.start(AWAITED)
    ready.wait_widget("Allow once")
    shown = cell.outputs[0]["data"]
    assert "application/vnd.jupyter.widget-view+json" in shown
    assert "This was a live view" in shown["text/html"]
    assert "VBox" not in shown["text/plain"]
    ready.click("Deny")
    ready.wait_idle(cell)


def test_the_transcript_tells_a_page_which_output_the_record_replaces(ready: KernelDriver):
    cell = ready.start(AWAITED)
    ready.wait_widget("Allow once")
    transcript = ready.widget_models()[ready.wait_widget(None, "AnyModel")]
    view = cell.outputs[0]["data"]["application/vnd.jupyter.widget-view+json"]
    ready.click("Allow once")
    ready.wait_idle(cell)
    ready.send_custom(transcript.comm_id, {"record": True})
    ready.wait_until(lambda: transcript.custom and "record" in transcript.custom[-1][0], "the record")
    assert transcript.custom[-1][0]["record"] == cell.outputs[0]["data"]
    told = {name: transcript.state[name] for name in ("shown", "cell", "ended")}
    assert told == {"shown": view["model_id"], "cell": cell.cell_id, "ended": True}


@pytest.mark.parametrize(("kept", "left"), [(True, 10), (False, 13)])
def test_only_views_that_some_page_may_still_need_stay_alive(ready: KernelDriver, kept: bool, left: int):
    for _ in range(13):
        ready.run("await Agent(ScriptedModel(['Hello.']), tools=[]).run('Greet me.')")
        if kept:
            ready.send_custom(ready.wait_widget(None, "AnyModel"), {"kept": True})
    ready.run("pass")
    live = [model.model_name for model in ready.widget_models().values()]
    assert {name: live.count(name) for name in ("AnyModel", "VBoxModel")} == {"AnyModel": left, "VBoxModel": 2 * left}
    assert live.count("LayoutModel") == 3 * left
