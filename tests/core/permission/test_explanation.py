import pytest

from cellwright import Env, Policy, Tool, UsageError

from ..scene import CONSENT

SCHEMA = {"type": "object", "properties": {"path": {}, "command": {}}}


def made(name, **facts):
    plain = Tool.from_schema(name, "", SCHEMA, lambda args, env: None)
    return Tool(name, "", plain.input_schema, plain.execute, **facts)


def test_an_explanation_names_the_rule_that_decides_and_each_part(tmp_path):
    shell = made("run_command", command="command")
    policy = Policy(allow={"run_command(make *)"})
    found = policy.explain(shell, {"command": "make a && touch b"}, Env(tmp_path)).as_json()
    assert (found["decision"], found["by"], found["rule"]) == ("ask", "default", None)
    assert "`touch b`: no rule allows it" in found["reason"]
    assert [(part["command"], part["decision"], part["rule"]) for part in found["parts"]] == [
        ("make a", "allow", "run_command(make *)"),
        ("touch b", "ask", None),
    ]


def test_an_explanation_names_the_rules_that_allow(tmp_path):
    shell = made("run_command", command="command")
    policy = Policy(allow={"run_command(make *)", "run_command(touch b)"})
    found = policy.explain(shell, {"command": "make a && touch b"}, Env(tmp_path))
    assert (found.decision.decision, found.decision.rule) == ("allow", "run_command(make *), run_command(touch b)")


def test_a_guard_is_explained_before_any_rule(tmp_path):
    reader = made("read_file", paths=("path",))
    found = Policy(allow={"read_file"}).explain(reader, {"path": "../x"}, Env(tmp_path.resolve()))
    assert (found.decision.decision, found.decision.by) == ("deny", "inside_working_folder")


def test_what_fails_while_it_is_judged_is_explained_as_a_denial(tmp_path):
    shell = made("run_command", command="command")
    found = Policy().explain(shell, {"command": 3}, Env(tmp_path))
    assert (found.decision.decision, found.parts) == ("deny", ())
    assert "command holds no command line but integer" in found.decision.reason


def test_the_decision_is_the_one_that_is_made(tmp_path):
    for mode in ("default", "dont_ask", "bypass"):
        tool, policy = made("t"), Policy(mode, consent=CONSENT)
        assert policy.explain(tool, {}, Env(tmp_path)).decision == policy.decide(tool, {}, Env(tmp_path))


@pytest.mark.parametrize("given", ["edit_file", None])
def test_only_a_tool_can_be_explained_and_a_name_is_told_so(given, tmp_path):
    with pytest.raises(UsageError, match=rf"{given!r} is no tool; write policy\.explain\(agent\.registry\.get"):
        Policy().explain(given, {}, Env(tmp_path))
