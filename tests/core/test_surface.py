"""What one run shows its model, turn by turn."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

from cellwright import Agent, Env, Policy, Registry, ScriptedModel, Tool
from cellwright.calls.conditions import Conditions
from cellwright.deferral import Threshold
from cellwright.runs.budget import Budget
from cellwright.selection import Selection
from cellwright.surface import Surface, changed

from .scene import BYPASS, act, calling, kinds_of, plain, play, returning

NOW = Conditions(Policy())
FEW = Threshold(tools=2)


def many(origin="mcp", count=5):
    return [returning(n, f"mcp__srv__t{n}", origin=origin) for n in range(count)]


CORE = returning(0, "core", origin="built-in")


def names(listing):
    assert [definition.name for definition in listing.definitions] == [
        each["name"] for each in json.loads(listing.json)
    ]
    return [definition.name for definition in listing.definitions]


@pytest.fixture
def env(tmp_path):
    return Env(tmp_path)


def test_below_the_threshold_all_are_shown_and_there_is_nothing_to_search(env):
    surface = Surface(Threshold(tools=6))
    registry = Registry([CORE, *many()])
    assert names(surface.renew(registry, NOW, env)) == [tool.name for tool in registry]
    assert surface.deferred() == ()


def test_above_the_threshold_only_the_core_and_the_search_are_shown(env):
    surface = Surface(FEW)
    listing = surface.renew(Registry([CORE, *many()]), NOW, env)
    assert names(listing) == ["core", "tool_search"]
    assert [definition.name for definition in surface.deferred()] == [f"mcp__srv__t{n}" for n in range(5)]
    assert surface.is_hidden("mcp__srv__t0") and not surface.is_hidden("core")


def test_what_is_found_joins_the_list_at_its_end_and_no_byte_before_it_moves(env):
    surface, registry, now = Surface(FEW), Registry([CORE, *many()]), NOW
    before = surface.renew(registry, now, env).json
    for name in ("mcp__srv__t3", "mcp__srv__t0", "mcp__srv__t4"):
        now = now.with_found([name, "no_such_tool"])
        after = surface.renew(registry, now, env).json
        assert after.startswith(before.removesuffix(b"]") + b",")
        before = after
    assert names(surface.renew(registry, now, env))[2:] == ["mcp__srv__t3", "mcp__srv__t0", "mcp__srv__t4"]


def test_once_tools_wait_they_go_on_waiting_when_some_leave(env):
    surface, registry = Surface(FEW), Registry([CORE, *many(), returning(1, "mcp__b__x", origin="mcp")])
    surface.renew(registry, NOW, env)
    registry.suspend("mcp__srv__")
    assert names(surface.renew(registry, NOW, env)) == ["core", "tool_search"]
    registry.resume("mcp__srv__")
    assert names(surface.renew(registry, NOW.with_found(["mcp__b__x"]), env)) == ["core", "tool_search", "mcp__b__x"]


def test_without_leave_to_search_nothing_is_deferred(env):
    registry = Registry([CORE, *many()])
    listing = Surface(FEW).renew(registry, Conditions(Policy(deny={"tool_search"})), env)
    assert names(listing) == [tool.name for tool in registry]


def test_what_a_selection_leaves_out_can_not_be_found(env):
    surface = Surface(FEW)
    now = Conditions(Policy(), Selection(deny=["mcp__srv__t1"]), found=("mcp__srv__t1",))
    assert names(surface.renew(Registry([CORE, *many()]), now, env)) == ["core", "tool_search"]
    assert "mcp__srv__t1" not in [definition.name for definition in surface.deferred()]


def test_the_same_list_is_given_while_nothing_changes(env):
    surface, registry = Surface(), Registry([CORE, *many()])
    first = surface.renew(registry, NOW, env)
    assert all(surface.renew(registry, NOW, env) is first for _ in range(100))


@pytest.mark.parametrize("rule", ["core", "core(*)"])
def test_a_tool_that_a_rule_denies_whole_is_not_shown_and_its_call_names_the_rule(rule):
    run = play([calling("core"), "done"], [CORE, *many(count=1)], policy=Policy(deny={rule}))
    (result,) = run.results
    assert result.error_type == "permission_denied"
    assert "core" in result.content


def test_a_rule_for_some_calls_hides_nothing(env):
    surface = Surface()
    now = Conditions(Policy(deny={"core(secret/*)", "mcp__srv__t0", "mcp__other"}))
    assert names(surface.renew(Registry([CORE, *many(count=2)]), now, env)) == ["core", "mcp__srv__t1"]
    now = Conditions(Policy(deny={"mcp__srv"}))
    assert names(surface.renew(Registry([CORE, *many(count=2)]), now, env)) == ["core"]


def test_a_change_names_what_was_added_what_is_gone_and_what_is_different():
    old, new = ([returning(1, name).definition for name in names] for names in ("abc", "bdc"))
    assert changed(old, new) == {"added": ["d"], "gone": ["a"], "changed": []}
    assert changed(old, [returning(1, "a").definition, *old[1:]])["changed"] == []


class Watching(ScriptedModel):
    """A scripted model that keeps the lists it was shown."""

    def stream(self, request):
        self.shown = [*getattr(self, "shown", []), request.definitions_json]
        return super().stream(request)

    @property
    def names(self):
        return [[tool["name"] for tool in json.loads(text)] for text in self.shown]


def watched(turns, tools, **conditions):
    model = Watching(turns)
    conditions.setdefault("policy", BYPASS)
    run = asyncio.run(act(Agent(model, tools, **conditions)))
    return model, run


def test_a_hundred_turns_get_the_same_bytes_while_tools_wait():
    model, run = watched([*[calling("core")] * 99, "done"], [CORE, *many()], threshold=FEW, budget=Budget(steps=100))
    assert (run.steps, len(model.shown), len(set(model.shown))) == (100, 100, 1)
    assert model.names[0] == ["core", "tool_search"]


def growing(registry, *names):
    """A tool that adds these to the registry while it runs."""

    def grow(args, env):
        for name in names:
            registry.add(returning(name, name))

    return plain(grow, origin="built-in")


def test_a_tool_that_joins_during_a_turn_is_there_from_the_next_one_on_and_an_event_says_so():
    registry = Registry([CORE])
    registry.add(growing(registry, "late"))
    model, run = watched([calling("grow", "late"), calling("late"), "done"], registry)
    assert [result.error_type for result in run.results] == [None, "unknown_tool", None]
    assert model.names == [["core", "grow"], ["core", "grow", "late"], ["core", "grow", "late"]]
    (event,) = kinds_of(run, "tools_changed")
    assert [event.data[kind] for kind in ("added", "gone", "changed")] == [["late"], [], []]
    assert event.data["text"] == "the list of tools changed, added: late"
    assert event.data["digest"] != kinds_of(run, "run_started")[0].data["tools"]


def test_a_tool_whose_definition_changes_is_named_and_nothing_else_is():
    registry = Registry([CORE, returning(1, "t")])
    other = Tool("t", "Another.", CORE.input_schema, CORE.execute, read_only=True)
    registry.add(plain(lambda args, env: registry.replace(other), "swap"))
    _, run = watched([calling("core"), calling("swap"), calling("t"), "done"], registry)
    (event,) = kinds_of(run, "tools_changed")
    assert [event.data[kind] for kind in ("added", "gone", "changed")] == [[], [], ["t"]]


def test_a_call_to_a_suspended_tool_says_that_its_server_is_away():
    registry = Registry([CORE, *many(count=1)])
    registry.add(plain(lambda args, env: registry.suspend("mcp__srv__"), "drop"))
    registry.add(plain(lambda args, env: registry.resume("mcp__srv__"), "back"))
    turns = [calling("drop", "mcp__srv__t0"), calling("mcp__srv__t0"), calling("back"), calling("mcp__srv__t0"), "done"]
    model, run = watched(turns, registry)
    words = "mcp__srv__t0 is away: all of mcp__srv__ is, since its server is not connected. Go on without it"
    assert [r.content[: len(words)] == words for r in run.results] == [False, True, True, False, False]
    assert [r.error_type for r in run.results] == [None, "tool_not_allowed", "tool_not_allowed", None, None]
    assert ("mcp__srv__t0" in model.names[1], model.shown[3]) == (False, model.shown[0])
    assert [event.data["gone"] for event in kinds_of(run, "tools_changed")] == [["mcp__srv__t0"], []]


def test_whether_a_tool_is_open_follows_each_change_of_what_there_is_and_of_what_holds(env):
    registry, surface = Registry(many(count=1)), Surface()
    (tool,) = registry

    def is_open(conditions=NOW):
        return not surface.refusal(tool, registry, conditions, env)

    said = [is_open(), is_open(Conditions(Policy(), Selection(deny={tool.name}))), is_open()]
    registry.suspend("mcp__srv__")
    said.append(is_open())
    registry.resume("mcp__srv__")
    said.append(is_open())
    registry.replace(returning(7, tool.name, origin="mcp"))
    assert [*said, is_open()] == [True, False, True, False, True, False]


def test_a_note_tells_which_tool_of_a_server_a_built_in_one_keeps_out():
    made = returning("server", "core", origin="mcp")
    model, run = watched([calling("core"), "done"], Registry([made, CORE]))
    assert (run.results[0].value, model.names[0]) == (0, ["core"])
    words = "the built-in tool core is used; the one of an MCP server with the same name is not"
    assert [event.data["text"] for event in kinds_of(run, "note")] == [words]


def test_a_description_is_written_once_as_the_run_starts_and_then_stays(tmp_path):
    written = []

    def describe(env):
        written.append(env.cwd)
        return f"Call {len(written)} in {env.cwd.name}."

    registry = Registry([CORE])
    registry.add(Tool("told", describe, CORE.input_schema, CORE.execute, read_only=True))
    registry.add(growing(registry, "late"))
    model, run = watched([calling("told"), calling("grow"), "done"], registry, cwd=tmp_path)
    texts = {tool["description"] for text in model.shown for tool in json.loads(text) if tool["name"] == "told"}
    assert (texts, written) == ({f"Call 1 in {tmp_path.name}."}, [tmp_path])
    assert len(kinds_of(run, "tools_changed")) == 1


def interrupts(env):
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("describe", "problem"),
    [
        (lambda env: 1 / 0, "ZeroDivisionError: division by zero"),
        (lambda env: None, "it gave no text but NoneType"),
        (lambda env: b"bytes", "it gave no text but bytes"),
        (lambda: "", "TypeError: "),
        (lambda env: sys.exit("now"), "SystemExit: now"),
        (interrupts, "KeyboardInterrupt"),
    ],
    ids=range(6),
)
def test_a_description_that_can_not_be_written_is_replaced_and_noted(describe, problem):
    made = Tool("told", describe, CORE.input_schema, CORE.execute, read_only=True)
    model, run = watched([calling("told"), "done"], [made])
    (shown,) = json.loads(model.shown[0])
    assert shown["description"] == "Its description could not be written; go by its name and parameters."
    (note,) = kinds_of(run, "note")
    assert note.data["text"].startswith(f"the description of told could not be written: {problem}")
    assert run.results[0].ok


@pytest.mark.parametrize(
    ("enabled", "reason"),
    [
        (lambda env: "it needs gnuplot, which is not installed", "it needs gnuplot, which is not installed"),
        (lambda env: False, "it can't be used here"),
        (lambda env: 1, "it can't be used here"),
        (lambda env: "", "it can't be used here"),
        (lambda env: 1 / 0, "its check failed (ZeroDivisionError: division by zero)"),
    ],
    ids=range(5),
)
def test_a_tool_that_says_it_can_not_be_here_is_left_out_with_its_reason(enabled, reason):
    made = returning(1, "plot", enabled=enabled)
    model, run = watched([calling("plot"), "done"], [CORE, made])
    (result,) = run.results
    assert model.names[0] == ["core"]
    assert [event.data["text"] for event in kinds_of(run, "note")] == [f"plot is left out: {reason}"]
    assert (result.error_type, result.content) == (
        "tool_not_allowed",
        f"plot is not here: {reason}. Nothing was run; the tools are: core",
    )


def test_a_tool_that_says_it_can_be_here_is_asked_once():
    asked = []
    model, run = watched([calling("t")] * 3 + ["done"], [returning(1, "t", enabled=lambda env: not asked.append(env))])
    assert (len(asked), run.results[0].ok, model.names[0]) == (1, True, ["t"])


def test_a_tool_that_waits_may_be_called_and_wrong_arguments_are_told_how_to_read_its_definition():
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    late = [plain(lambda args, env: args["n"], f"mcp__srv__t{n}", schema, origin="mcp") for n in range(5)]
    turns = [calling(("mcp__srv__t1", {"n": 3}), ("mcp__srv__t1", {"m": 3})), "done"]
    _, run = watched(turns, [CORE, *late], threshold=FEW)
    right, wrong = run.results
    assert (right.value, wrong.error_type) == (3, "invalid_arguments")
    assert wrong.content.endswith(
        "The parameters are: n: integer. To read its definition first, call tool_search with select:mcp__srv__t1"
    )


def test_nothing_but_name_description_and_schema_leaks_from_tools_that_wait():
    host = {"timeout": 77.5, "max_result_chars": 4242, "destructive": True}
    late = [returning(n, f"mcp__srv__t{n}", origin="mcp", **host) for n in range(5)]
    surface = Surface(FEW)
    listing = surface.renew(Registry(late), NOW.with_found(["mcp__srv__t1"]), Env(Path("/")))
    shown = json.loads(listing.json)
    assert shown[1] == {"name": "mcp__srv__t1", "description": "A tool.", "input_schema": {"type": "object"}}
    assert {key for each in shown for key in each} == {"name", "description", "input_schema"}
