"""What rules keep a tool from is not reached by walking either."""

import os

import pytest

from cellwright.catalogue import load
from cellwright.env import Env
from cellwright.errors import ToolError
from cellwright.permission.policy import Policy
from cellwright.tools.passed_over import passed_over

from ..scene import calling, play

WALKS = {
    "search_code": {"pattern": "TOKEN", "glob": "**/*.py"},
    "find_files": {"pattern": "**/*.py"},
    "list_dir": {"depth": 3},
    "code_index": {"symbol": "TOKEN"},
}
ODD = "s[e]{c}r*t!"


@pytest.fixture
def project(tmp_path):
    for folder in ("secrets", "src", f"src/{ODD}"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "keys.py").write_text("TOKEN = 'sekret'\n")
    return tmp_path


def walked(project, name, kind, rules, args=None):
    policy = Policy(**{kind: {f"{name}({rule})" for rule in rules}})
    return play(
        [calling((name, WALKS[name] | (args or {}))), "done"], [load(name)], cwd=project, policy=policy
    ).results[0]


@pytest.mark.parametrize("kind", ["deny", "ask"])
@pytest.mark.parametrize("name", WALKS)
def test_a_walk_passes_over_what_a_rule_keeps_from_the_tool_and_says_so(project, name, kind):
    everything = walked(project, name, kind, ())
    result = walked(project, name, kind, ("secrets/*", r"src/s\[e\]{c}r\*t!"))
    assert result.ok and "keys.py" in result.content
    assert "secrets" in everything.content and ODD in everything.content
    assert "secrets" not in str(result.value) and ODD not in str(result.value)
    assert "2 paths that rules keep from this tool" in result.content


@pytest.mark.parametrize("name", ["search_code", "code_index"])
def test_who_may_not_read_a_path_does_not_meet_its_text_in_a_search(project, name):
    policy = Policy(deny={"read_file(secrets/*)"}, allow={name})
    (result,) = play([calling((name, WALKS[name])), "done"], [load(name)], cwd=project, policy=policy).results
    assert result.ok and "src/keys.py" in result.content and "secrets" not in str(result.value)
    assert "1 path that rules keep from this tool" in result.content


def test_what_is_in_a_folder_below_is_named_from_the_working_folder(project):
    result = walked(project, "find_files", "deny", ("src/keys.py",), {"path": "src"})
    assert result.value["files"] == [f"src/{ODD}/keys.py"]


def test_who_lists_a_folder_is_told_of_what_is_barred_there_and_not_of_what_lies_deeper(project):
    result = walked(project, "list_dir", "deny", ("src/*/keys.py", "secrets"), {"depth": 1})
    assert [entry["path"] for entry in result.value["entries"]] == ["src"]
    assert "1 path that rules keep from this tool" in result.content


def test_a_name_that_is_not_utf_8_is_passed_over_like_any_other(project):
    (project / os.fsdecode(b"\xff.key")).write_text("TOKEN")
    result = walked(project, "search_code", "deny", ("*.key",), {"glob": ""})
    assert result.value["files_with_matches"] == 3 and "1 path that rules keep from this tool" in result.content


def test_a_walk_of_a_tool_that_is_asked_to_stop_is_not_begun(project):
    env = Env(project, bars=lambda: lambda path: False)
    assert passed_over(project, env) == []
    env.stopping.set()
    with pytest.raises(ToolError, match="asked to stop"):
        passed_over(project, env)


def test_a_walk_that_would_pass_over_too_much_is_refused(project):
    for number in range(1_100):
        (project / f"{number}.key").touch()
    result = walked(project, "find_files", "deny", ("*.key",))
    assert result.metadata["code"] == "not_permitted" and "name a folder in it" in result.content
