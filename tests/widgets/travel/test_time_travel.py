import asyncio

import ipywidgets
import pytest

from cellwright import Agent, ScriptedModel, Session, Turn, UsageError
from cellwright.person.approval import AllowAll
from cellwright_widgets.travel.fork_form import ARGUMENTS
from cellwright_widgets.travel.time_travel import TimeTravel

from ..live.test_pace import until_halted
from ..test_undo_panel import widgets_of

MODEL = [Turn(f"Write {name}.", [("write_file", {"path": name, "content": name})]) for name in ("a", "b")]


def agent_in(folder, turns=(*MODEL, "Done."), **more):
    return Agent(ScriptedModel(turns), ["write_file"], cwd=folder, approver=AllowAll(), **more)


def shown(view):
    return "".join(one.value for one in widgets_of(view) if isinstance(one, ipywidgets.HTML))


def press(view, text):
    next(one for one in widgets_of(view) if isinstance(one, ipywidgets.Button) and one.description == text).click()


def test_a_run_is_stepped_through_by_slider_and_by_buttons(tmp_path):
    view = TimeTravel(agent_in(tmp_path).run_sync("go"))
    assert (view.steps.value, view.steps.max, "step 3 of 3" in shown(view)) == (3, 3, True)
    press(view, "◀")
    assert view.moment.step == 2 and "Done." not in shown(view)
    press(view, "|◀")
    press(view, "◀")
    assert view.moment.step == 1 and "Write b." not in shown(view)
    view.steps.value = 2
    assert "Write b." in shown(view)


def test_it_is_looked_at_from_other_sides(tmp_path):
    view = TimeTravel(agent_in(tmp_path).run_sync("go"))
    view.aspect.value = "What the model was sent"
    assert "Request of step 3" in shown(view)
    view.aspect.value = "Files changed"
    assert "new, 1 byte" in shown(view)


def test_a_log_is_stepped_through_without_the_run(tmp_path):
    log = tmp_path / "run.jsonl"
    run = agent_in(tmp_path, log=log).run_sync("go")
    views = [TimeTravel(subject) for subject in (str(log), Session.load(log), run.events)]
    assert [view.moment.step for view in views] == [3] * 3
    assert "Give an agent to fork from here" in shown(views[0])


def test_a_fork_begins_where_it_was_pressed_and_is_compared_when_it_is_over(tmp_path):
    async def scene():
        run = await agent_in(tmp_path).run("go")
        view = TimeTravel(run, agent_in(tmp_path, ["Otherwise."]))
        view.steps.value = 2
        view.form.kind.index = ARGUMENTS
        view.form.arguments.fields["path"].input.value = "c"
        press(view, "Fork here")
        (fork,) = view.forks
        await fork
        async with asyncio.timeout(20):
            while "Here they part" not in shown(view):
                await asyncio.sleep(0)
        return view, fork

    view, fork = asyncio.run(scene())
    assert (fork.answer, (tmp_path / "c").read_text()) == ("Otherwise.", "b")
    assert fork.events[0].data["forked_from"]["step"] == 2
    assert any(type(one).__name__ == "Transcript" for one in widgets_of(view))


def test_another_model_and_fewer_tools_go_on(tmp_path):
    async def scene():
        run = await agent_in(tmp_path).run("go")
        view = TimeTravel(run, agent_in(tmp_path), [ScriptedModel(["I am another."], name="another")])
        view.steps.value, view.form.model.index, view.form.tools["write_file"].value = 3, 1, False
        press(view, "Fork here")
        return await view.forks[0]

    fork = asyncio.run(scene())
    assert (fork.answer, fork.model.name) == ("I am another.", "another")
    assert [event.data["names"] for event in fork.events if event.kind == "tools"][-1] == []


def test_a_run_that_waits_is_looked_at_and_goes_on(tmp_path):
    async def scene():
        run = agent_in(tmp_path).start("go")
        run.pause()
        await until_halted(run)
        view = TimeTravel(run)
        first = shown(view)
        press(view, "Continue")
        await run
        view.renew()
        return first, view

    first, view = asyncio.run(scene())
    assert "paused before step 1" in first
    assert (view.moment.step, view.pace.widget.layout.display) == (3, "none")


def test_what_is_no_agent_is_refused(tmp_path):
    run = agent_in(tmp_path).run_sync("go")
    with pytest.raises(UsageError, match="is no agent"):
        TimeTravel(run, ScriptedModel([]))


def test_a_fork_that_waits_for_an_answer_keeps_its_place_until_it_is_over(tmp_path):
    async def scene():
        run = await agent_in(tmp_path).run("go")
        view = TimeTravel(run, Agent(ScriptedModel([*MODEL, "Done."]), ["write_file"], cwd=tmp_path))
        press(view, "Fork here")
        press(view, "Fork here")
        (fork,) = view.forks
        said = shown(view.form.widget)
        fork.cancel()
        await fork.wait()
        press(view, "Fork here")
        view.forks[-1].cancel()
        await view.forks[-1].wait()
        return f"the fork {fork.id} is going on below" in said, len(view.forks)

    assert asyncio.run(scene()) == (True, 2)


def test_what_can_not_be_forked_is_told_to_a_press_from_another_thread(tmp_path):
    async def scene():
        view = TimeTravel((await agent_in(tmp_path).run("go")).events, agent_in(tmp_path))
        view._subject = ()
        await asyncio.to_thread(press, view, "Fork here")
        async with asyncio.timeout(5):
            while not (said := shown(view.form.widget)):
                await asyncio.sleep(0.01)
        return said, view.forks

    said, forks = asyncio.run(scene())
    assert "cw-warning" in said and forks == []


def test_a_run_of_which_nothing_is_written_yet_can_be_looked_at():
    view = TimeTravel(())
    view.aspect.value = "Files changed"
    assert "before the first step" in shown(view) and "Up to here nothing was changed." in shown(view)
