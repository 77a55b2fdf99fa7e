import subprocess
import sys
from pathlib import Path

import pytest

from cellwright import Env, Policy, Tool, UsageError
from cellwright.catalogue import load
from cellwright.console.explain import explained_line
from cellwright.permission.judgement import given_paths, judge, reads_only
from cellwright.permission.layers import Layer
from cellwright.permission.rules import Rule

from ..in_time import in_time
from .command_table import ALLOW, ASKS, DENY, LONGER, READS

SCHEMA = {"type": "object", "properties": {name: {} for name in ("path", "command")}}


def made(name="t", **facts):
    plain = Tool.from_schema(name, "", SCHEMA, lambda args, env: None)
    return Tool(name, "", plain.input_schema, plain.execute, **facts)


SHELL = made("run_command", command="command")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A working folder without surprises for paths."""
    (tmp_path / "src").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path.resolve()


def decided(line, allow=(), deny=(), default="ask"):
    return explained_line(line, list(allow), [], list(deny), default).decision


@pytest.mark.parametrize("line", READS.strip().split("\n"))
def test_a_line_that_only_reads_runs_without_a_rule(line):
    found = decided(line)
    assert found.decision == "allow", found.reason


@pytest.mark.parametrize("line", ASKS.strip().split("\n"))
def test_any_other_line_asks(line):
    found = decided(line)
    assert found.decision == "ask", found.reason


@pytest.mark.parametrize(("line", "decision"), LONGER, ids=range(len(LONGER)))
def test_lines_with_unusual_characters_are_decided_as_in_the_table(line, decision):
    assert decided(line).decision == decision


@pytest.mark.parametrize(("patterns", "line", "decision"), ALLOW, ids=range(len(ALLOW)))
def test_a_pattern_allows_what_it_surely_covers(patterns, line, decision):
    found = decided(line, allow=patterns)
    assert found.decision == decision, found.reason


@pytest.mark.parametrize(("patterns", "line", "decision"), DENY, ids=range(len(DENY)))
def test_a_pattern_denies_what_it_covers_in_any_spelling(patterns, line, decision):
    found = decided(line, deny=patterns, default="allow")
    assert found.decision == decision, found.reason


HOSTILE = {
    "parentheses": "(",
    "closing parentheses": ")",
    "substitutions": "$(",
    "backticks": "`",
    "quotes": "'",
    "quotes in substitutions": '"$(',
    "tests": "[[ (",
    "tests of numbers": "[[ =~",
    "arithmetic": "$((",
    "expansions": "${x:-",
    "heredocs": "cat <<A\n",
    "cases": "case a in @(",
    "conditions": "if a; then ",
    "loops": "for x in ",
    "functions": "f() { ",
    "pipes": "a|",
    "few pipes": "a -b --long-option='text' |",
    "lists": "a;",
    "and": "a && ",
    "words": "a ",
    "unknown words": "$x ",
    "mixed words": '"$x"a ',
    "paths": "cat a/b/c a/b/d;",
    "wrappers": "sudo ",
    "shells": "bash -c ",
    "xargs": "xargs ",
    "redirections": ">f ",
    "assignments": "a=1 ",
    "wildcards": "*a",
    "dollars": "$",
    "backslashes": "\\",
    "text": "é",
    "lines": "\n",
}


@pytest.mark.parametrize("length", [9_990, 70_000, 2_000_000])
@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_line_is_decided_in_a_second_and_not_allowed(kind, length):
    text = HOSTILE[kind] * (length // len(HOSTILE[kind]))
    rules = ["echo *", "*a*b*c* z"], ["*x*y* z", "rm q*"]
    assert in_time(1, lambda number: decided(f"rm {'a' * number}{text}", *rules)).decision == "ask"


@pytest.mark.parametrize("repeated", ["rm a b;", "cat a/b/c a/b a/b/c/d;", "sudo nice rm a;", "cd a;", 'cat "$x" b;'])
def test_many_sound_commands_are_judged_in_a_second(repeated):
    rules = ["echo *", "*a*b*c* z"], ["*x*y* z", "rm q*"]
    in_time(1, lambda number: decided(repeated * (290 - number), *rules))


def test_a_line_of_many_commands_is_judged_to_its_end():
    assert decided("ls;" * 120 + "rm a", deny=["rm *"], default="allow").decision == "deny"
    assert decided("ls && " * 120 + "touch a").decision == "ask"


def by(tool, args, folder, *layers):
    return [(verdict.target, verdict.by) for verdict in judge(tool, args, Env(folder), layers)]


def test_the_nearest_layer_that_speaks_decides_but_any_may_deny(folder):
    rule, other = Rule("t"), Rule("other")
    near, far = Layer("near", allow=(rule,)), Layer("far", ask=(rule,))
    assert by(made(), {}, folder, near, far) == [("t", "allow_rule")]
    assert by(made(), {}, folder, far, near) == [("t", "ask_rule")]
    assert by(made(), {}, folder, near, Layer("farther", deny=(rule,))) == [("t", "deny_rule")]
    assert by(made(), {}, folder, Layer("x", deny=(other,)), Layer("y")) == [("t", "no_rule")]


def test_each_path_of_a_call_is_a_target(folder):
    layer = Layer("x", allow=(Rule("t", "src/*"),))
    found = by(made(paths=("path",)), {"path": ["src/a", "b"]}, folder, layer)
    assert found == [("src/a", "allow_rule"), ("b", "no_rule")]
    assert by(made(paths=("path",)), {}, folder, layer) == [(".", "no_rule")]


@pytest.mark.parametrize("pattern", ["{up}/p/.env", "{up}/p/*nv", "{up}/p", "l", "d/*nv"])
def test_a_rule_that_denies_a_path_by_a_link_denies_what_the_link_leads_to(folder, tmp_path_factory, pattern):
    up = tmp_path_factory.mktemp("up")
    (up / "p").symlink_to(folder)
    (folder / ".env").write_text("x")
    (folder / "l").symlink_to(".env")
    (folder / "d").symlink_to(".")
    reading = made("read_file", paths=("path",), read_only=True)
    policy = Policy(deny={f"read_file({pattern.format(up=up)})"})
    assert policy.decide(reading, {"path": ".env"}, Env(folder)).decision == "deny"


SPELLINGS = ["./.env", "src/../.env", ".//.env", ".env/", "e", ".env"]


@pytest.mark.parametrize("path", SPELLINGS)
def test_a_rule_on_a_path_holds_for_every_spelling_of_it(folder, path):
    (folder / ".env").write_text("x")
    (folder / "e").symlink_to(".env")
    reading = made("read_file", paths=("path",), read_only=True)
    policy = Policy(deny={"read_file(.env)"})
    assert policy.decide(reading, {"path": path}, Env(folder)).decision == "deny"
    assert policy.decide(reading, {"path": str(folder / path)}, Env(folder)).decision == "deny"


@pytest.mark.parametrize(
    ("rule", "tool"),
    [
        *(("edit_file", tool) for tool in ("multi_edit", "delete_range", "delete_symbol")),
        *(("notebook_edit", tool) for tool in ("notebook_patch", "notebook_run")),
        *(("read_file", tool) for tool in ("search_code", "code_index")),
        *(("notebook_read", tool) for tool in ("search_code", "code_index", "notebook_outline", "notebook_search")),
    ],
)
def test_who_may_not_read_or_edit_a_path_can_not_do_it_by_a_tool_of_another_name(folder, rule, tool):
    args = {"path": "src/a.ipynb"}
    for policy in (Policy("accept_edits", deny={f"{rule}(src/*)"}), Policy(allow={tool}, deny={f"{rule}(src)"})):
        assert policy.decide(load(tool), args, Env(folder)).decision == "deny"
        assert policy.decide(load(tool), {"path": "a.ipynb"}, Env(folder)).decision != "deny"


@pytest.mark.parametrize("args", [{}, {"path": "."}])
def test_who_may_not_read_the_working_folder_can_not_search_it_without_naming_it(folder, args):
    assert Policy(deny={"read_file(.)"}).decide(load("search_code"), args, Env(folder)).decision == "deny"


def test_who_may_not_search_what_is_in_a_folder_can_not_search_the_folder(folder):
    policy = Policy(deny={"search_code(src/*)", "list_dir(a/*/b)"})
    decided = [
        policy.decide(load("search_code"), {"path": path}, Env(folder)).decision for path in ("src", "src/", "sr")
    ]
    assert decided == ["deny", "deny", "allow"]
    assert policy.decide(load("list_dir"), {"path": "a"}, Env(folder)).decision == "allow"


@pytest.mark.parametrize("path", ["my.env", "src/.envrc", "src/.env", ".env.example", "h"])
def test_other_paths_are_free_and_so_is_a_hard_link(folder, path):
    """A hard link is another name of the file, and nothing tells that it was not the first."""
    (folder / ".env").write_text("x")
    (folder / "h").hardlink_to(folder / ".env")
    reading = made("read_file", paths=("path",), read_only=True)
    assert Policy(deny={"read_file(.env)"}).decide(reading, {"path": path}, Env(folder)).decision == "allow"


@pytest.mark.parametrize(
    ("line", "rules", "by"),
    [
        ("ls > out/a", {"allow": (Rule("write_file", "out/*"),)}, "allow_rule"),
        ("ls > out/../a", {"allow": (Rule("write_file", "out/*"),)}, "no_rule"),
        ("ls > $x", {"allow": (Rule("write_file", "*"),)}, "allow_rule"),
        ("ls > $x", {"deny": (Rule("write_file", "a"),)}, "may_be_denied"),
        ("ls > a", {"deny": (Rule("write_file", "a"),)}, "deny_rule"),
        ("cat < .env", {"deny": (Rule("read_file", ".env"),)}, "deny_rule"),
        ("cat .env", {"deny": (Rule("read_file", ".env"),), "allow": (Rule("run_command", "cat *"),)}, "deny_rule"),
        ("head .e*", {"deny": (Rule("read_file", ".env"),)}, "may_be_denied"),
        ("cat a", {"ask": (Rule("read_file", "a"),)}, "ask_rule"),
        ("cat < a", {}, "read_only"),
        ("cat < ../a", {}, "no_rule"),
        ("cd src; cat < ../../a", {}, "no_rule"),
    ],
)
def test_what_a_line_reads_and_writes_is_judged_by_the_rules_of_the_file_tools(folder, line, rules, by):
    found = judge(SHELL, {"command": line}, Env(folder), [Layer("x", **rules)])
    assert found[-1].by == by


def test_what_a_link_leads_to_counts(folder):
    (folder / "link").symlink_to("/etc")
    assert not reads_only(SHELL, {"command": "cat link/passwd"}, Env(folder))
    assert reads_only(SHELL, {"command": "cat src/passwd"}, Env(folder))


def test_a_pattern_for_a_tool_without_paths_or_command_is_an_error(folder):
    with pytest.raises(UsageError, match="a rule for t has a pattern, but the tool takes no path or command"):
        judge(made(), {}, Env(folder), [Layer("x", deny=(Rule("t", "a"),))])


def test_arguments_that_are_no_paths_or_command_raise(folder):
    with pytest.raises(TypeError, match="path holds no path but integer"):
        list(given_paths(made(paths=("path",)), {"path": 1}))
    with pytest.raises(TypeError, match="command holds no command line but null"):
        judge(SHELL, {}, Env(folder), [])


def test_reading_can_be_made_to_need_rules():
    env = Env(Path.cwd())
    assert reads_only(SHELL, {"command": "ls"}, env)
    assert not reads_only(SHELL, {"command": "ls"}, env, reads="ask")


def test_what_reads_command_lines_is_imported_with_the_first_one_that_is_judged():
    code = "import cellwright, sys; print([m for m in sys.modules if m.endswith(('shell.parts', 'shell.reading'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "[]\n"
