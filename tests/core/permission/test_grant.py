import asyncio
from pathlib import Path

import pytest

from cellwright import Allow, Env, Grant, Policy, ScriptedApprover, UsageError
from cellwright.permission.grant import Grants

from ..grant_scene import granting, put, writer
from ..scene import act, agent_of, kinds_of, play


def test_what_was_granted_is_not_asked_again_and_the_log_tells_why(tmp_path):
    run = play(put("a", "a", "b"), [writer()], [granting("run"), Allow()], cwd=tmp_path)
    answers = [(e.data["answer"], e.data.get("scope"), e.data.get("rules")) for e in kinds_of(run, "answer")]
    assert answers == [("grant", "run", ["put(a)"]), ("allow", None, None)]
    (first, again, other) = (e.data for e in kinds_of(run, "decision"))
    assert [first["decision"], again["decision"], other["decision"]] == ["ask", "allow", "ask"]
    assert (again["by"], again["reason"]) == ("grant", "`a`: the rule put(a) (granted for the run) allows it")
    assert "the person answered grant: for the run: put(a)" in run.trace("call_1").view().rows[6][2]


def questions_of(agent, runs):
    async def scene():
        for _ in range(runs):
            await act(agent)

    asyncio.run(scene())
    return len(agent.grants.all), agent


@pytest.mark.parametrize(("scope", "asked", "kept"), [("run", 2, 0), ("session", 1, 1)])
def test_a_grant_ends_with_its_run_or_lasts_for_all_runs_of_the_agent(scope, asked, kept, tmp_path):
    approver = ScriptedApprover([granting(scope)] * 2)
    agent = agent_of([*put("a"), *put("a")], [writer()], approver=approver, cwd=tmp_path)
    assert questions_of(agent, 2)[0] == kept
    assert len(approver.questions) == asked


def test_runs_that_go_on_at_once_share_what_is_granted_for_the_session():
    session = Grants()
    one, other, child = Grants(session), Grants(session), Grants()
    one.add(Grant("session", ("put(a)",)))
    one.add(Grant("run", ("put(b)",)))
    allowed = [
        [grants.over(Policy()).decide(writer(), {"path": path}, Env(Path("/"))).decision for path in "ab"]
        for grants in (one, other, child)
    ]
    assert allowed == [["allow", "allow"], ["allow", "ask"], ["ask", "ask"]]


def test_the_policy_is_made_anew_only_when_something_was_granted():
    grants, policy = Grants(), Policy()
    assert grants.over(policy) is policy
    grants.add(Grant("run", ("put(a)",)))
    assert grants.over(policy) is grants.over(policy)
    before = grants.over(policy)
    grants.add(Grant("run", ("put(b)",)))
    assert grants.over(policy) is not before


@pytest.mark.parametrize(
    ("rules", "destructive", "decision"),
    [
        ("put(a)", False, "allow"),
        ("put(a)", True, "allow"),
        ("put(*)", True, "ask"),
        ("put", True, "ask"),
        ("put(a*)", True, "ask"),
        ("put(a*)", False, "allow"),
    ],
)
def test_what_can_not_be_undone_is_granted_only_by_its_exact_name(rules, destructive, decision):
    grants = Grants()
    grants.add(Grant("run", (rules,)))
    found = grants.over(Policy()).explain(writer(destructive=destructive), {"path": "a"}, Env(Path("/")))
    assert found.decision.decision == decision
    assert (found.decision.by == "grant") is (decision == "allow")


def test_a_grant_beats_an_ask_rule_but_no_denial_and_no_guard():
    grants = Grants()
    grants.add(Grant("session", ("put", "put(../x)")))
    decided = [
        grants.over(policy).explain(writer(), {"path": path}, Env(Path("/tmp"))).decision
        for policy, path in ((Policy(ask={"put"}), "a"), (Policy(deny={"put(a)"}), "a"), (Policy(), "../x"))
    ]
    assert [(d.decision, d.by) for d in decided] == [
        ("allow", "grant"),
        ("deny", "deny_rule"),
        ("deny", "inside_working_folder"),
    ]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (("ever", ()), "no scope 'ever'"),
        (("run", ("*",)), "'*' is no rule"),
        (("run", "put"), "give a tuple of rules: ('put',)"),
    ],
)
def test_a_grant_that_makes_no_sense_is_refused(fields, words):
    with pytest.raises(UsageError) as caught:
        Grant(*fields)
    assert words in str(caught.value)
