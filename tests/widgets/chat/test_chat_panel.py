import asyncio
from functools import partial

import pytest

from cellwright import Policy, ScriptedModel, Session, Turn, UsageError
from cellwright.hooks.hook import Hook
from cellwright_widgets.chat.chat_panel import ChatPanel, panel_of

from ..chatting import WRITE, agent_of, button, in_panel, said, shown, until
from ..page import HOSTILE, Page, assert_harmless


def test_each_message_goes_on_from_the_one_before(tmp_path):
    async def act(panel):
        first = await said(panel, "One.")
        second = await said(panel, "Two.")
        return [message.text for message in second.conversation], first.answer, panel.agent.last_run is second

    assert in_panel(tmp_path, act, "1", "2") == (["One.", "1", "Two.", "2"], "1", True)


def test_a_question_is_asked_in_the_panel_and_answered_there(tmp_path):
    async def act(panel):
        panel.say("Write.")
        await until(lambda: button(panel, "Allow once"))
        button(panel, "Allow once").click()
        await until(lambda: panel.chat.run.is_done)
        return panel.chat.run.answer, (tmp_path / "note.txt").read_text()

    assert in_panel(tmp_path, act, WRITE, "Written.") == ("Written.", "hello\n")


async def steered(panel, words):
    """A run that was told so while it asked, once it is over."""
    panel.say("Write.")
    await until(lambda: button(panel, "Deny"))
    panel.say(words)
    await until(lambda: "before its next turn" in shown(panel))
    button(panel, "Deny").click()
    await until(lambda: panel.chat.run.is_done and not panel.prompt.going)
    return panel.chat.run


def test_what_is_said_while_a_run_goes_on_steers_it(tmp_path):
    async def act(panel):
        return (await steered(panel, "Do not write.")).answer

    assert in_panel(tmp_path, act, WRITE, lambda said: f"heard {said[-1].text}") == "heard Do not write."


def test_what_no_model_has_heard_is_back_in_the_box(tmp_path):
    async def act(panel):
        panel.say("Write.")
        await until(lambda: button(panel, "Stop") and button(panel, "Allow once"))
        panel.say("And more.")
        await until(lambda: "before its next turn" in shown(panel))
        button(panel, "Stop").click()
        await until(lambda: panel.prompt.draft)
        return panel.chat.run.stop_reason, panel.prompt.draft, "back in the box" in shown(panel)

    assert in_panel(tmp_path, act, WRITE) == ("cancelled", "And more.", True)


def test_what_can_not_be_begun_is_said_and_the_panel_goes_on(tmp_path):
    async def act(panel):
        panel.model.choice.value = 1
        panel.say("Hello.")
        await until(lambda: "no model" in shown(panel))
        panel.model.choice.value = 0
        return (await said(panel, "Hello.")).answer

    assert in_panel(tmp_path, act, "Hi.", models=("nonsense",)) == "Hi."


def test_a_picked_model_answers_from_the_next_run_on(tmp_path):
    async def act(panel):
        panel.model.choice.value = 1
        run = await said(panel, "Hello.")
        return run.model.name

    assert in_panel(tmp_path, act, "Hi.", models=("scripted:tour",)) == "scripted:tour"


def test_a_tool_that_is_switched_off_during_a_run_no_longer_runs(tmp_path):
    async def act(panel):
        panel.run_controls.pause.click()
        panel.say("Look.")
        await until(lambda: button(panel, "Allow once"))
        panel.tools.ticks["read_file"].value = False
        button(panel, "Allow once").click()
        await until(lambda: panel.chat.run.is_done)
        return [result.error_type for result in panel.chat.run.results], panel.tools_button.description

    turns = (WRITE, Turn(calls=[("read_file", {"path": "note.txt"})]), "Done.")
    assert in_panel(tmp_path, act, *turns) == ([None, "tool_not_allowed"], "Tools 1/2")


def test_a_mode_holds_for_the_run_that_goes_on_and_for_the_next(tmp_path):
    async def act(panel):
        panel.say("Write.")
        await until(lambda: button(panel, "Deny"))
        panel.mode.choice.value = 1
        button(panel, "Deny").click()
        await until(lambda: panel.chat.run.is_done)
        return panel.chat.run.mode, panel.agent.policy.mode

    assert in_panel(tmp_path, act, WRITE, "Done.") == ("plan", "plan")


def test_a_session_is_gone_on_from_and_written_into_the_same_file(tmp_path):
    async def act(panel):
        await said(panel, "One.")
        button(panel, "New chat").click()
        await said(panel, "Other.")
        await panel.sessions.refresh()
        panel.sessions.list.value = 1 if panel.chat.folder.files()[1].prompt == "One." else 0
        panel.sessions.resume.click()
        await until(lambda: "Going on from" in shown(panel))
        await said(panel, "Two.")
        return [
            [run.prompt for run in Session.load(each.path).runs] for each in reversed(panel.chat.folder.files())
        ], "One." in shown(panel)

    found, is_shown = in_panel(tmp_path, act, "1", "2", "3")
    assert (sorted(found), is_shown) == ([["One.", "Two."], ["Other."]], True)


def test_a_run_is_forked_at_a_step_that_was_recorded(tmp_path):
    async def act(panel):
        await said(panel, "Read.")
        before = panel.chat.run
        await panel.sessions.refresh()
        panel.sessions.fork.click()
        await until(lambda: panel.sessions.fork_here in panel.sessions.widget.children[2].children[1:])
        panel.sessions.fork_here.click()
        await until(lambda: panel.chat.run is not before and panel.chat.run.is_done)
        return panel.chat.run.answer, len(panel.chat.run.results)

    turns = (Turn(calls=[("read_file", {"path": "x"})]), "First.", "Second.")
    assert in_panel(tmp_path, act, *turns) == ("Second.", 1)


def test_hostile_texts_are_text_wherever_they_come_from(tmp_path):
    async def act(panel):
        for text in HOSTILE:
            await said(panel, text)
        await panel.sessions.refresh()
        return shown(panel)

    drawn = in_panel(tmp_path, act, *HOSTILE, models=HOSTILE)
    assert_harmless(Page(drawn))


@pytest.mark.parametrize("sessions", [None, "mine"])
def test_sessions_lie_where_they_are_wanted(tmp_path, sessions):
    async def act():
        panel = ChatPanel(agent_of(tmp_path, "Hi."), sessions=sessions)
        await said(panel, "Hello.")

    asyncio.run(act())
    assert [path.parent.name for path in tmp_path.rglob("*.jsonl")] == ([sessions] if sessions else [])


def test_a_panel_needs_an_agent_and_an_event_loop(tmp_path):
    with pytest.raises(UsageError, match="no event loop is running"):
        ChatPanel(agent_of(tmp_path, "Hi."))
    with pytest.raises(UsageError, match="is no Agent"):
        ChatPanel(ScriptedModel([]))


def test_a_mode_that_can_not_be_entered_is_refused(tmp_path):
    async def act(panel):
        with pytest.raises(UsageError, match="two confirmations"):
            panel.set_mode("bypass")
        return panel.agent.policy.mode, panel_of(panel.agent) is panel

    assert in_panel(tmp_path, act, policy=Policy("plan")) == ("plan", True)


def test_many_messages_at_once_are_each_said_once(tmp_path):
    async def act(panel):
        for number in range(3):
            asyncio.get_running_loop().call_soon(partial(panel.say, f"{number}."))
        await until(lambda: panel.chat.run and panel.chat.run.is_done and not panel.prompt.going)
        heard = [message.text for message in panel.chat.run.conversation if message.text.endswith(".")]
        return sorted(heard) + ([panel.prompt.draft] if panel.prompt.draft else [])

    assert in_panel(tmp_path, act, "a", "b", "c") == ["0.", "1.", "2."]


def test_of_several_panels_the_newest_is_spoken_to_and_each_tells_the_mode(tmp_path):
    async def act(first):
        panels = [first, *(ChatPanel(first.agent) for _ in range(7))]
        panels[3].mode.choice.value = 1
        return panel_of(first.agent) is panels[-1], {panel.mode.mode for panel in panels}

    assert in_panel(tmp_path, act) == (True, {"plan"})


def test_a_fork_that_can_not_begin_leaves_the_conversation_in_sight(tmp_path):
    async def act(panel):
        run = await said(panel, "One.")
        panel.sessions.widget.layout.display = ""
        await panel.sessions.refresh()
        panel.model.choice.value = 1
        button(panel, "Fork at a step…").click()
        await until(lambda: panel.sessions._steps)
        button(panel, "Fork here").click()
        await until(lambda: "no model" in shown(panel))
        return panel.chat.run is run, [each for each, _ in panel.history._live] == [run]

    assert in_panel(tmp_path, act, "1", models=("nonsense",)) == (True, True)


def test_a_new_conversation_that_begins_while_a_run_comes_to_its_end_steers_nothing(tmp_path):
    async def act(panel):
        panel.say("One.")
        await until(lambda: panel.chat.run and panel.chat.run.stop_reason)
        ending = panel.chat.run
        panel.new_chat.click()
        before = ending.is_done, panel.chat.run
        await ending.wait()
        await until(lambda: not panel.prompt.going)
        return before, panel.run_controls.widget.layout.display

    slow = Hook("run_end", lambda occasion: asyncio.sleep(0.3))
    assert in_panel(tmp_path, act, "1", hooks=[slow]) == ((False, None), "none")


def test_no_other_conversation_takes_the_place_of_one_whose_run_is_beginning(tmp_path):
    async def act(panel):
        await said(panel, "One.")
        panel.model.choice.value = 1
        panel.say("Two.")
        await asyncio.sleep(0)
        panel.new_chat.click()
        await until(lambda: panel.chat.run.is_done and len(panel.chat.run.conversation) > 2)
        return [getattr(message, "text", "") for message in panel.chat.run.conversation[:3]]

    assert in_panel(tmp_path, act, "1", models=("scripted:tour",)) == ["One.", "1", "Two."]


def test_a_secret_that_the_model_has_heard_does_not_come_back_into_the_box(tmp_path, monkeypatch):
    monkeypatch.setenv("MY_API_KEY", "sk-abcdefghij0123456789XYZ")

    async def act(panel):
        run = await steered(panel, "Take sk-abcdefghij0123456789XYZ.")
        return run.stop_reason, panel.prompt.draft

    assert in_panel(tmp_path, act, WRITE, "Heard.") == ("answered", "")
