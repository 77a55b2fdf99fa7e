"""Which tools a run is shown and may call."""

import asyncio
import itertools
import json

import pytest
from msgspec.structs import replace

from cellwright import Agent, Allow, Env, Policy, Registry, ScriptedApprover, ScriptedModel
from cellwright.calls.conditions import Conditions, Standing
from cellwright.calls.passage import Setup
from cellwright.calls.pipeline import run_call
from cellwright.errors import RegistryError, UsageError
from cellwright.log.events import Log
from cellwright.messages import Call
from cellwright.role import ROLES
from cellwright.selection import EVERYTHING, Selection

from .scene import BYPASS, act, calling, returning

READS = returning(1, "reads")
WRITES = returning(1, "writes", read_only=False)
SOMETIMES = returning(1, "sometimes", read_only=lambda args: True)
STARTS = returning(1, "starts", roles=("main", "coordinator"))
SYSTEM = returning(1, "control", read_only=False, system=True, roles=ROLES)
FAR = [returning(1, f"mcp__{server}__{name}") for server in ("git", "github") for name in ("log", "show")]
TOOLS = [READS, WRITES, SOMETIMES, STARTS, SYSTEM, *FAR]


def names(*facts, **selection):
    return [tool.name for tool in Registry(facts or TOOLS).selected(Selection(**selection))]


def test_a_selection_of_everything_leaves_nothing_out():
    assert sorted(names()) == sorted(tool.name for tool in TOOLS)


@pytest.mark.parametrize(
    ("selection", "left"),
    [
        ({"allow": ["reads", "writes"]}, ["control", "reads", "writes"]),
        ({"allow": ["read"]}, ["control"]),
        ({"allow": []}, ["control"]),
        ({"allow": ["mcp__git__*"]}, ["control", "mcp__git__log", "mcp__git__show"]),
        ({"allow": ["mcp__git__*", "reads"], "deny": ["mcp__git__log"]}, ["control", "mcp__git__show", "reads"]),
        ({"deny": ["mcp__git*", "reads", "control"]}, ["control", "sometimes", "starts", "writes"]),
        ({"traits": ["read_only"], "deny": ["mcp__*"]}, ["control", "reads", "starts"]),
        ({"role": "sub_agent", "deny": ["mcp__*"]}, ["control", "reads", "sometimes", "writes"]),
        ({"role": "background", "deny": ["mcp__*"]}, ["control", "reads"]),
        ({"role": "coordinator", "deny": ["mcp__*"]}, ["control", "reads", "starts"]),
    ],
)
def test_names_traits_and_role_decide_together(selection, left):
    assert names(**selection) == left


def test_a_control_plane_tool_is_left_out_by_its_role_only():
    control = returning(1, "control", read_only=False, system=True)
    assert names(control, allow=[], deny=["control"], traits=["read_only"]) == ["control"]
    assert names(control, role="background") == []


def test_without_a_declaration_only_what_surely_reads_is_for_every_role():
    held = {role: [tool.name for tool in (READS, WRITES, SOMETIMES) if tool.is_for(role)] for role in ROLES}
    assert held["main"] == held["sub_agent"] == ["reads", "writes", "sometimes"]
    assert held["background"] == held["coordinator"] == ["reads"]


def test_an_inner_selection_never_has_a_name_that_the_outer_one_leaves_out():
    outer = Selection("coordinator", allow=["reads", "writes", "mcp__git__*"], deny=["mcp__git__log"])
    inner = outer.inner("sub_agent", allow=["writes", "sometimes", "mcp__*"])
    innermost = inner.inner("background", traits=["read_only"])
    left = [[tool.name for tool in Registry(TOOLS).selected(selection)] for selection in (outer, inner, innermost)]
    assert left == [
        ["control", "mcp__git__show", "reads"],
        ["control", "mcp__git__show", "writes"],
        ["control", "mcp__git__show"],
    ]


def test_a_selection_is_within_those_that_it_was_made_from_in_the_same_role():
    outer = Selection(deny=["writes"])
    inner = outer.inner("main", allow=["reads"])
    assert [inner.is_within(each) for each in (inner, outer, Selection(deny=["writes"]))] == [True] * 3
    assert [each.is_within(inner) for each in (outer, EVERYTHING, Selection(allow=["reads"]))] == [False] * 3
    assert outer.is_within(EVERYTHING) and not outer.is_within(Selection("sub_agent"))
    assert not outer.inner("sub_agent").is_within(outer)
    assert not outer.inner("sub_agent").inner("main").is_within(outer.inner("sub_agent"))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"role": "boss"}, "there is no role 'boss'; the roles are main, sub_agent, background, coordinator"),
        ({"allow": "reads"}, r"allow='reads' is one text; give a collection of names, as allow=\['reads'\]"),
        ({"deny": ["*ads"]}, r"deny names '\*ads', which is no name of a tool"),
        ({"deny": ["*"]}, r"deny names '\*', which is no name"),
        ({"allow": [None]}, "allow names None, which is no name"),
        ({"traits": ["harmless"]}, r"can't ask for the traits \['harmless'\]; give a set of: read_only, concurrency"),
        ({"traits": "read_only"}, "can't ask for the traits 'read_only'"),
    ],
)
def test_what_can_not_be_a_selection_is_refused_with_what_can(wrong, words):
    with pytest.raises(UsageError, match=words):
        Selection(**wrong)


@pytest.mark.parametrize("roles", ["main", ("boss",)])
def test_a_tool_for_a_role_that_does_not_exist_is_refused(roles):
    with pytest.raises(RegistryError, match=r"tool t: roles=.*; give a tuple of: main, sub_agent, background, coord"):
        returning(1, "t", roles=roles)


class Watching(ScriptedModel):
    """A scripted model that keeps the names it was shown."""

    def stream(self, request):
        self.shown = [tool["name"] for tool in json.loads(request.definitions_json)]
        assert [definition.name for definition in request.definitions] == self.shown
        return super().stream(request)


def watched(call, tools, selection):
    """What a model was shown, and what came of its call, in mode bypass."""
    model = Watching([calling(call), "done"])
    run = asyncio.run(act(Agent(model, tools, selection=selection, policy=BYPASS)))
    return model.shown, run.results[0]


LEFT_OUT = [
    (Selection(allow=["reads"]), "writes is not among the tools that this run was given"),
    (Selection(deny=["writes"]), "writes was taken out of this run"),
    (Selection(traits=["read_only"]), "writes is not read_only, and this run has only tools that are"),
    (Selection("background"), "writes is not for an agent in the role background, but for: main, sub_agent"),
]
SELECTIONS = [EVERYTHING, *(selection for selection, _ in LEFT_OUT)]


@pytest.mark.parametrize(("selection", "words"), LEFT_OUT)
def test_a_tool_that_is_not_shown_is_refused_when_it_is_called_all_the_same(selection, words):
    shown, result = watched("writes", [READS, WRITES], selection)
    assert (shown, result.error_type) == (["reads"], "tool_not_allowed")
    assert result.content == f"{words}. Nothing was run; the tools are: reads"


@pytest.mark.parametrize(("tool", "selection"), list(itertools.product(TOOLS, SELECTIONS)))
def test_what_is_shown_is_exactly_what_runs(tool, selection):
    shown, result = watched(tool.name, TOOLS, selection)
    assert result.ok is (tool.name in shown)


def test_names_that_are_left_out_are_not_offered_in_place_of_a_wrong_one():
    _, result = watched("write", [READS, WRITES], Selection(allow=["reads"]))
    assert result.content == "there is no tool 'write'; the tools are: reads"


def test_a_tool_that_is_left_out_while_the_person_thinks_does_not_run(tmp_path):
    standing = Standing(Conditions(Policy()))

    def leave_out(question):
        standing.apply(lambda now: replace(now, selection=Selection(deny=["writes"])), Log(), "c1")
        return Allow()

    setup = Setup(Registry(TOOLS), Env(tmp_path), standing, ScriptedApprover([leave_out]), Log())
    result = asyncio.run(run_call(Call("c1", "writes", "{}"), setup))
    assert result.error_type == "tool_not_allowed"
    assert result.content.startswith("writes was taken out of this run. Nothing was run; the tools are: control, mcp")
