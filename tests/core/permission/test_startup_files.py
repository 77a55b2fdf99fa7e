import pytest

from cellwright.permission.startup_files import decides_what_runs, is_setting, names_startup_file


@pytest.mark.parametrize(
    "path",
    [
        ".git",
        "a/.GIT/hooks/x",
        ".cellwright/permissions.toml",
        ".config/cellwright/trusted.json",
        ".gitconfig",
        ".config/git/config",
        ".bashrc",
        ".ipython/profile_default/startup/a.py",
        ".jupyter/x",
        "home/.local/share/jupyter/kernels/python3/kernel.json",
    ],
)
def test_rules_and_what_git_shells_and_kernels_run_by_themselves_are_known(path):
    assert names_startup_file(path.split("/"))


@pytest.mark.parametrize("name", [".git.", ".git ", ".g\u200bit", ".Git\ufeff. .", ".BashRC"])
def test_names_that_some_file_system_takes_for_the_same_are_the_same(name):
    assert names_startup_file(["a", name, "b"])


@pytest.mark.parametrize("path", ["git", ".gitignore", ".github", ".config/x/git", "share/jupyter", "..", ".", ""])
def test_names_that_look_alike_decide_nothing(path):
    assert not names_startup_file(path.split("/"))


def test_the_persons_rules_decide_wherever_they_lie(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    assert decides_what_runs(tmp_path / "own/cellwright/new", tmp_path)
    assert not decides_what_runs(tmp_path / "own/other", tmp_path)


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        (".vscode/tasks.json", True),
        ("a/.VSCode/settings.json", True),
        (".mcp.json", True),
        ("AGENTS.md", True),
        (".github/workflows/ci.yml", True),
        ("jupyter_server_config.py", True),
        ("lib/site.pth", True),
        (".github/README.md", False),
        ("jupyter_notes.py", False),
        ("vscode/tasks.json", False),
    ],
)
def test_what_editors_servers_and_other_agents_obey_is_known(path, is_one):
    assert is_setting(path.split("/")) is is_one
