import asyncio

from cellwright import Agent, ScriptedModel, Turn, tool
from cellwright_widgets.drawing.node import to_text
from cellwright_widgets.drawing.press import Press
from cellwright_widgets.live.pace import PACE, Pace


@tool(read_only=True)
def look() -> str:
    """Look."""
    return "fine"


def words(node, kinds=("button",)):
    """What its controls are called, and of a box whether it is ticked."""
    if isinstance(node, str):
        return []
    tag, attrs, children = node
    mine = [attrs.get("aria-label", "") + (" ✓" if "checked" in attrs else "")] if tag in kinds else []
    return mine + [each for child in children for each in words(child, kinds)]


def played(scene, turns=("done",)):
    """A run that a scene takes in hand before it has begun, and what came of it."""

    async def whole():
        run = Agent(ScriptedModel([Turn(calls=[("look", {})]), *turns]), [look]).start("go")
        seen = await scene(run, Pace(run))
        run.go_on()
        await run
        return run, seen

    return asyncio.run(whole())


async def press(pace, act, value=None, **more):
    return await pace.answer(Press(PACE, {"act": act, **more}, value))


async def until_halted(run, times=1):
    """Until the run has come to so many places at which it waits."""
    told = asyncio.Event()
    run.pauses.watchers.append(told.set)
    while [event.kind for event in run.events].count("paused") < times:
        told.clear()
        await told.wait()


def test_a_run_is_paused_taken_on_step_by_step_and_let_go():
    async def scene(run, pace):
        asked = words(await press(pace, "pause"))
        await until_halted(run)
        first = (pace.places, words(pace.draw()))
        await press(pace, "step")
        await until_halted(run, 2)
        return asked, first

    run, (asked, (places, halted)) = played(scene)
    assert asked[:2] == ["Step: take the run on by one turn or call", "It pauses soon; press to go on"]
    assert places == ("before step 1",)
    assert halted[1] == "Continue: to the end, or to the next breakpoint"
    assert [event.data["why"] for event in run.events if event.kind == "paused"] == ["pause", "step"]


def test_breakpoints_are_boxes_of_what_there_is():
    async def scene(run, pace):
        await press(pace, "turns", True)
        await until_halted(run)
        await press(pace, "turns", False)
        for name in ("look", "no such tool", 7):
            await press(pace, "tool", True, tool=name)
        await press(pace, "errors", True)
        shut, opened = words(pace.draw()), await press(pace, "boxes")
        run.go_on()
        await until_halted(run, 2)
        return shut, words(opened, ("input",)), pace.places

    run, (shut, boxes, places) = played(scene)
    assert shut[-1] == "Breakpoints (2): choose where the run stops by itself"
    assert boxes == ["before each turn of the model", "after a call that failed ✓", "look ✓"]
    assert (places, run.stop_reason) == (("before look (breakpoint)",), "answered")


def test_what_is_no_press_of_ours_changes_nothing():
    async def scene(run, pace):
        for facts in ({}, {"act": "cancel"}, {"act": ["pause"]}, {"act": "tool", "tool": {"look": 1}}):
            await pace.answer(Press(PACE, facts, True))
        return run.pauses.is_asked, run.pauses.breakpoints.tools

    assert played(scene)[1] == (False, frozenset())


def test_a_run_that_has_ended_has_nothing_to_press():
    async def scene(run, pace):
        await run
        return await press(pace, "pause"), pace.draw()

    async def whole():
        run = Agent(ScriptedModel(["done"]), []).start("go")
        return await scene(run, Pace(run))

    assert [to_text(node) + str(words(node)) for node in asyncio.run(whole())] == ["[]", "[]"]
