import asyncio

import pytest

from cellwright import UsageError
from cellwright.messages import UserMessage
from cellwright.runs.earlier import standpoint
from cellwright.sessions.recorded_run import RecordedRun
from cellwright.sessions.standpoint import NOWHERE

from ..scene import agent_of, play


def test_nothing_messages_and_runs_are_gone_on_from():
    run = play(["done"])
    assert standpoint(None) is NOWHERE
    assert standpoint([UserMessage("hi")]).conversation == [UserMessage("hi")]
    assert standpoint(run).log == run.standpoint.log != ""
    assert list(standpoint(RecordedRun(run.events)).conversation) == list(run.conversation)


def test_what_goes_on_and_what_is_no_conversation_is_refused():
    async def scene():
        run = agent_of(["done"]).start("go")
        with pytest.raises(UsageError, match=f"{run.id} is still going; await it before you go on from it"):
            standpoint(run)
        await run

    asyncio.run(scene())
    with pytest.raises(UsageError, match="after= takes a run, a session or messages as UserMessage"):
        standpoint(["hi"])
