import asyncio

import pytest

from cellwright import Allow, Grant, Policy, ScriptedApprover
from cellwright.hooks.hook import Ask, Hook

from ..grant_scene import granting, put, writer
from ..scene import act, agent_of, calling, kinds_of, play, returning


def test_a_hook_that_asks_is_not_silenced_and_nothing_can_be_granted_then(tmp_path):
    approver = ScriptedApprover([Allow(), Allow()])
    hook = Hook("before_call", lambda occasion: Ask("look"))
    agent = agent_of(put("a", "a"), [writer()], approver=approver, cwd=tmp_path, hooks=[hook])
    agent.grants.add(Grant("session", ("put",)))
    asyncio.run(act(agent))
    assert [question.offers for question in approver.questions] == [(), ()]


@pytest.mark.parametrize("answer", [Grant("run", ("other",)), Grant("run", ()), Grant("project", ("put(a)",))])
def test_what_was_not_offered_can_not_be_granted(answer, tmp_path):
    run = play(put("a"), [writer()], [answer], cwd=tmp_path)
    assert run.results[0].error_type == "approval_unavailable"
    assert "granted what was not offered" in run.results[0].content


def test_a_grant_for_the_project_holds_for_the_next_who_loads_its_rules(tmp_path):
    user, again = tmp_path / "own" / "permissions.toml", ScriptedApprover([])
    for approver in (ScriptedApprover([granting("project")]), again):
        policy = Policy.load(tmp_path, user_file=user)
        run = play(put("a", "a"), [writer()], approver=approver, cwd=tmp_path, policy=policy)
        assert [result.ok for result in run.results] == [True, True]
    assert kinds_of(run, "decision")[0].data["reason"].startswith("`a`: the rule put(a) (granted for the project, ")
    assert again.questions == []


def test_a_grant_that_the_project_can_not_keep_lasts_for_the_session_and_that_is_told(tmp_path):
    (tmp_path / ".cellwright").symlink_to(tmp_path / "else")
    policy = Policy.load(tmp_path, user_file=tmp_path / "own.toml")
    run = play(put("a", "a"), [writer()], [granting("project")], cwd=tmp_path, policy=policy)
    assert [result.ok for result in run.results] == [True, True]
    (note,) = kinds_of(run, "note")
    assert note.data["text"].startswith("the grant lasts only as long as the session: ")


def test_a_secret_is_never_offered_for_keeping(tmp_path):
    approver = ScriptedApprover([Allow()])
    turns = put("hush-hush-hush")
    play(turns, [writer()], approver=approver, cwd=tmp_path, secrets={"PASSWORD": "hush-hush-hush"})
    assert [offer.rules for offer in approver.questions[0].offers] == [("put",)]


def test_a_tool_without_paths_can_only_be_granted_whole(tmp_path):
    run = play([calling("t", "t"), "done"], [returning(1, "t", read_only=False)], [granting("run", "every call")])
    assert [result.ok for result in run.results] == [True, True]
