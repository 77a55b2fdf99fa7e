import asyncio

import pytest

from cellwright import Agent, ScriptedApprover, ScriptedModel, UsageError
from cellwright.runs.company import Company
from cellwright.sessions.session_folder import SessionFolder
from cellwright_widgets.chat.chat import Chat


def chat_of(folder, *turns, log=None):
    agent = Agent(ScriptedModel(turns), [], cwd=folder, log=log)
    sessions = SessionFolder(folder / "sessions")
    return Chat(agent, lambda run: Company(ScriptedApprover([])), lambda selection: selection, sessions)


def test_a_run_that_can_not_begin_leaves_the_conversation_as_it_was(tmp_path):
    async def act():
        chat = chat_of(tmp_path, "1", "2")
        first = await (await chat.say("One."))
        chat.agent.budget = None
        with pytest.raises(Exception, match="NoneType"):
            await chat.say("Two.")
        return chat.run is first, chat.after is first, chat.is_going

    assert asyncio.run(act()) == (True, True, False)


def test_a_fork_that_a_cell_begins_is_gone_on_from(tmp_path):
    async def act():
        chat = chat_of(tmp_path, "1", "2", "3")
        first = await (await chat.say("One."))
        other = await first.fork(1)
        after = await (await chat.say("Two."))
        return [message.text for message in after.conversation], other.answer

    assert asyncio.run(act()) == (["One.", "2", "Two.", "3"], "2")


def test_while_a_run_goes_on_no_other_conversation_begins(tmp_path):
    async def act():
        chat = chat_of(tmp_path, "1")
        run = await chat.say("One.")
        with pytest.raises(UsageError, match="is going on here"):
            chat.go_on_from(None)
        await run
        chat.go_on_from(None)
        return chat.after

    assert asyncio.run(act()) is None


def test_a_model_that_is_picked_again_begins_anew(tmp_path):
    async def act():
        chat, played = chat_of(tmp_path), []
        for _ in range(2):
            chat.pick("scripted:tour")
            run = await (await chat.say("Look."))
            played.append(run.model)
        return played[0] is not played[1]

    assert asyncio.run(act())
