import warnings

import pytest

from cellwright import Policy, Registry
from cellwright.catalogue import registry_of
from cellwright.code_mode.code_mode import CodeMode
from cellwright.hooks.hook import Hook
from cellwright.log.events import Recorder
from cellwright.selection import Selection
from cellwright.unknown_names import MOST, UnknownNameWarning, unknown_names

from .scene import agent_of, calling, play, returning

REGISTRY = registry_of(["edit_file", "read_file"])


def told(policy="default", selection=None, registry=REGISTRY):
    policy = policy if isinstance(policy, Policy) else Policy(policy)
    return unknown_names(policy, selection or Selection(), registry)


def test_a_deny_rule_with_a_slip_in_its_name_is_told_with_the_name_that_was_meant():
    assert told(Policy(deny={"edit-file(docs/*)"})) == (
        "a deny rule (given in code) names edit-file, but there is no such tool; did you mean edit_file, read_file?",
    )


@pytest.mark.parametrize(
    "selection", [Selection(deny=["zzz"]), Selection(allow=["zzz*"]), Selection(deny=["zzz"]).inner("sub_agent")]
)
def test_a_selection_is_looked_at_too_and_so_is_that_of_the_run_above(selection):
    (remark,) = told(selection=selection)
    assert remark.startswith("the selection names zzz")
    assert remark.endswith("but there is no such tool")


def test_a_hook_for_a_tool_that_there_is_not_is_told_by_its_name():
    hook = Hook("before_call", lambda occasion: None, tools={"edit_fil", "read_file"}, name="mine")
    (remark,) = unknown_names(Policy(), Selection(), REGISTRY, [hook])
    assert remark.startswith("the hook mine names edit_fil, but there is no such tool; did you mean edit_file")


@pytest.mark.parametrize(
    "name",
    ["edit_file", "notebook_run", "mcp__git", "mcp__git__log"],  # one of the run, a built-in one, a server's
)
def test_what_there_is_or_may_come_is_not_told(name):
    assert told(Policy(ask={name}, deny={name}, allow={"zzz"}), Selection(deny=[name, "read_*", "mcp__x*"])) == ()


def test_a_file_with_thousands_of_unknown_names_does_not_fill_the_log():
    assert len(told(Policy(deny={f"t{n}" for n in range(1_000)}))) == MOST


TOLD = "a deny rule (given in code) names tt, but there is no such tool; did you mean t?"


def test_a_run_tells_it_in_its_log_and_goes_on_as_before_without_a_warning_to_whoever_watches_it():
    conditions = {"policy": Policy(deny={"tt"}), "observers": [Recorder()]}
    run = play([calling("t"), "done"], [returning(1, "t")], **conditions)
    assert [event.data["text"] for event in run.events if event.kind == "note"] == [TOLD]
    assert run.answer == "done"


def test_where_nobody_watches_the_person_is_warned_once_at_their_own_line():
    agent = agent_of(["one", "two"], [returning(1, "t")], policy=Policy(deny={"tt"}))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        answers = [agent.run_sync(prompt).answer for prompt in ("a", "b")]
    assert [(str(each.message), each.category, each.filename) for each in caught] == [
        (TOLD, UnknownNameWarning, __file__)
    ]
    assert answers == ["one", "two"]


def test_in_code_mode_the_tools_that_code_calls_are_known():
    mode = CodeMode(Registry([returning(1, "mine")]))
    run = agent_of(["done"], mode, policy=Policy(deny={"mine"})).run_sync("go")
    assert [event for event in run.events if event.kind == "note"] == []
