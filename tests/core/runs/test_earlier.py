import asyncio
from pathlib import Path

import pytest

from cellwright import UsageError
from cellwright.messages import UserMessage
from cellwright.runs.earlier import recorded, standpoint
from cellwright.sessions.recorded_run import RecordedRun
from cellwright.sessions.standpoint import NOWHERE

from ..scene import agent_of, play


def test_nothing_messages_and_runs_are_gone_on_from():
    run = play(["done"])
    assert standpoint(None) is NOWHERE
    assert standpoint([UserMessage("hi")]).conversation == [UserMessage("hi")]
    assert standpoint(run).log == run.standpoint.log != ""
    assert list(standpoint(RecordedRun(run.events)).conversation) == list(run.conversation)


def test_what_goes_on_is_refused():
    async def scene():
        run = agent_of(["done"]).start("go")
        with pytest.raises(UsageError, match=f"{run.id} is still going; await it before you go on from it"):
            standpoint(run)
        await run

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("earlier", "words"),
    [
        (["hi"], "after= takes a run, a session or messages as UserMessage"),
        ("a.jsonl", r"after='a.jsonl' is neither a run, .* write Session.load\('a.jsonl'\)"),
        (Path("a.jsonl"), r"write Session.load\('a.jsonl'\)"),
        (5, "after=5 is neither a run, a session nor messages; give a Run or a Session"),
    ],
)
def test_what_nothing_can_go_on_from_is_refused_with_what_to_write(earlier, words):
    with pytest.raises(UsageError, match=words):
        standpoint(earlier)


@pytest.mark.parametrize(("run", "words"), [("a.jsonl", r"Session.load\('a.jsonl'\)"), (None, "give a Run or a")])
def test_what_can_not_be_forked_is_refused_with_what_to_write(run, words):
    with pytest.raises(UsageError, match=words):
        recorded(run)
