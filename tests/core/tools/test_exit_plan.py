import pytest
from msgspec.structs import replace

from cellwright import Allow, Deny, Env, Policy, ScriptedApprover
from cellwright.calls.conditions import Conditions
from cellwright.hooks.hook import Hook, HookAllow
from cellwright.permission.grant import Grant, Grants
from cellwright.tools.exit_plan import exit_plan
from cellwright.views.view import as_text

from ..scene import BYPASS, calling, play

PLAN = ("exit_plan", {"plan": "1. edit a.txt"})


@pytest.mark.parametrize("mode", ["default", "accept_edits"])
def test_a_plan_that_is_agreed_to_ends_plan_mode(tmp_path, mode):
    output = exit_plan.execute({"plan": "p", "next_mode": mode}, Env(tmp_path))
    before = Conditions(Policy("plan", deny={"t"}))
    assert output.context_change(before) == replace(before, policy=Policy(mode, deny={"t"}))
    assert f"mode {mode}" in output.content


def test_a_run_that_left_plan_mode_meanwhile_is_not_switched_again(tmp_path):
    output = exit_plan.execute({"plan": "p", "next_mode": "accept_edits"}, Env(tmp_path))
    assert output.context_change(Conditions(Policy("dont_ask"))) == Conditions(Policy("dont_ask"))


def test_the_person_reads_the_plan_and_what_a_yes_means(tmp_path):
    text = as_text(exit_plan.present_call({"plan": "1. edit", "next_mode": "accept_edits"}, Env(tmp_path)))
    assert "1. edit" in text
    assert "edits of files in the working folder run without a question" in text


def test_a_no_keeps_plan_mode_and_the_model_reads_why(tmp_path):
    write = ("write_file", {"path": "b", "content": "x"})
    run = play([calling(PLAN), calling(write), "done"], "all", [Deny("too much")], cwd=tmp_path, policy="plan")
    denied, refused = run.results
    assert (denied.error_type, "too much" in denied.content) == ("approval_denied", True)
    assert (refused.error_type, "present the plan with exit_plan" in refused.content) == ("guard_denied", True)


@pytest.mark.parametrize(("next_mode", "asked"), [("default", 2), ("accept_edits", 1)])
def test_a_yes_switches_the_run_to_the_mode_that_was_shown(tmp_path, next_mode, asked):
    write = ("write_file", {"path": "b", "content": "x"})
    plan = ("exit_plan", {**PLAN[1], "next_mode": next_mode})
    approver = ScriptedApprover([Allow(), Allow()])
    run = play([calling(plan), calling(write), "done"], "all", approver=approver, cwd=tmp_path, policy="plan")
    assert [result.ok for result in run.results] == [True, True]
    assert (len(approver.questions), (tmp_path / "b").read_text()) == (asked, "x")


@pytest.mark.parametrize("policy", ["default", "accept_edits", "dont_ask", BYPASS])
def test_in_another_mode_there_is_no_plan_to_leave(tmp_path, policy):
    run = play([calling(PLAN), "done"], "all", [Allow()], cwd=tmp_path, policy=policy)
    assert run.results[0].error_type == "tool_not_allowed"
    assert "exit_plan is for mode plan, and the run is in mode" in run.results[0].content


def test_no_rule_grant_or_hook_gives_the_yes_in_place_of_the_person(tmp_path):
    policy = Policy("plan", allow={"exit_plan"})
    grants = Grants()
    grants.add(Grant("session", ("exit_plan",)))
    assert grants.over(policy).decide(exit_plan, PLAN[1], Env(tmp_path)).by == "always_asks"
    hook = Hook("before_call", lambda occasion: HookAllow("fine"))
    run = play([calling(PLAN), "done"], "all", cwd=tmp_path, policy=policy, hooks=[hook])
    assert run.results[0].error_type == "approval_unavailable"
    (question,) = (event.data for event in run.events if event.kind == "question")
    assert question["offers"] == []


def test_where_nothing_may_be_asked_the_plan_is_denied(tmp_path):
    for policy in (Policy("dont_ask"), BYPASS):
        assert policy.decide(exit_plan, PLAN[1], Env(tmp_path)).decision != "allow"
