import asyncio

import ipywidgets

from cellwright import Agent, ScriptedModel, Turn
from cellwright_widgets.travel.pace_bar import PaceBar

from ..live.test_pace import look, until_halted
from ..test_undo_panel import widgets_of


def buttons(bar):
    return {one.description: one for one in widgets_of(bar.widget) if isinstance(one, ipywidgets.Button)}


def ticks(bar):
    return {one.description: one for one in widgets_of(bar.widget) if isinstance(one, ipywidgets.Checkbox)}


def shown(bar):
    return "".join(one.value for one in widgets_of(bar.widget) if isinstance(one, ipywidgets.HTML))


def played(scene):
    async def whole():
        run = Agent(ScriptedModel([Turn(calls=[("look", {})]), "done"]), [look]).start("go")
        seen = await scene(run, PaceBar(run))
        run.go_on()
        await run
        return run, seen

    return asyncio.run(whole())


def test_a_run_is_paused_taken_on_and_let_go_by_buttons():
    async def scene(run, bar):
        buttons(bar)["Pause"].click()
        seen = ["pausing" in shown(bar)]
        await until_halted(run)
        bar.renew()
        seen += ["paused before step 1" in shown(bar), buttons(bar)["Pause"].disabled]
        buttons(bar)["Step"].click()
        await until_halted(run, 2)
        buttons(bar)["Continue"].click()
        return seen

    run, seen = played(scene)
    assert (seen, run.stop_reason) == ([True] * 3, "answered")
    assert [event.data["before"] for event in run.events if event.kind == "paused"] == ["turn", "call"]


def test_breakpoints_are_ticked():
    async def scene(run, bar):
        for name in ("look", "after a call that failed"):
            ticks(bar)[name].value = True
        await until_halted(run)
        return run.pauses.breakpoints

    _, stops = played(scene)
    assert (stops.tools, stops.turns, stops.errors) == ({"look"}, False, True)


def test_a_run_that_has_ended_has_no_controls_and_a_late_click_does_nothing():
    async def scene(run, bar):
        pressed = buttons(bar)["Pause"]
        await run
        pressed.click()
        return bar.widget.layout.display

    async def whole():
        run = Agent(ScriptedModel(["done"]), []).start("go")
        return await scene(run, PaceBar(run))

    assert asyncio.run(whole()) == "none"
