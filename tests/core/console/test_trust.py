"""The rules that a folder brings along, and the person who lets them count."""

import os
import subprocess
import sys


def test_it_says_that_nothing_waits_for_it(cellwright, tmp_path):
    done = cellwright("trust", tmp_path)
    assert (done.returncode, b"waits for your trust" in done.stderr) == (0, True)


def process(*arguments, typed="", **variables):
    """The command in a process of its own."""
    command = [sys.executable, "-m", "cellwright", *map(str, arguments)]
    environment = {**os.environ, **variables}
    return subprocess.run(command, capture_output=True, input=typed.encode(), timeout=60, check=False, env=environment)


def test_it_shows_what_a_project_allows_and_asks_first(tmp_path):
    folder = tmp_path / "project"
    rules = folder / ".cellwright" / "permissions.toml"
    rules.parent.mkdir(parents=True)
    rules.write_text('allow = ["write_file"]', encoding="utf-8")
    own = {"XDG_CONFIG_HOME": str(tmp_path / "config")}
    call = ["call", "write_file", '{"path": "b.txt", "content": "x"}', "--cwd", folder]
    assert b"counts for nothing until" in process(*call, **own).stderr
    assert process("trust", folder, typed="no\n", **own).returncode == 1
    assert process("trust", folder, **own).returncode == 1
    assert not (folder / "b.txt").exists()
    done = process("trust", folder, typed="y\n", **own)
    assert (done.returncode, b"  write_file\n" in done.stderr) == (0, True)
    assert process(*call, **own).returncode == 0
