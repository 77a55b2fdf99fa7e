from pathlib import Path

import pytest

from cellwright import Env, Policy, Tool
from cellwright.errors import UsageError
from cellwright.permission.decision import MODES
from cellwright.permission.policy import DECIDERS

from ..scene import CONSENT

ENV = Env(Path("/"))
SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}}


def made(name="t", **facts):
    plain = Tool.from_schema(name, "", SCHEMA, lambda args, env: None)
    return Tool(name, "", plain.input_schema, plain.execute, **facts)


def fails(*args):
    raise RuntimeError("boom")


def leaves(*args):
    raise SystemExit(3)


KINDS = {
    "reads": made(read_only=True),
    "edits": made(paths=("path",)),
    "acts": made(),
    "destroys": made(paths=("path",), destructive=True),
    "lies": made(read_only=True, destructive=True),
    "read trait raises": made(read_only=fails),
    "destructive trait raises": made(paths=("path",), destructive=fails),
    "tool allows": made(check_permission=lambda args, env: "allow"),
    "tool asks": made(read_only=True, check_permission=lambda args, env: "ask"),
    "tool denies": made(read_only=True, check_permission=lambda args, env: "deny"),
    "tool raises": made(read_only=True, check_permission=fails),
    "tool leaves": made(read_only=True, check_permission=leaves),
    "tool says nonsense": made(read_only=True, check_permission=lambda args, env: "yes"),
    "tool says True": made(check_permission=lambda args, env: True),
    "tool insists": made(read_only=True, asks_first=lambda args, env: "it is marked"),
    "insisting raises": made(read_only=True, asks_first=fails),
}
#                              default  plan     edits    dont_ask  bypass
TABLE = {
    "reads": ("allow", "allow", "allow", "allow", "allow"),
    "edits": ("ask", "ask", "allow", "deny", "allow"),
    "acts": ("ask", "ask", "ask", "deny", "allow"),
    "destroys": ("ask", "ask", "ask", "deny", "allow"),
    "lies": ("ask", "ask", "ask", "deny", "allow"),
    "read trait raises": ("ask", "ask", "ask", "deny", "allow"),
    "destructive trait raises": ("ask", "ask", "ask", "deny", "allow"),
    "tool allows": ("allow", "allow", "allow", "allow", "allow"),
    "tool asks": ("ask", "ask", "ask", "deny", "allow"),
    "tool denies": ("deny", "deny", "deny", "deny", "deny"),
    "tool raises": ("deny", "deny", "deny", "deny", "deny"),
    "tool leaves": ("deny", "deny", "deny", "deny", "deny"),
    "tool says nonsense": ("deny", "deny", "deny", "deny", "deny"),
    "tool says True": ("deny", "deny", "deny", "deny", "deny"),
    "tool insists": ("ask", "ask", "ask", "deny", "allow"),
    "insisting raises": ("deny", "deny", "deny", "deny", "allow"),
}
CASES = [(kind, mode, TABLE[kind][i]) for kind in KINDS for i, mode in enumerate(MODES)]


@pytest.mark.parametrize(("kind", "mode", "decision"), CASES)
def test_each_mode_decides_each_kind_of_tool_as_in_the_table(kind, mode, decision):
    found = Policy(mode, consent=CONSENT).decide(KINDS[kind], {"path": "a"}, ENV)
    assert found.decision == decision
    assert found.by
    assert found.reason


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_deny_rule_beats_all(kind, mode):
    decision = Policy(mode, allow={"t"}, ask={"t"}, deny={"t"}, consent=CONSENT).decide(KINDS[kind], {"path": "a"}, ENV)
    assert (decision.decision, decision.by) == ("deny", "deny_rule")
    assert decision.reason == "a rule denies t; use another tool"


RULES = [
    ({"allow": {"t"}}, "acts", "allow", "allow_rule"),
    ({"allow": {"t"}, "ask": {"t"}}, "acts", "ask", "ask_rule"),
    ({"ask": {"t"}}, "reads", "ask", "ask_rule"),
    ({"allow": {"t"}}, "tool denies", "deny", "tool"),
    ({"allow": {"t"}}, "tool asks", "allow", "allow_rule"),
    ({"allow": {"t"}}, "tool raises", "deny", "tool_denies"),
    ({"allow": {"t"}}, "tool insists", "ask", "tool_insists"),
    ({"allow": {"t"}, "ask": {"t"}}, "tool insists", "ask", "tool_insists"),
    ({"allow": {"t"}}, "destroys", "allow", "allow_rule"),
    ({}, "reads", "allow", "read_only"),
]


@pytest.mark.parametrize(("rules", "kind", "decision", "by"), RULES, ids=range(len(RULES)))
def test_the_first_decision_of_the_list_stands(rules, kind, decision, by):
    found = Policy(**rules).decide(KINDS[kind], {}, ENV)
    assert (found.decision, found.by) == (decision, by)


@pytest.mark.parametrize("name", ["run", "run_command", "run-command", "run_command_2", "Run_command", "un_comman"])
def test_a_rule_covers_its_exact_name_and_no_look_alike(name):
    tool = made(name, read_only=True)
    assert (Policy(deny={"run_command"}).decide(tool, {}, ENV).decision == "deny") is (name == "run_command")
    tool = made(name)
    assert (Policy(allow=["run_command"]).decide(tool, {}, ENV).decision == "allow") is (name == "run_command")


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"mode": "yolo"}, "there is no mode 'yolo'; the modes are default, plan"),
        ({"allow": "run"}, "allow='run' is a text; give the names of tools in a set: allow={'run'}"),
        ({"deny": {"run*"}}, "'run*' is no rule; a rule is the exact name of a tool"),
        ({"deny": {"run()"}}, "'run()': the pattern is empty; write run alone for every call"),
        ({"ask": ["*"]}, "'*' is no rule"),
        ({"deny": [None]}, "None is no rule"),
        ({"deny": [""]}, "'' is no rule"),
    ],
)
def test_a_mode_or_rule_that_can_not_be_read_is_refused(rules, words):
    with pytest.raises(UsageError) as caught:
        Policy(**rules)
    assert words in str(caught.value)


def test_rules_given_in_any_collection_are_kept_as_sets_of_their_own():
    given = ["a"]
    policy = Policy(deny=given)
    given.clear()
    assert policy.deny == {"a"}


def test_a_call_surely_runs_only_if_nothing_asks():
    assert Policy().surely_allows(KINDS["reads"], {}, ENV)
    assert not Policy().surely_allows(KINDS["acts"], {}, ENV)
    assert not Policy().surely_allows(KINDS["tool raises"], {}, ENV)


def test_the_last_decider_always_decides():
    last = [DECIDERS[-1](Policy(mode, consent=CONSENT), tool, {}, ENV) for mode in MODES for tool in KINDS.values()]
    assert [found and found.decision for found in last] == ["ask"] * len(MODES) * len(KINDS)


def test_a_tool_that_gives_its_reason_has_it_told():
    reasoned = made(check_permission=lambda args, env: ("ask", "it sends a letter"))
    decision = Policy().decide(reasoned, {}, ENV)
    assert (decision.decision, decision.by, decision.reason) == ("ask", "tool", "it sends a letter")


def test_a_rule_of_the_person_that_names_the_tool_beats_its_own_question():
    asking = made(check_permission=lambda args, env: "ask")
    assert Policy(allow=frozenset({"t"})).decide(asking, {}, ENV).by == "allow_rule"


def shell():
    plain = Tool.from_schema("run_command", "", {"type": "object", "properties": {"command": {}}}, lambda args, env: 1)
    return Tool(plain.name, "", plain.input_schema, plain.execute, command="command")


@pytest.mark.parametrize(
    ("line", "mode", "decision", "by"),
    [
        ("ls", "default", "allow", "read_only"),
        ("make a", "default", "allow", "allow_rule"),
        ("make a | cat", "default", "allow", "allow_rule"),
        ("make a; touch b", "default", "ask", "default"),
        ("make a; touch b", "accept_edits", "ask", "default"),
        ("make a; touch b", "dont_ask", "deny", "dont_ask"),
        ("make a; touch b", "bypass", "allow", "bypass"),
        ("make a; rm b", "bypass", "deny", "deny_rule"),
        ("make a; $x b", "bypass", "deny", "deny_rule"),
        ("make a; $x b", "default", "ask", "unclear_command"),
        ("make (", "bypass", "deny", "deny_rule"),
        ("git push", "default", "ask", "ask_rule"),
        ("ls; git push", "bypass", "allow", "bypass"),
    ],
)
def test_a_command_line_is_decided_by_its_parts(line, mode, decision, by):
    rules = {"allow": {"run_command(make *)"}, "ask": {"run_command(git push)"}, "deny": {"run_command(rm *)"}}
    found = Policy(mode, **rules, consent=CONSENT).decide(shell(), {"command": line}, ENV)
    assert (found.decision, found.by) == (decision, by), found.reason


@pytest.mark.parametrize("args", [{}, {"command": None}, {"command": ["ls"]}])
def test_a_command_that_is_no_text_is_denied(args):
    assert Policy("bypass", consent=CONSENT).decide(shell(), args, ENV).decision == "deny"


def test_a_tool_of_a_server_is_covered_by_the_rule_for_the_server():
    assert Policy(deny={"mcp__git"}).decide(made("mcp__git__log", read_only=True), {}, ENV).decision == "deny"
    assert Policy(allow={"mcp__git"}).decide(made("mcp__git__push"), {}, ENV).decision == "allow"
    assert Policy(allow={"mcp__git"}).decide(made("mcp__github__push"), {}, ENV).decision == "ask"


def test_mode_bypass_is_not_entered_without_both_confirmations():
    with pytest.raises(UsageError, match="entered by two confirmations; write Policy"):
        Policy("bypass")
    with pytest.raises(UsageError, match="entered by two confirmations"):
        Policy("bypass", consent=True)


@pytest.mark.parametrize(
    ("rules", "kind", "leaves"),
    [
        ({}, "acts", True),
        ({"ask": {"t"}}, "acts", True),
        ({"deny": {"t"}}, "reads", False),
        ({}, "tool denies", False),
        ({}, "tool insists", False),
        ({"allow": {"t"}}, "insisting raises", False),
    ],
)
def test_what_nothing_denies_is_left_to_others_to_allow(rules, kind, leaves):
    assert Policy("dont_ask", **rules).leaves(KINDS[kind], {}, ENV) is leaves


LOOKS = {
    "read_only": lambda args: args["path"] == "a",
    "check_permission": lambda args, env: "allow" if args["path"] == "a" else None,
    "asks_first": lambda args, env: "" if args["path"] == "a" else "it is marked",
}


def test_mode_accept_edits_asks_about_what_other_programs_obey(tmp_path):
    editing, env = made(paths=("path",)), Env(tmp_path.resolve())
    (tmp_path / "notes").symlink_to(".vscode")
    found = [Policy("accept_edits").decide(editing, {"path": path}, env) for path in ("a", "notes/tasks.json")]
    assert [decision.decision for decision in found] == ["allow", "ask"]
    assert "'notes/tasks.json' is what other programs obey" in found[1].reason


@pytest.mark.parametrize("fact", LOOKS)
def test_a_tool_that_looks_at_its_arguments_is_judged_anew_for_each_call(fact):
    tool = made(**{"read_only": True, fact: LOOKS[fact]} if fact == "asks_first" else {fact: LOOKS[fact]})
    policy = Policy()
    assert [policy.decide(tool, {"path": path}, ENV).decision for path in "aba"] == ["allow", "ask", "allow"]


def test_rules_with_patterns_are_held_against_the_paths_of_each_call(tmp_path):
    policy, tool = Policy(allow={"t(a)"}), made(paths=("path",))
    env = Env(tmp_path.resolve())
    assert [policy.decide(tool, {"path": path}, env).decision for path in "aba"] == ["allow", "ask", "allow"]


def test_another_tool_in_the_place_of_one_that_was_judged_is_judged_itself():
    policy = Policy()
    assert [policy.decide(made(read_only=reads), {}, ENV).decision for reads in (True, False)] == ["allow", "ask"]
    policy, facts = Policy(deny={"read_file(a)"}), {"paths": ("path",), "read_only": True}
    plain, reader = made(**facts), made(**facts, counts_as={"path": ("read_file",)})
    assert [policy.decide(tool, {"path": "a"}, ENV).decision for tool in (plain, reader, plain)] == [
        *("allow", "deny", "allow")
    ]
