"""What judges a call: lists that are read from the top, closed sets of words, and a no where nothing says yes."""

import ast
import inspect
import typing

import ipywidgets
import pytest

from cellwright import Agent, Policy, ScriptedModel, Tool, Turn
from cellwright.calls.pipeline import CLOSING, STAGES
from cellwright.log.events import FLEETING, Kind
from cellwright.permission.decision import Decision, Mode
from cellwright.permission.grant import Grant
from cellwright.permission.guards import GUARDS
from cellwright.permission.policy import DECIDERS, MODES
from cellwright.person.approval import Allow, Answer, Choose, ConsoleApprover, Deny, Edit, ScriptedApprover, Unavailable
from cellwright.result import ErrorType
from cellwright.runs.loop import StopReason
from cellwright_widgets.questions.widget_approver import WidgetApprover

from .source import Module, all_modules, listed, modules

WAY = [
    "look_up",
    "read",
    "validate",
    "before_hooks",
    "guard",
    "permit",
    "approve",
    "recheck",
    "execute",
    "check_output",
    "after_hooks",
    "render",
    "record",
]
"""The way of one call, by hand from its description."""
ERRORS = [
    "unknown_tool",
    "invalid_arguments",
    "tool_not_allowed",
    "hook_blocked",
    "guard_denied",
    "permission_denied",
    "approval_denied",
    "approval_unavailable",
    "cancelled_before_start",
    "cancelled",
    "timeout",
    "internal_error",
    "invalid_output",
    "tool_error",
]


def the(name: str) -> Module:
    return next(module for module in all_modules() if module.name == name)


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("cellwright.calls.pipeline", "STAGES"),
        ("cellwright.permission.policy", "DECIDERS"),
        ("cellwright.permission.guards", "GUARDS"),
    ],
)
def test_what_judges_a_call_is_written_as_one_list(module, name):
    values = [
        node.value
        for node in the(module).tree.body
        if isinstance(node, ast.AnnAssign | ast.Assign)
        and name in [ast.unparse(target) for target in getattr(node, "targets", [getattr(node, "target", None)])]
    ]
    assert [type(value) for value in values] == [ast.List]
    assert all(isinstance(item, ast.Name) for item in values[0].elts)


@pytest.mark.parametrize("steps", [STAGES, DECIDERS, GUARDS], ids=["stages", "deciders", "guards"])
def test_the_members_of_a_list_have_one_signature(steps):
    assert len({str(inspect.signature(step)) for step in steps}) == 1
    assert len({inspect.iscoroutinefunction(step) for step in steps}) == 1


def test_the_stages_come_in_the_order_of_the_way():
    assert [stage.__name__ for stage in STAGES] == WAY
    assert [name for name in WAY if name in {stage.__name__ for stage in CLOSING}] == [
        "after_hooks",
        "render",
        "record",
    ]


def test_a_rule_of_denial_comes_first_and_the_last_decider_never_allows():
    assert DECIDERS[0].__name__ == "deny_rule"
    returned = [node for node in ast.walk(decider_tree(DECIDERS[-1].__name__)) if isinstance(node, ast.Return)]
    assert {ast.unparse(node.value.args[0]) for node in returned} == {"'ask'"}


def decider_tree(name: str):
    tree = the("cellwright.permission.policy").tree
    return next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (ErrorType, ERRORS),
        (Mode, ["default", "plan", "accept_edits", "dont_ask", "bypass"]),
        (StopReason, ["answered", "budget", "repetition", "cancelled", "model_error"]),
        (typing.get_type_hints(Decision)["decision"], ["allow", "ask", "deny"]),
    ],
    ids=["error types", "modes", "stop reasons", "decisions"],
)
def test_words_that_readers_take_apart_are_closed_sets(words, expected):
    assert typing.get_origin(words) is typing.Literal
    assert list(typing.get_args(words)) == expected


def test_the_modes_are_listed_where_they_are_checked():
    assert typing.get_args(Mode) == MODES


def test_the_answers_of_a_person_are_six():
    assert set(typing.get_args(Answer)) == {Allow, Grant, Deny, Edit, Choose, Unavailable}


def test_every_kind_of_event_is_recorded_somewhere():
    recorded = {
        node.args[0].value
        for module in modules("cellwright")
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("record", "keep") and node.args
        if isinstance(node.args[0], ast.Constant)
    }
    unused = set(typing.get_args(Kind)) - recorded
    assert (unused, FLEETING - set(typing.get_args(Kind))) == (set(), set()), listed(sorted(unused))


def closed_input(prompt: str) -> str:
    raise EOFError


def gone_view() -> WidgetApprover:
    return WidgetApprover(ipywidgets.VBox(), watched=lambda: False, patience=0.05)


def failing(*args):
    raise RuntimeError("a check failed")


class FailingPolicy(Policy):
    """Makes the stage that asks it raise."""

    decide = failing


@pytest.mark.parametrize(
    ("facts", "policy", "approver", "error_type", "why"),
    [
        ({}, Policy(), lambda: ConsoleApprover(closed_input), "approval_unavailable", "nobody could answer"),
        ({}, Policy(allow=frozenset({"touc"})), lambda: ScriptedApprover([]), "approval_unavailable", "0 answers"),
        ({"check_permission": failing}, Policy(), lambda: ScriptedApprover([Allow()]), "permission_denied", "failed"),
        ({}, FailingPolicy(), lambda: ScriptedApprover([Allow()]), "internal_error", "stage permit"),
        ({}, Policy(), gone_view, "approval_unavailable", "front end"),
    ],
    ids=["nothing configured", "nothing matched", "a decider raises", "a stage raises", "the view vanished"],
)
def test_where_nothing_says_yes_the_call_is_denied_and_says_why(facts, policy, approver, error_type, why, tmp_path):
    ran = []

    def touch(args, env):
        ran.append(args)

    tool = Tool.from_schema("touch", "Touches.", {"type": "object"}, touch)
    tool = with_facts(tool, facts)
    model = ScriptedModel([Turn(calls=[("touch", {})]), "done"])
    run = Agent(model, [tool], cwd=tmp_path, policy=policy, approver=approver()).run_sync("go")
    (result,) = run.results
    assert (ran, result.ok, result.error_type, why in result.content) == ([], False, error_type, True), result.content


def with_facts(tool: Tool, facts) -> Tool:
    return Tool(tool.name, tool.description, tool.input_schema, tool.execute, **facts)


@pytest.mark.parametrize("near", ["bash_session", "Bash", "bas", "mcp__x__bash", "bash-2"])
def test_a_rule_says_nothing_about_a_name_that_only_looks_alike(near, tmp_path):
    tool = Tool.from_schema(near, "Runs.", {"type": "object"}, lambda args, env: "ran")
    model = ScriptedModel([Turn(calls=[(near, {"command": "bash"})]), "done"])
    rules = Policy("dont_ask", allow=frozenset({"bash"}))
    (result,) = Agent(model, [tool], cwd=tmp_path, policy=rules).run_sync("go").results
    assert result.error_type == "permission_denied"
