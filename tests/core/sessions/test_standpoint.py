import asyncio
from pathlib import Path

from cellwright import Agent, Output, ScriptedModel
from cellwright.calls.spill import Kept
from cellwright.deferral import Threshold
from cellwright.env import Env
from cellwright.messages import UserMessage
from cellwright.sessions.standpoint import Standpoint, standpoint_of
from cellwright.views.todo_list import Todo

from ..scene import BYPASS, act, calling, returning


def moves(args, env):
    return Output(1, context_change=lambda now: now.with_found(["late"]).__class__(now.policy, folder="inner"))


def acted(folder):
    (folder / "inner").mkdir()
    (folder / "a.txt").write_text("one\ntwo\n")
    steps = [{"content": "look", "status": "completed"}]
    turns = [
        calling(("read_file", {"path": "a.txt"})),
        calling(("todo", {"items": steps}), ("tool_search", {"query": "late"}), "long"),
        calling(("run_command", {"command": "cd inner"})),
        "done",
    ]
    tools = ["read_file", "edit_file", "todo", "tool_search", "run_command", returning("x" * 60_000, "long")]
    tools += [returning(1, "late")]
    return Agent(ScriptedModel(turns), tools, cwd=folder, policy=BYPASS, threshold=Threshold(2))


def test_the_events_of_a_run_tell_where_it_stands(tmp_path):
    run = asyncio.run(act(acted(tmp_path)))
    told, live = standpoint_of(run.events), run.standpoint
    assert list(told.conversation) == list(live.conversation)
    assert (told.found, told.folder, told.todo, told.kept) == (live.found, "inner", live.todo, live.kept)
    assert live.todo == Todo((("look", "completed"),))
    assert [kept.tool for kept in told.kept] == ["long"]
    assert told.ledger.all() == live.ledger.all() != []


def test_a_run_that_goes_on_knows_what_those_before_it_knew(tmp_path):
    agent = acted(tmp_path)

    async def scene():
        first = await agent.run("go")
        agent.model = ScriptedModel(["a", "b"])
        second = await agent.run("and?", after=first)
        return first, second

    first, second = asyncio.run(scene())
    before, after = first.standpoint, standpoint_of(second.events)
    assert (after.found, after.folder, after.todo, after.kept) == (
        before.found, before.folder, before.todo, before.kept,
    )  # fmt: skip
    assert after.ledger.all() == before.ledger.all()


def test_what_a_log_says_of_files_elsewhere_is_not_taken_over(tmp_path):
    inside = Kept("c1", "t", tmp_path / ".cellwright/runs/run-1/c1.txt", "x", 1)
    outside = Kept.of({"call_id": "c2", "path": "../../etc/passwd", "lines": 1}, "t", tmp_path)
    (tmp_path / ".cellwright/runs").mkdir(parents=True)
    (tmp_path / ".cellwright/runs/link").symlink_to(Path("/etc"))
    linked = Kept.of({"call_id": "c3", "path": ".cellwright/runs/link/passwd", "lines": 1}, "t", tmp_path)
    env = Standpoint((UserMessage("x"),), kept=(inside, outside, linked)).env(Env(tmp_path), "run-2")
    assert list(env.spill.kept) == ["c1"]
