import asyncio
import os

import pytest

from cellwright import Agent
from cellwright.errors import LogError, UsageError
from cellwright.sessions.session import Session

from ..crashes import crashed, survives
from ..log.test_requests import Keeps
from ..scene import act, agent_of, calling, echo, kinds_of, plain, play, settled


def test_a_session_is_the_runs_of_its_file(tmp_path):
    path = tmp_path / "log"
    runs = [play([calling(("echo", {"text": "x"})), "one"], [echo], log=path), play(["two"], log=path)]
    session = Session.load(path)
    assert [run.events for run in session.runs] == [run.events for run in runs]
    assert (session.last.answer, session.notes, session.is_going_on) == ("two", (), False)
    assert repr(session).startswith(f"<Session {path}: 2 runs, last <RecordedRun ")


def test_a_run_goes_on_from_a_session_in_the_same_file_as_if_it_had_never_ended(tmp_path):
    path = tmp_path / "log"
    model = Keeps([calling(("echo", {"text": "x"})), "one", "two", "three"])
    agent = Agent(model, [echo], log=path)
    asyncio.run(agent.run("go"))
    for prompt in ("more", "and more"):
        asyncio.run(Agent(model, [echo]).run(prompt, after=Session.load(path)))
    said = [getattr(message, "text", "") for message in model.got[-1].conversation]
    assert said == ["go", "", "", "one", "more", "two", "and more"]
    session = Session.load(path)
    assert [run.answer for run in session.runs] == ["one", "two", "three"]
    asked = [asked.request for run in session.runs for asked in run.requests()]
    assert asked == model.got


def test_the_conversation_before_is_in_the_file_once_and_in_the_events_whole(tmp_path):
    path = tmp_path / "log"

    async def scene():
        agent = agent_of(["one", "two"], log=path)
        first = await agent.run("go on with what is said once")
        return first, await agent.run("more", after=first)

    first, second = asyncio.run(scene())
    (earlier,) = kinds_of(second, "earlier")
    assert [message["text"] for message in earlier.data["messages"]] == [first.prompt, "one"]
    assert [run.events for run in Session.load(path).runs] == [first.events, second.events]
    assert path.read_text().count("what is said once") == 1


def test_an_agent_with_a_log_of_its_own_writes_there_what_it_goes_on_from(tmp_path):
    play(["one"], log=tmp_path / "log")
    agent = agent_of(["two"], log=tmp_path / "other")
    run = agent.run_sync("more", after=Session.load(tmp_path / "log"))
    os.remove(tmp_path / "log")
    assert [asked.request.conversation[0].text for asked in Session.load(tmp_path / "other").last.requests()] == ["go"]
    assert list(Session.load(tmp_path / "other").last.conversation) == list(run.conversation)


def test_a_log_that_a_run_writes_is_read_and_not_written_into(tmp_path):
    path, told = tmp_path / "log", []

    async def meanwhile(run):
        await settled()
        session = Session.load(path)
        told.extend([session.is_going_on, session.last.is_done, session.notes])
        with pytest.raises(UsageError, match="is still going; await it"):
            agent_of(["x"]).start("x", after=session)
        with pytest.raises(LogError, match="is being written by a run that goes on"):
            agent_of(["x"], log=path).start("x")

    wait = plain(lambda args, env: env.stopping.wait(0.2), "wait")
    asyncio.run(act(agent_of([calling("wait"), "done"], [wait], log=path), meanwhile))
    assert told == [True, False, ()]
    assert Session.load(path).is_going_on is False


@pytest.mark.skipif(os.name != "posix", reason="a process is killed as on Unix")
def test_processes_that_were_killed_at_any_moment_have_lost_nothing(tmp_path):
    logs = crashed(tmp_path, seed=7, count=10)
    assert sum(survives(path) for path in logs) >= 6


def test_a_run_that_was_killed_in_a_call_tells_the_model_so(tmp_path):
    path = tmp_path / "log"
    play([calling(("echo", {"text": "x"})), "one"], [echo], log=path)
    lines = path.read_bytes().split(b"\n")
    place = next(place for place, line in enumerate(lines) if b'"kind": "executing"' in line)
    path.write_bytes(b"\n".join(lines[: place + 1]) + b'\n{"number": 1')
    session = Session.load(path)
    torn, ended = session.notes
    assert torn == "the last line was torn: 12 bytes are left out"
    assert ended.endswith(" has no end: the process ended before the run; 1 open call closed with cancelled")
    model = Keeps(["I see"])
    asyncio.run(Agent(model, [echo]).run("what happened?", after=session))
    assert model.got[0].conversation[2].content.startswith("the process ended before this call had a result; it may")
    assert [run.answer for run in Session.load(path).runs] == ["", "I see"]
