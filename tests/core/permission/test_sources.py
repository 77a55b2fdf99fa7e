import os

import pytest

from cellwright import Agent, Env, Policy, ScriptedModel, Tool, Turn
from cellwright.permission.project import Project
from cellwright.permission.sources import load_layer, load_layers, user_permissions

from ..scene import CONSENT

TOOL = Tool.from_schema("t", "", {"type": "object"}, lambda args, env: "ran")


@pytest.fixture
def write(tmp_path):
    """Writes a file of rules: `local`, `project` or `user`; the folder and the user's file."""
    (tmp_path / "work" / ".cellwright").mkdir(parents=True)
    names = {
        "local": "work/.cellwright/permissions.local.toml",
        "project": "work/.cellwright/permissions.toml",
        "user": "user.toml",
    }

    def write(**files):
        for name, text in files.items():
            (tmp_path / names[name]).write_text(text, encoding="utf-8")
        project = Project.at(tmp_path / "work", tmp_path / "user.toml")
        for path, data, _ in project.untrusted():
            project.trust(path, data)
        return tmp_path / "work", tmp_path / "user.toml"

    return write


def decision(folder, user, mode="default"):
    return Policy.load(folder, mode, user, CONSENT).decide(TOOL, {}, Env(folder))


ALLOW, ASK, DENY = (f'{kind} = ["t"]' for kind in ("allow", "ask", "deny"))


@pytest.mark.parametrize(
    ("files", "wanted"),
    [
        ({}, ("ask", "default")),
        ({"user": ALLOW}, ("allow", "allow_rule")),
        ({"user": ALLOW, "project": ASK}, ("ask", "ask_rule")),
        ({"user": ASK, "project": ALLOW}, ("allow", "allow_rule")),
        ({"project": ASK, "local": ALLOW}, ("allow", "allow_rule")),
        ({"local": ASK, "project": ALLOW, "user": ALLOW}, ("ask", "ask_rule")),
        ({"local": ALLOW, "user": DENY}, ("deny", "deny_rule")),
        ({"local": ALLOW + "\n" + ASK}, ("ask", "ask_rule")),
    ],
    ids=range(8),
)
def test_the_nearest_file_that_speaks_decides_and_any_may_deny(write, files, wanted):
    found = decision(*write(**files))
    assert (found.decision, found.by) == wanted


def test_rules_given_in_code_come_before_those_of_files(write):
    folder, user = write(local=ASK)
    policy = Policy(allow={"t"}, files=load_layers(folder, user))
    assert policy.decide(TOOL, {}, Env(folder)).decision == "allow"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("allow = [", "can't be understood (Invalid value"),
        ('allow = "t"', "allow='t' is a text"),
        ("allow = 3", "allow=3 is no list of rules"),
        ('allow = ["*"]', "'*' is no rule"),
        ('allow = ["t(\'x)"]', "the quote ' is not closed"),
        ('alow = ["t"]', "'alow' is not known; a file holds allow, ask, deny"),
        ('mode = "bypass"', "'mode' is not known"),
        ("a = " + "[" * 5000, "can't be understood"),
    ],
    ids=range(8),
)
@pytest.mark.parametrize("place", ["local", "project", "user"])
def test_a_file_that_can_not_be_understood_denies_everything_and_says_so(write, place, text, words):
    folder, user = write(**{place: text})
    for mode in ("default", "bypass"):
        found = decision(folder, user, mode)
        assert (found.decision, found.by) == ("deny", "deny_rule")
        assert words in found.reason
        assert "until it is mended, everything is denied" in found.reason


def test_a_file_that_can_not_be_read_denies_everything(tmp_path):
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "link").symlink_to("nothing")
    for name in ("bytes", "folder", "loop", "link"):
        assert f"{tmp_path / name} can't be read" in load_layer(tmp_path / name).broken
    assert load_layer(tmp_path / "none") is None


def test_the_persons_own_file_is_where_their_system_keeps_such_files(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert user_permissions() == tmp_path / "cellwright/permissions.toml"
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert user_permissions() == tmp_path / ".config/cellwright/permissions.toml"


def test_an_agent_reads_no_files_unless_its_policy_was_loaded(write, tmp_path):
    folder, user = write(project=DENY)
    model = ScriptedModel([Turn(calls=[("t", {})]), "done", Turn(calls=[("t", {})]), "done"])
    plain = Agent(model, [TOOL], cwd=folder, policy=Policy("bypass", consent=CONSENT)).run_sync("go")
    loaded = Agent(model, [TOOL], cwd=folder, policy=Policy.load(folder, "bypass", user, CONSENT)).run_sync("go")
    assert [result.error_type for result in (*plain.results, *loaded.results)] == [None, "permission_denied"]
    assert os.listdir(folder) == [".cellwright"]
