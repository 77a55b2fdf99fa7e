import tomllib

import pytest

from cellwright import Env, Policy, Tool, UsageError
from cellwright.permission.project import Project

TOOL = Tool.from_schema("t", "", {"type": "object"}, lambda args, env: "ran")
LOCAL = ".cellwright/permissions.local.toml"


@pytest.fixture
def project(tmp_path):
    return Project.at(tmp_path / "work", tmp_path / "own" / "permissions.toml")


def write(project, text, trusted=True):
    path = project.folder / LOCAL
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")
    for found, data, _ in project.untrusted() if trusted else ():
        project.trust(found, data)
    return path


def test_a_grant_is_added_at_the_end_and_all_else_stays_byte_for_byte(project):
    before = '# mine\r\ndeny = ["x"]  # why\n\n[[granted]] # by hand\nrule = "a"'
    path = write(project, before)
    assert project.keep(("t(b\\*)", "a", "t(é\x7f\\')")) == path
    text = path.read_bytes().decode()
    assert text.startswith(before + "\n")
    assert [grant["rule"] for grant in tomllib.loads(text)["granted"]] == ["a", "t(b\\*)", "t(é\x7f\\')"]
    assert [list(map(str, layer.granted)) for layer in project.layers()] == [["a", "t(b\\*)", "t(é\x7f\\')"], []]


def test_the_first_grant_makes_the_file_and_tells_git_to_leave_it_alone(project):
    path = project.keep(("t",))
    assert path.read_text() == '\n[[granted]]\nrule = "t"\n'
    assert "!/permissions.toml" in path.with_name(".gitignore").read_text()
    project.keep(("t",))
    assert path.read_text().count("rule") == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("allow = [", "can't be understood"),
        ('granted = [{rule = "a"}]', "take the grants away that stand in it as a list"),
        ('granted = ["a"]', "a grant is a table"),
        ('[[granted]]\nrule = "a"\nwho = "me"', "a grant is a table"),
    ],
)
def test_where_a_grant_can_not_be_added_the_file_stays_and_the_reason_is_told(project, text, words):
    path = write(project, text)
    with pytest.raises(UsageError) as caught:
        project.keep(("t",))
    assert words in str(caught.value)
    assert path.read_text() == text


def test_a_grant_is_not_added_to_a_file_that_nobody_trusts(project):
    path = write(project, 'allow = ["u"]', trusted=False)
    with pytest.raises(UsageError, match="is not trusted"):
        project.keep(("t",))
    assert path.read_text() == 'allow = ["u"]'


def test_a_rule_that_is_no_text_of_unicode_is_not_kept(project):
    with pytest.raises(UsageError, match="can't be written"):
        project.keep(("t(\ud800)",))


@pytest.mark.parametrize("name", ["permissions.toml", "permissions.local.toml"])
def test_a_project_allows_nothing_until_its_file_is_trusted_as_it_is(project, name):
    path = write(project, "", trusted=False).with_name(name)
    path.write_text('allow = ["t"]\ndeny = ["u"]')
    policy = Policy.load(project.folder, user_file=project.user_file)
    found = policy.explain(TOOL, {}, Env(project.folder))
    assert (found.decision.decision, "once you trust that file" in found.parts[0].reason) == ("ask", True)
    assert f"{path} allows t; that counts for nothing until" in policy.remarks[0]
    ((at, data, _),) = project.untrusted()
    project.trust(at, data)
    assert Policy.load(project.folder, user_file=project.user_file).decide(TOOL, {}, Env(project.folder)).by == (
        "allow_rule"
    )
    path.write_text('allow = ["t", "v"]')
    assert [str(layer.untrusted) != "" for _, _, layer in project.untrusted()] == [True]


def test_a_file_that_only_denies_and_asks_needs_no_trust(project):
    write(project, 'deny = ["t"]\nask = ["u"]', trusted=False)
    assert project.untrusted() == ()
    assert Policy.load(project.folder, user_file=project.user_file).decide(TOOL, {}, Env(project.folder)).by == (
        "deny_rule"
    )
