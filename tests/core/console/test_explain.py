import json
import subprocess
import sys

import pytest


def explain(*arguments, cwd=None):
    command = [sys.executable, "-m", "cellwright.console.command_line", "explain", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=cwd)


def test_an_explanation_is_printed_as_json_with_its_parts(tmp_path):
    done = explain("echo a; touch pwn", "--allow", "echo *", "--json", cwd=tmp_path)
    found = json.loads(done.stdout)
    assert (done.returncode, done.stderr, list(tmp_path.iterdir())) == (0, "", [])
    assert (found["decision"], found["rule"]) == ("ask", None)
    assert [(part["command"], part["decision"]) for part in found["parts"]] == [
        ("echo a", "allow"),
        ("touch pwn", "ask"),
    ]
    assert all(part["reason"] for part in found["parts"])


def test_an_explanation_for_people_names_decision_parts_and_reasons(tmp_path):
    done = explain("echo a; rm b", "--deny", "rm *", "--default", "allow", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        "deny: `rm b`: the rule run_command(rm *) (given in code) denies it; use another tool (deny_rule)",
        "  allow  echo a",
        "         the rule run_command (--default allow) allows it",
        "  deny   rm b",
        "         the rule run_command(rm *) (given in code) denies it",
    ]


@pytest.mark.parametrize(
    ("arguments", "decision", "rule"),
    [
        (["ls"], "allow", None),
        (["touch a"], "ask", None),
        (["touch a", "--allow", "touch *"], "allow", "run_command(touch *)"),
        (["touch a", "--allow", "run_command(touch *)"], "allow", "run_command(touch *)"),
        (["touch a", "--deny", "run_command"], "deny", "run_command"),
        (["touch a", "--allow", "rm *", "--allow", "touch *"], "allow", "run_command(touch *)"),
        (["ls", "--allow", "touch *"], "ask", None),
        (["ls", "--ask", "ls *"], "ask", "run_command(ls *)"),
        (["touch a", "--default", "allow"], "allow", "run_command"),
        (["touch a", "--default", "allow", "--deny", "touch *"], "deny", "run_command(touch *)"),
        (["touch 'a", "--default", "allow"], "ask", None),
        (["--", "--x"], "ask", None),
    ],
    ids=range(12),
)
def test_rules_and_default_decide_as_they_are_given(arguments, decision, rule, tmp_path):
    done = explain("--json", *arguments, cwd=tmp_path)
    found = json.loads(done.stdout)
    assert (found["decision"], found["rule"]) == (decision, rule)


def test_files_of_rules_are_not_read(tmp_path):
    (tmp_path / ".cellwright").mkdir()
    (tmp_path / ".cellwright" / "permissions.toml").write_text("broken [")
    assert json.loads(explain("ls", "--json", cwd=tmp_path).stdout)["decision"] == "allow"


def test_a_pattern_that_can_not_be_read_is_told_on_standard_error(tmp_path):
    done = explain("ls", "--allow", "'x", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "the quote ' is not closed" in done.stderr
    done = explain("ls", "--allow", "edit_file(docs/*)", cwd=tmp_path)
    assert "is a rule for edit_file, and only commands are explained; give one such as git *" in done.stderr


def test_a_command_does_not_steer_the_terminal_that_shows_it(tmp_path):
    done = explain("echo \x1b[2J", cwd=tmp_path)
    assert "\x1b" not in done.stdout
