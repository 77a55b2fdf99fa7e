"""What must hold of the log of a process that was killed, whenever that was."""

import subprocess
import sys
from pathlib import Path

from cellwright import Agent, ScriptedModel
from cellwright.errors import LogError
from cellwright.messages import ModelMessage, ToolMessage
from cellwright.sessions.session import Session

CRASH = Path(__file__).with_name("crash.py")


def crashed(folder, seed, count):
    """The logs of processes that were killed; one that was killed before its run began has made none."""
    subprocess.run([sys.executable, str(CRASH), str(folder), str(seed), str(count)], timeout=600, check=True)
    return [folder / f"{number}.log" for number in range(count)]


def survives(path) -> bool:
    """The log loads, holds all that anybody was told, and is gone on from; whether there was a run in it."""
    noted = path.with_suffix(".told")
    told = noted.read_text().split("\n")[:-1] if noted.exists() else []
    try:
        session = Session.load(path)
    except LogError as error:
        assert told == [], error
        assert not path.exists() or "holds no run" in str(error), error
        assert (
            Agent(ScriptedModel(["new"]), [], log=path).run_sync("go").answer == Session.load(path).last.answer == "new"
        )
        return False
    assert len(session.last.events) >= int((told or ["0"])[-1])
    calls, results = ([e.data["id"] for e in session.last.events if e.kind == kind] for kind in ("call", "result"))
    assert sorted(calls) == sorted(results)
    answers_follow(session.last.conversation)
    run = Agent(ScriptedModel(["on"]), []).run_sync("and now?", after=session)
    again = Session.load(path)
    assert (run.answer, len(again.runs), again.runs[0].events) == ("on", 2, session.last.events)
    assert list(again.last.conversation)[: len(session.last.conversation)] == list(session.last.conversation)
    return True


def answers_follow(conversation):
    """After each turn come the results of its calls, in their order."""
    open_calls = []
    for message in conversation:
        if isinstance(message, ToolMessage):
            assert message.call_id == open_calls.pop(0)
        else:
            assert open_calls == []
        if isinstance(message, ModelMessage):
            open_calls = [call.id for call in message.calls]
    assert open_calls == []
